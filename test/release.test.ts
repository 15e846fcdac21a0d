import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { version } from '../package.json';
import { currentApp, visibleStepsOf } from '../scripts/docs/definition';
import { project, runNode } from './processes';

/** What `zapier-platform promote` sends to Zapier. */
const release = z.object({
  changelog: z.string(),
  appMetadata: z.array(z.object({ action_type: z.enum(['read', 'write', 'search']), action_key: z.string() })),
});

const readRelease = `
  const { getVersionChangelog } = require('zapier-platform-cli/src/utils/changelog');
  getVersionChangelog('${version}').then((found) => console.log(JSON.stringify(found)));`;

const kindOf = { read: 'triggers', write: 'creates', search: 'searches' } as const;

test("Zapier's tool finds the changes of this version and the steps they concern in CHANGELOG.md", async () => {
  const { out } = await runNode(['-e', readRelease]);
  const { changelog, appMetadata } = release.parse(JSON.parse(out));
  expect(changelog.length).toBeGreaterThan(20);
  expect(changelog).not.toContain('\n## ');
  expect(appMetadata.length).toBeGreaterThan(0);
  for (const { action_type, action_key } of appMetadata) {
    expect(Object.keys(currentApp[kindOf[action_type]])).toContain(action_key);
  }
});

const changelog = readFileSync(join(project, 'CHANGELOG.md'), 'utf8');

test.each(visibleStepsOf(currentApp))('CHANGELOG.md announces $place', ({ kind, step }) => {
  const singular = { triggers: 'trigger', creates: 'create', searches: 'search' }[kind];
  expect(changelog).toMatch(new RegExp(`^- New .*\\b${singular}/${step.key}\\b`, 'm'));
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { project } from '../lab/cli/environment';
import { visibleStepsOf } from '../lab/zapier/core/app-definition';
import { version } from '../package.json';
import { readLastRelease } from '../scripts/compat';
import { currentApp } from '../scripts/docs/definition';
import { runNode } from './support/processes';

/** What `zapier-platform promote` sends to Zapier. */
const release = z.object({
  changelog: z.string(),
  appMetadata: z._default(
    z.array(z.object({ action_type: z.enum(['read', 'write', 'search']), action_key: z.string() })),
    [],
  ),
});

const readRelease = `
  const { getVersionChangelog } = require('zapier-platform-cli/src/utils/changelog');
  getVersionChangelog('${version}').then((found) => console.log(JSON.stringify(found)));`;

const kindOf = { read: 'triggers', write: 'creates', search: 'searches' } as const;

test("Zapier's tool finds the changes of this version and the steps they concern in CHANGELOG.md", async () => {
  const { out } = await runNode(['-e', readRelease]);
  const { changelog, appMetadata } = release.parse(JSON.parse(out));
  const advice = `In CHANGELOG.md, rename "## Unreleased" to "## ${version}" with a date, and name a step in its lines.`;
  expect(changelog.length > 20 && appMetadata.length > 0 ? '' : advice).toBe('');
  expect(changelog).not.toContain('\n## ');
  expect(changelog).not.toMatch(/nothing has been released/i);
  for (const { action_type, action_key } of appMetadata) {
    expect(Object.keys(currentApp[kindOf[action_type]])).toContain(action_key);
  }
});

const changelog = readFileSync(join(project, 'CHANGELOG.md'), 'utf8');
const lastRelease = readLastRelease();
/** What changed since the last release. */
const [unreleased = ''] = lastRelease ? changelog.split(`\n## ${lastRelease.version} `) : [changelog];

test.each(visibleStepsOf(currentApp))(
  'CHANGELOG.md announces $place with the version that adds it',
  ({ kind, place, step }) => {
    const name = `${{ triggers: 'trigger', creates: 'create', searches: 'search' }[kind]}/${step.key}`;
    const isReleased = Object.hasOwn(lastRelease?.steps ?? {}, place);
    const isAnnounced = new RegExp(`^- New .*\\b${name}\\b`, 'm').test(isReleased ? changelog : unreleased);
    const heading = isReleased ? '' : ', under "## Unreleased"';
    expect(isAnnounced ? '' : `Add a line to CHANGELOG.md${heading}: - New ${name}: …`).toBe('');
  },
);

import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import * as z from 'zod/mini';
import { version } from '../package.json';
import { currentApp, visibleStepsOf } from '../scripts/docs/definition';
import { project, runNode } from './processes';

const promotion = z.object({
  job: z.looseObject({
    to_version: z.string(),
    changelog: z.string(),
    app_metadata: z.array(z.object({ app_change_type: z.string(), action_type: z.string(), action_key: z.string() })),
  }),
});

/** Zapier's record of the integration, which the CLI requests first. */
const integration = { id: 1, title: 'A', description: 'A', app_category: 'a', intention: 'global', role: 'employee' };

let zapier: Server;
let folder: string;
let migrations: unknown[];

beforeAll(async () => {
  migrations = [];
  zapier = createServer(async (request, response) => {
    if (request.url?.endsWith('/migrations')) migrations.push(await json(request));
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(integration));
  });
  zapier.listen(0, '127.0.0.1');
  await once(zapier, 'listening');
  folder = mkdtempSync(join(tmpdir(), 'promote-'));
  cpSync(join(project, 'CHANGELOG.md'), join(folder, 'CHANGELOG.md'));
  writeFileSync(join(folder, '.zapierapprc'), JSON.stringify({ id: 1, key: 'App1' }));
});

afterAll(() => {
  zapier.close();
  zapier.closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
});

const promote = async (): Promise<z.output<typeof promotion>['job']> => {
  const { port } = z.object({ port: z.number() }).parse(zapier.address());
  const cli = join(project, 'node_modules/zapier-platform-cli/src/bin/run');
  const env = {
    ...process.env,
    NODE_OPTIONS: '',
    ZAPIER_BASE_ENDPOINT: `http://127.0.0.1:${port}`,
    ZAPIER_DEPLOY_KEY: 'key',
    DISABLE_ZAPIER_ANALYTICS: '1',
  };
  expect(await runNode([cli, 'promote', version, '--yes'], { cwd: folder, env })).toMatchObject({ code: 0 });
  return promotion.parse(migrations.at(-1)).job;
};

const kindOf = { read: 'triggers', write: 'creates', search: 'searches' } as const;

test('promoting sends the changes of this version and the steps they concern from CHANGELOG.md', async () => {
  const job = await promote();
  expect(job.to_version).toBe(version);
  expect(job.changelog.length).toBeGreaterThan(20);
  expect(job.changelog).not.toContain('\n## ');
  expect(job.app_metadata.length).toBeGreaterThan(0);
  for (const { action_type, action_key } of job.app_metadata) {
    const kind = z.enum(['read', 'write', 'search']).parse(action_type);
    expect(Object.keys(currentApp[kindOf[kind]])).toContain(action_key);
  }
});

const changelog = readFileSync(join(project, 'CHANGELOG.md'), 'utf8');

test.each(visibleStepsOf(currentApp))('CHANGELOG.md announces $place', ({ kind, step }) => {
  const singular = { triggers: 'trigger', creates: 'create', searches: 'search' }[kind];
  expect(changelog).toMatch(new RegExp(`^- New .*\\b${singular}/${step.key}\\b`, 'm'));
});

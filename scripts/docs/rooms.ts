/** The rooms of the project: folders, or files without their extension, and the directions of imports between them. */

/** The libraries that a room may import only if its row names them. Every room may import the others. */
export const limitedLibraries = ['zapier-platform-core', 'zod', 'hono', '@hono/node-server', 'libphonenumber-js'];

const core = 'zapier-platform-core';
const web = 'hono @hono/node-server';
const app = 'triggers creates searches src';

/**
 * What each room may import, besides its own files and parts. A room imports only rooms further down, with two
 * exceptions: `src/index` registers the steps, and `scripts/docs` takes the runs of every step from the tests.
 */
const table: Readonly<Record<string, string>> = {
  test: `scripts playground zapier recipes conformance sandbox cli ${app} index package package-lock ${limitedLibraries.join(' ')}`,
  scripts: `playground zapier recipes sandbox cli src package zod ${web}`,
  'scripts/docs': 'scripts playground zapier recipes sandbox cli src zod test/runs test/support/records',
  playground: `zapier recipes sandbox cli src zod ${web}`,
  'playground/routes': `playground/page playground/service zapier recipes sandbox src zod ${web}`,
  'playground/page': 'playground/service zapier recipes src zod hono',
  'playground/page/bar': 'playground/page/elements playground/service zapier recipes src hono',
  'playground/page/windows': 'playground/page/canvas playground/page/elements playground/service zapier recipes src',
  'playground/page/activity':
    'playground/page/canvas playground/page/phone playground/page/elements playground/service zapier zod',
  'playground/page/panel':
    'playground/page/canvas playground/page/phone playground/page/elements playground/service zapier src zod hono',
  'playground/page/canvas': 'playground/page/phone playground/page/elements playground/service zapier recipes src',
  'playground/page/phone': 'playground/page/elements playground/service zapier src hono',
  'playground/page/elements': 'playground/service zapier src zod hono',
  'playground/service': 'zapier recipes sandbox src zod hono',
  recipes: 'zapier/kinds zapier/fields src/brand src/api sandbox/domain/phone-numbers',
  conformance: 'cli zapier/listen src zod',
  sandbox: `cli zapier/listen src/api zod ${web}`,
  'sandbox/client': 'src/http src/api zod',
  'sandbox/http': `sandbox/domain sandbox/webhooks sandbox/store sandbox/engine src/api zod ${web}`,
  'sandbox/seed': 'sandbox/domain sandbox/store sandbox/engine src/api zod',
  'sandbox/domain': 'sandbox/webhooks sandbox/store sandbox/engine src/api zod',
  'sandbox/webhooks': 'sandbox/store sandbox/engine src/api zod',
  'sandbox/store': 'sandbox/engine src/api zod',
  'sandbox/engine': 'src/api zod',
  cli: 'zapier/core/error-message src/api zod',
  zapier: 'zod',
  'zapier/starts': 'zapier/runs zapier/zap zapier/kinds zapier/fields zapier/core zapier/platform zod',
  'zapier/editor': 'zapier/runs zapier/zap zapier/kinds zapier/fields zapier/core zapier/platform zod',
  'zapier/runs': 'zapier/zap zapier/kinds zapier/fields zapier/core zapier/platform zod',
  'zapier/zap': 'zapier/kinds zapier/fields zapier/core zod',
  'zapier/kinds': 'zapier/fields zapier/core zapier/platform zod',
  'zapier/fields': 'zapier/platform zod',
  'zapier/core': `${core} zod`,
  'zapier/listen': 'zod',
  'zapier/platform': '',
  triggers: `src ${core} zod`,
  creates: `src ${core} zod`,
  searches: `src ${core} zod`,
  src: `src/api ${core} zod package`,
  'src/index': `${app} package ${core}`,
  'src/webhooks': `src/polling src/forms src/messages src/http src/formats src/platform src/api ${core} zod`,
  'src/polling': `src/forms src/messages src/http src/formats src/platform src/api ${core} zod`,
  'src/forms': `src/messages src/http src/formats src/platform src/api ${core} zod`,
  'src/messages': 'src/formats src/api zod',
  'src/http': `src/platform src/api src/brand ${core} zod`,
  'src/formats': 'src/platform src/api libphonenumber-js',
  'src/platform': `src/api ${core} zod`,
  'src/api': 'src/brand zod',
};

export const rooms: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(table).map(([path, imports]) => [path, imports.split(' ')]),
);

/** What the rooms hold, by their paths, for the table in CONTRIBUTING.md. Parts of a room have no row. */
export const contents: Readonly<Record<string, string>> = {
  test: 'tests; the folders match those below',
  scripts: 'build, package, documents, performance',
  playground: 'the page that shows phones, Zaps and activity',
  recipes: 'ready-made Zaps, each with an example',
  conformance: 'compares a live service with the contract',
  sandbox: 'the messaging service',
  cli: 'what all commands share: options, `.env`, errors',
  zapier: "a stand-in for Zapier that runs any app's steps and Zaps",
  'triggers creates searches': 'the steps that a Zap can use, one per file',
  src: 'what the steps share; [src/api](src/api/README.md) describes the API',
};

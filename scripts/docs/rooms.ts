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
  test: `scripts lab/playground lab/zapier lab/recipes lab/conformance lab/sandbox lab/cli ${app} index package package-lock ${limitedLibraries.join(' ')}`,
  scripts: `lab/playground lab/zapier lab/recipes lab/sandbox lab/cli src package zod ${web}`,
  'scripts/docs':
    'scripts lab/playground lab/zapier lab/recipes lab/sandbox lab/cli src zod test/runs test/support/records',
  'lab/playground': `lab/zapier lab/recipes lab/sandbox lab/cli src zod ${web}`,
  'lab/playground/routes': `lab/playground/page lab/playground/service lab/zapier lab/recipes lab/sandbox src zod ${web}`,
  'lab/playground/page': 'lab/playground/service lab/zapier lab/recipes src zod hono',
  'lab/playground/page/bar': 'lab/playground/page/elements lab/playground/service lab/zapier lab/recipes src hono',
  'lab/playground/page/windows':
    'lab/playground/page/canvas lab/playground/page/elements lab/playground/service lab/zapier lab/recipes src',
  'lab/playground/page/activity': 'lab/playground/page/elements lab/playground/service lab/zapier',
  'lab/playground/page/panel':
    'lab/playground/page/canvas lab/playground/page/phone lab/playground/page/elements lab/playground/service lab/zapier src zod hono',
  'lab/playground/page/canvas':
    'lab/playground/page/phone lab/playground/page/elements lab/playground/service lab/zapier lab/recipes src hono',
  'lab/playground/page/phone': 'lab/playground/page/elements lab/playground/service lab/zapier src hono',
  'lab/playground/page/elements': 'lab/playground/service lab/zapier src zod hono',
  'lab/playground/service': 'lab/zapier lab/recipes lab/sandbox src zod hono',
  'lab/recipes': 'lab/zapier/kinds lab/zapier/fields src/brand src/api lab/sandbox/domain/phone-numbers',
  'lab/conformance': 'lab/cli lab/zapier/listen src zod',
  'lab/sandbox': `lab/cli lab/zapier/listen lab/zapier/clock src/api zod ${web}`,
  'lab/sandbox/client': 'src/call src/api zod',
  'lab/sandbox/http': `lab/sandbox/domain lab/sandbox/webhooks lab/sandbox/store lab/sandbox/engine lab/zapier/clock src/api zod ${web}`,
  'lab/sandbox/seed': 'lab/sandbox/domain lab/sandbox/store lab/sandbox/engine lab/zapier/clock src/api zod',
  'lab/sandbox/domain': 'lab/sandbox/webhooks lab/sandbox/store lab/sandbox/engine lab/zapier/clock src/api zod',
  'lab/sandbox/webhooks': 'lab/sandbox/store lab/sandbox/engine lab/zapier/clock src/api zod',
  'lab/sandbox/store': 'lab/sandbox/engine lab/zapier/clock src/api zod',
  'lab/sandbox/engine': 'lab/zapier/clock src/api zod',
  'lab/cli': 'lab/zapier/core/error-message src/api zod',
  'lab/zapier': 'zod',
  'lab/zapier/starts':
    'lab/zapier/runs lab/zapier/zap lab/zapier/kinds lab/zapier/fields lab/zapier/core lab/zapier/clock lab/zapier/platform zod',
  'lab/zapier/editor':
    'lab/zapier/runs lab/zapier/zap lab/zapier/kinds lab/zapier/fields lab/zapier/core lab/zapier/clock lab/zapier/platform zod',
  'lab/zapier/runs':
    'lab/zapier/zap lab/zapier/kinds lab/zapier/fields lab/zapier/core lab/zapier/clock lab/zapier/platform zod',
  'lab/zapier/zap': 'lab/zapier/kinds lab/zapier/fields lab/zapier/core zod',
  'lab/zapier/kinds': 'lab/zapier/fields lab/zapier/core lab/zapier/clock lab/zapier/platform zod',
  'lab/zapier/fields': 'lab/zapier/platform zod',
  'lab/zapier/core': `${core} zod`,
  'lab/zapier/listen': 'zod',
  'lab/zapier/clock': '',
  'lab/zapier/platform': '',
  triggers: `src ${core} zod`,
  creates: `src ${core} zod`,
  searches: `src ${core} zod`,
  src: `src/api ${core} zod package`,
  'src/index': `${app} package ${core}`,
  'src/reply': `src/trigger src/contact src/message src/text src/step src/call src/api ${core} zod`,
  'src/trigger': `src/contact src/message src/text src/step src/call src/api ${core} zod`,
  'src/message': `src/contact src/text src/step src/call src/api ${core} libphonenumber-js zod`,
  'src/contact': `src/message src/text src/step src/call src/api ${core} zod`,
  'src/text': `src/contact src/step src/api ${core} zod`,
  'src/step': `src/trigger src/contact src/message src/text src/call src/api ${core} zod`,
  'src/call': `src/step src/api src/brand ${core} zod`,
  'src/api': 'src/brand zod',
};

export const rooms: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(table).map(([path, imports]) => [path, imports.split(' ')]),
);

/** What the rooms hold, by their paths, for the table in CONTRIBUTING.md. Parts of a room have no row. */
export const contents: Readonly<Record<string, string>> = {
  test: 'tests of the app, in the rooms of `src`; those of a room of `lab` are inside it',
  scripts: 'build, package, documents, performance',
  'lab/playground': 'the page that shows phones, Zaps and activity',
  'lab/recipes': 'ready-made Zaps, each with an example',
  'lab/conformance': 'compares a live service with the contract',
  'lab/sandbox': 'the messaging service',
  'lab/cli': 'what all commands share: options, `.env`, errors',
  'lab/zapier': "a stand-in for Zapier that runs any app's steps and Zaps",
  'triggers creates searches': 'the steps that a Zap can use, one per file',
  src: 'what the steps share; [src/api](src/api/README.md) describes the API',
};

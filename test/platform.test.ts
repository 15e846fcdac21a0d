/** The parts that the platform needs, and which folder may use which. */

import { globSync, readFileSync } from 'node:fs';
import { posix, relative } from 'node:path';
import { createAppTester, defineApp, version as platformVersion } from 'zapier-platform-core';
import { project } from '../lab/cli/environment';
import { contents, limitedLibraries, rooms } from '../scripts/docs/rooms';
import { vocabulary } from '../src/api/resources';
import { needsOf } from '../src/step/register';
import { shareDefinition } from '../src/step/shared-definition';
import { triggers } from '../triggers';

// What core does with a definition at each run is the subject here (test/support/core.ts).
jest.unmock('zapier-platform-core/src/tools/schema');

describe('registering', () => {
  test('an instant trigger depends on an event, so that it goes if the service lacks the event', () => {
    const instant = Object.values(triggers).filter(({ operation }) => 'performSubscribe' in operation);
    const without = instant.filter(
      (step) => !needsOf(step).some((need) => vocabulary.event.some((name) => name === need)),
    );
    const advice = without.map(({ key }) => `Add the event of ${key} to its line in triggers/index.ts.`);
    expect(advice).toEqual([]);
  });
});

describe('the shared definition', () => {
  const perform = async () => ({ id: 'one' });

  /** An app with one field, and how often its label is read. */
  const appWithOneField = () => {
    const read = { times: 0 };
    const country = { key: 'country', choices: { perform: () => ({ results: [], paging_token: null }) } };
    const sample = { id: 'one', lines: [{ text: 'Hello' }] };
    const outputField = {
      key: 'id',
      get label() {
        read.times += 1;
        return 'ID';
      },
    };
    const app = defineApp({
      version: '1.0.0',
      platformVersion,
      // Core would wrap the http of this process, which other tests use as well.
      flags: { skipHttpPatch: true },
      creates: {
        send: {
          key: 'send',
          noun: 'Note',
          display: { label: 'Send Note', description: 'Sends a note.' },
          operation: { inputFields: [country], outputFields: [outputField], perform, sample },
        },
      },
    });
    return { app, read, country, sample };
  };

  /** How often a run reads the label, after core has frozen the app in its first run. */
  const readsOfOneRun = async ({ app, read }: ReturnType<typeof appWithOneField>) => {
    const tester = createAppTester(app);
    await tester(perform);
    read.times = 0;
    await tester(perform);
    return read.times;
  };

  test('a run copies no output field of a shared definition', async () => {
    const one = appWithOneField();
    await expect(readsOfOneRun(one)).resolves.toBeGreaterThan(0);
    await expect(readsOfOneRun({ ...one, app: shareDefinition(one.app) })).resolves.toBe(0);
  });

  test('a shared definition serializes as before, and leaves the samples it was made of alone', () => {
    const { app, sample } = appWithOneField();
    const before = JSON.stringify(app);
    expect(JSON.stringify(shareDefinition(app))).toBe(before);
    expect(Object.isFrozen(sample)).toBe(false);
  });

  test('a field with a function in it stays a plain object, since core finds functions only there', () => {
    const { app, country } = appWithOneField();
    expect(shareDefinition(app).creates?.send?.operation.inputFields).toEqual([country]);
  });
});

describe('imports', () => {
  type Sources = ReadonlyMap<string, string>;

  const toModule = (path: string) => path.replaceAll('\\', '/').replace(/\.\w+$/, '');
  const folders = [...new Set([...rooms.keys()].map((path) => path.split('/')[0]))];
  const sources: Sources = new Map(
    globSync(`{${folders}}/**/*.{ts,tsx}`, { cwd: project })
      .filter((path) => path !== relative(project, __filename))
      .map((path) => [toModule(path), readFileSync(`${project}/${path}`, 'utf8')]),
  );

  const isWithin = (path: string, room: string) => path === room || path.startsWith(`${room}/`);
  const roomOf = (path: string, among: Iterable<string>) =>
    [...among].filter((room) => isWithin(path, room)).toSorted((one, other) => other.length - one.length)[0];

  /** A room of the lab and the scripts have their tests inside. */
  const isTest = (path: string) => isWithin(path, 'test') || path.split('/').includes('test');

  /** Returns the modules and libraries that a module imports. */
  const importsOf = (from: string, all: Sources): string[] =>
    [...(all.get(from) ?? '').matchAll(/(?:\bfrom|\bimport|\b\w+\()\s*'([^'\n]+)'/g)].flatMap(([, name = '']) => {
      if (!name.startsWith('.')) return roomOf(name, limitedLibraries) ?? [];
      const path = posix.join(posix.dirname(from), name);
      return [path, posix.join(path, 'index')].find((each) => all.has(each)) ?? toModule(path);
    });

  const breaches = (all: Sources): string[] =>
    [...all.keys()].flatMap((from) => {
      const room = isTest(from) ? 'test' : (roomOf(from, rooms.keys()) ?? '');
      const allowed = [room, ...(rooms.get(room) ?? [])];
      return importsOf(from, all).flatMap((to) => (roomOf(to, allowed) ? [] : `${from} imports ${to}`));
    });

  /** Returns the modules of circles of imports, and those between two circles. Types count. */
  const circles = (all: Sources): string[] => {
    const left = new Set(all.keys());
    const used = (module: string) => importsOf(module, all).filter((to) => left.has(to));
    for (let before = 0; before !== left.size; ) {
      before = left.size;
      const targets = new Set([...left].flatMap(used));
      for (const module of left) if (!targets.has(module) || used(module).length === 0) left.delete(module);
    }
    return [...left];
  };

  test('every import runs down the table of rooms', () => {
    expect(breaches(sources)).toEqual([]);
  });

  test('every command begins with the contract that it speaks, except those that speak to a service or run no step', () => {
    const commands = [...sources].filter(([, text]) => /^(if .*)?(runCommand|void start)\(/m.test(text));
    const begins = (text: string) => /cli\/sandboxed';$/.test(/^import .*$/m.exec(text)?.[0] ?? '');
    expect(commands.flatMap(([name, text]) => (begins(text) ? [] : [name])).toSorted()).toEqual([
      ...['lab/conformance/main', 'scripts/bench/index'],
      ...['scripts/compat', 'scripts/logo', 'scripts/openapi/main', 'scripts/package'],
    ]);
  });

  test('the table of rooms runs from the top down, and CONTRIBUTING.md shows it', () => {
    const order = [...rooms.keys()].filter((path) => /^(lab\/)?[^/]+$/.test(path));
    expect(Object.keys(contents).flatMap((paths) => paths.split(' '))).toEqual(order);
    const upward = [...rooms].flatMap(([room, imports]) =>
      imports.filter((to) => order.indexOf(roomOf(to, order) ?? '') < order.indexOf(roomOf(room, order) ?? '')),
    );
    expect(upward.filter((to) => roomOf(to, order))).toEqual([
      'test/runs',
      'test/support/records',
      'triggers',
      'creates',
      'searches',
    ]);
  });

  test('no module imports itself by way of others', () => {
    const code = [...sources].filter(([path]) => !isTest(path));
    expect(circles(new Map(code))).toEqual([]);
  });

  const planted: [from: string, line: string][] = [
    ['src/text/fold', "import { call } from '../http/client';"],
    ['src/call/call', "export * from '../../triggers';"],
    ['creates/send-message', "import type { Sandbox } from '../lab/sandbox';"],
    ['lab/sandbox/store/store', "const load = () => import('../http/app');"],
    ['lab/zapier/index', "import { recipes } from '../recipes';"],
    ['lab/recipes/index', "const { parse } = require('../zapier/zap/zap');"],
    ['searches/find-contact', "import { parsePhoneNumberFromString } from 'libphonenumber-js/max';"],
  ];

  test.each(planted)('finds a forbidden import in %s', (from, line) => {
    expect(breaches(new Map([[from, line]]))).toHaveLength(1);
  });

  test('finds a circle of types', () => {
    const circle = { 'src/a': "import type { B } from './b';", 'src/b': "import type { A } from './a';" };
    expect(circles(new Map(Object.entries(circle)))).toEqual(['src/a', 'src/b']);
  });
});

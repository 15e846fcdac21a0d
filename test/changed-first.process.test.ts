import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

interface Test {
  path: string;
}

interface Sequencer {
  sort(tests: object[]): Test[];
  shard(tests: object[], options: { shardIndex: number; shardCount: number }): Test[];
}

const ChangedFirst = jest.requireActual<new (options: object) => Sequencer>('./support/changed-first.cjs');

let rootDir: string;

const git = (...args: string[]) => execFileSync('git', args, { cwd: rootDir, stdio: 'pipe' });

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(rootDir, path)), { recursive: true });
  writeFileSync(join(rootDir, path), text);
};

/** The tests of a project, from the slowest. */
const paths = ['fuzz', 'creates/recipients', 'forms/lost', 'forms/input', 'http/client'].map(
  (name) => `test/${name}.test.ts`,
);

/** The order in which jest runs them. */
const order = (): string[] => {
  const context = { config: { cache: false }, hasteFS: { getSize: (path: string) => paths.length - at(path) } };
  const at = (path: string) => paths.findIndex((each) => path.endsWith(each));
  const sequencer = new ChangedFirst({ contexts: [], globalConfig: { rootDir } });
  const sorted = sequencer.sort(paths.toReversed().map((path) => ({ path: join(rootDir, path), context })));
  return sorted.map(({ path }) => paths[at(path)] ?? path);
};

beforeEach(() => {
  rootDir = mkdtempSync(join(tmpdir(), 'changed-'));
  for (const path of [...paths, 'src/forms/input.ts', 'creates/send-message.ts', 'package.json']) write(path, '1');
});

afterEach(() => rmSync(rootDir, { recursive: true }));

const commit = (): void => {
  git('init', '--quiet');
  git('add', '.');
  git('-c', 'user.name=Noor', '-c', 'user.email=noor@example.com', 'commit', '--quiet', '--message', 'Start');
};

test('a slow file comes first when nothing has changed, and without git', () => {
  expect(order()).toEqual(paths);
  commit();
  write('package.json', '2');
  expect(order()).toEqual(paths);
});

test('the test of a changed file comes first, then those of the whole app, and then the tests beside it', () => {
  commit();
  write('src/forms/input.ts', '2');
  const [fuzz = '', recipients = '', lost = '', input = '', client = ''] = paths;
  expect(order()).toEqual([input, fuzz, lost, recipients, client]);
});

test.each(['creates/send-message.ts', 'creates/new-step.ts', 'src/forms/input.ts'])(
  'the tests of the whole app come before those beside the file when %s has changed',
  (path) => {
    commit();
    write(path, '2');
    const sorted = order();
    const beside = path.startsWith('src') ? 'test/forms/lost.test.ts' : 'test/creates/recipients.test.ts';
    expect(sorted.indexOf('test/fuzz.test.ts')).toBeLessThan(sorted.indexOf(beside));
    expect(sorted.indexOf(beside)).toBeLessThan(sorted.indexOf('test/http/client.test.ts'));
  },
);

test.each(['test/creates/story.ts', 'test/creates/recipients.test.ts'])(
  'the tests of a folder come first when %s has changed',
  (path) => {
    commit();
    write(path, '2');
    expect(order()[0]).toBe('test/creates/recipients.test.ts');
  },
);

/** The files of each of three shards, of which those with `.process` or `.browser` in the name start processes. */
const shardsOf = (names: string[]): string[][] => {
  const sequencer = new ChangedFirst({ contexts: [], globalConfig: { rootDir } });
  const tests = names.map((name) => {
    const displayName = { name: /process|browser/.test(name) ? 'whole' : 'unit' };
    return { path: join(rootDir, 'test', name), context: { config: { displayName } } };
  });
  const shards = [1, 2, 3].map((shardIndex) => sequencer.shard(tests, { shardIndex, shardCount: 3 }));
  return shards.map((shard) => shard.map(({ path }) => path.slice(join(rootDir, 'test/').length)));
};

const started = ['a.process.test.ts', 'b.browser.test.ts', 'c.process.test.ts', 'd.process.test.ts'];

test('each file that starts processes runs on one of three days, and the others on each day', () => {
  commit();
  const shards = shardsOf([...started, 'fuzz.test.ts']);
  expect(
    shards
      .flat()
      .filter((name) => name !== 'fuzz.test.ts')
      .toSorted(),
  ).toEqual(started);
  expect(shards.map((shard) => shard.includes('fuzz.test.ts'))).toEqual([true, true, true]);
  expect(Math.max(...shards.map(({ length }) => length))).toBe(3);
});

test('a changed test that starts processes runs on each day', () => {
  commit();
  write('test/b.browser.test.ts', '2');
  expect(shardsOf(started).map((shard) => shard.includes('b.browser.test.ts'))).toEqual([true, true, true]);
});

const { execFileSync } = require('node:child_process');
const { relative } = require('node:path');
const Sequencer = require('@jest/test-sequencer').default;

/** Lists the files that differ from the last commit, or nothing without git. */
const listChanged = (rootDir) => {
  const list = ['status', '--porcelain', '--no-renames', '--untracked-files=all'];
  try {
    const lines = execFileSync('git', list, { cwd: rootDir, encoding: 'utf8', stdio: 'pipe' }).split('\n');
    return lines.map((line) => line.slice(3)).filter(Boolean);
  } catch {
    return [];
  }
};

/** The place of a file in the folders that tests and code have alike, such as `forms/input` for `src/forms/input.ts`. */
const placeOf = (path) => path.replace(/^(test|src)\//, '').replace(/(\.\w+)+$/, '');

const folderOf = (path) => placeOf(path).replace(/\/?[^/]*$/, '');

/** Whether a file belongs to the app, which the tests of no folder look at as a whole: its texts, documents and samples. */
const isOfApp = (path) => /^(src|triggers|creates|searches)\//.test(path);

/** 3 for a test that changed, or whose file changed, 2 for one of the whole app, 1 for one beside it, and 0 for the others. */
const nearness = (path, changed) => {
  if (changed.some((each) => placeOf(each) === placeOf(path))) return 3;
  if (folderOf(path) === '' && changed.some(isOfApp)) return 2;
  return changed.some((each) => folderOf(each) !== '' && folderOf(each) === folderOf(path)) ? 1 : 0;
};

/** Whether a file is one of those that start processes or a browser, which take most of the time (`jest.config.cjs`). */
const startsProcesses = ({ context }) => context.config.displayName?.name === 'whole';

/** Runs the tests of changed files first, then as jest does: those that failed, and those that take longest. */
module.exports = class ChangedFirst extends Sequencer {
  constructor(options) {
    super(options);
    this.rootDir = options.globalConfig.rootDir;
  }

  /** How near each test is to what changed, by its path. */
  nearnessOf(tests) {
    const changed = listChanged(this.rootDir);
    return new Map(
      tests.map(({ path }) => [path, nearness(relative(this.rootDir, path).replaceAll('\\', '/'), changed)]),
    );
  }

  /** `--shard` divides the files that start processes. The others run with each shard, and so do the tests of changed files. */
  shard(tests, { shardIndex, shardCount }) {
    const near = this.nearnessOf(tests);
    const divided = tests.filter(startsProcesses).sort((one, other) => (one.path < other.path ? -1 : 1));
    const left = new Set(divided.filter((test, at) => at % shardCount !== shardIndex - 1 && near.get(test.path) < 3));
    return tests.filter((test) => !left.has(test));
  }

  sort(tests) {
    const near = this.nearnessOf(tests);
    return super.sort(tests).sort((one, other) => near.get(other.path) - near.get(one.path));
  }
};

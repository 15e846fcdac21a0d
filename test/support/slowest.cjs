const { relative } = require('node:path');

const shown = 10;

/** Tells after a run of many files which took longest, and what was drawn. */
module.exports = class Slowest {
  constructor({ rootDir }) {
    this.rootDir = rootDir;
  }

  onRunComplete(_contexts, { testResults }) {
    if (testResults.length <= shown) return;
    const slowest = testResults
      .map(({ testFilePath, perfStats: { runtime } }) => ({ path: relative(this.rootDir, testFilePath), runtime }))
      .sort((one, other) => other.runtime - one.runtime)
      .slice(0, shown);
    const lines = slowest.map(({ path, runtime }) => `${(runtime / 1000).toFixed(1).padStart(6)} s  ${path}`);
    const drawn = process.env.TEST_SHARE === 'all' ? 'All tests' : "Today's share of the tests";
    process.stderr.write(`\nThe slowest files:\n${lines.join('\n')}\n\n${drawn}, TEST_SEED=${process.env.TEST_SEED}\n`);
  }
};

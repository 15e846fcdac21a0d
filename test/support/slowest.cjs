const { relative } = require('node:path');

const shown = 10;

/** Prints the longest of a list, in seconds. */
const tell = (what, timed) => {
  const longest = timed.toSorted((one, other) => other.ms - one.ms).slice(0, shown);
  const lines = longest.map(({ name, ms }) => `${(ms / 1000).toFixed(1).padStart(6)} s  ${name}`);
  process.stderr.write(`\nThe slowest ${what}:\n${lines.join('\n')}\n`);
};

/** Tells after a run of many files which of them and of the unit tests took longest. */
module.exports = class Slowest {
  constructor({ rootDir }) {
    this.rootDir = rootDir;
  }

  onRunComplete(_contexts, { testResults }) {
    if (testResults.length <= shown) return;
    const files = testResults.map(({ testFilePath, perfStats, testResults: tests }) => ({
      name: relative(this.rootDir, testFilePath),
      ms: perfStats.runtime,
      tests: tests.map(({ fullName, duration }) => ({ name: fullName.slice(0, 120), ms: duration ?? 0 })),
    }));
    tell('files', files);
    const unit = files.filter(({ name }) => !/\.(process|browser)\.test/.test(name));
    tell(
      'unit tests',
      unit.flatMap(({ tests }) => tests),
    );
  }
};

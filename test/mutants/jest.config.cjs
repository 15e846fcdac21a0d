const { projects, ...rest } = require('../jest.config.cjs');

const [{ transform, ...unit }] = projects;

const withMutant = ([pattern, [, options]]) => [pattern, ['<rootDir>/test/mutants/transform.cjs', options]];

// The project whose tests start no process, because another process would run the code without its mutant.
module.exports = {
  ...rest,
  ...unit,
  maxWorkers: 2,
  // Some tests never end with a mutant.
  testTimeout: 60_000,
  testEnvironment: '<rootDir>/test/mutants/environment.cjs',
  transform: Object.fromEntries(Object.entries(transform).map(withMutant)),
};

// The steps once more, as they ship: the tests that run them take the bundle in the place of `src`.
const { jest } = require('../package.json');

const steps = ['creates', 'searches', 'triggers', 'end-to-end', 'hook', 'requests', 'attackers', 'trying-again'];

module.exports = {
  ...jest,
  rootDir: '..',
  testMatch: steps.map((name) => `<rootDir>/test/${name}{/**/*,}.test.ts`),
  moduleNameMapper: { '^(\\.\\./)+src$': '<rootDir>/dist/index.js' },
  modulePathIgnorePatterns: ['<rootDir>/build/'],
};

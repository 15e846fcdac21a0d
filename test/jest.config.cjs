const { join } = require('node:path');

const rootDir = join(__dirname, '..');

const parse = (tsx) => [
  '@swc/jest',
  {
    jsc: {
      parser: { syntax: 'typescript', tsx },
      transform: { react: { runtime: 'automatic', importSource: 'hono/jsx', throwIfNamespace: false } },
      target: 'es2023',
    },
    module: { type: 'commonjs' },
  },
];

// Copies of the project in temporary folders and packaged apps aren't modules of these tests.
const shared = {
  rootDir,
  // Beside the other caches, so that a run leaves nothing in the temporary folder.
  cacheDirectory: join(rootDir, 'node_modules/.cache/jest'),
  transform: { '\\.ts$': parse(false), '\\.tsx$': parse(true) },
  moduleNameMapper: { '^zapier-platform-schema$': '<rootDir>/test/support/zapier-platform-schema.cjs' },
  modulePathIgnorePatterns: ['<rootDir>/build/', '<rootDir>/dist/'],
  setupFiles: ['<rootDir>/test/support/contract.ts'],
  globalSetup: '<rootDir>/test/support/seed-once.ts',
  setupFilesAfterEnv: ['<rootDir>/test/support/realm.ts', '<rootDir>/test/support/properties.ts'],
};

/**
 * `npm test` runs `unit`, whose tests start no process and no browser, and `smoke`, which has one test per command and
 * one story in a browser. `npm run test:all` adds `whole`, the rest of the tests with processes and browsers. `npm run bench` runs `bench`, which
 * measures CPU time.
 */
module.exports = {
  rootDir,
  workerIdleMemoryLimit: '800MB',
  maxWorkers: 3,
  // A busy machine makes tests slow, and never red. Everything that a test waits for ends before (test/support/deadline.ts).
  testTimeout: 900_000,
  // A worker of a busy machine needs longer than jest's half a second to end.
  workerGracefulExitTimeout: 60_000,
  coverageProvider: 'v8',
  coverageReporters: ['text-summary'],
  coverageDirectory: '<rootDir>/node_modules/.cache/coverage',
  collectCoverageFrom: ['<rootDir>/{src,triggers,creates,searches,lab/zapier,lab/playground/service}/**/*.ts'],
  // What the tests of the first project reach. These figures only go up.
  coverageThreshold: {
    global: { statements: 99.6, branches: 96.8, functions: 99, lines: 99.6 },
    './lab/zapier/': { statements: 96, branches: 88, functions: 90, lines: 96 },
    './lab/playground/service/': { statements: 92, branches: 82, functions: 87, lines: 92 },
  },
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['<rootDir>/{test,lab,scripts}/**/*.test.ts'],
      testPathIgnorePatterns: ['\\.(smoke|process|browser)\\.test\\.ts$'],
      setupFiles: [
        ...shared.setupFiles,
        ...['no-processes.ts', 'core.ts'].map((file) => `<rootDir>/test/support/${file}`),
      ],
    },
    { ...shared, displayName: 'smoke', testMatch: ['<rootDir>/{test,lab,scripts}/**/*.smoke.test.ts'] },
    { ...shared, displayName: 'bench', testMatch: ['<rootDir>/{test,lab,scripts}/**/*.bench.ts'] },
    { ...shared, displayName: 'whole', testMatch: ['<rootDir>/{test,lab,scripts}/**/*.{process,browser}.test.ts'] },
  ],
};

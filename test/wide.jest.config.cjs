// Every test, with properties in their full width (test/support/width.ts).
process.env.TEST_WIDE = 'on';
process.env.TEST_SEED ??= String(Math.floor(Date.now() / 86_400_000));
process.stderr.write(`TEST_SEED=${process.env.TEST_SEED}\n`);

module.exports = require('./jest.config.cjs');

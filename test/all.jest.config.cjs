// Every test that is otherwise drawn by day, and every property in its full width (test/support/share.ts).
process.env.TEST_SHARE = 'all';

module.exports = require('./jest.config.cjs');

const { TestEnvironment } = require('jest-environment-node');

// The first test that stops a mutant is enough, and the others may take minutes with it.
module.exports = class extends TestEnvironment {
  hasFailed = false;

  handleTestEvent({ name, test }) {
    if (name === 'test_done' && test.errors.length > 0) this.hasFailed = true;
    if (name === 'test_start' && this.hasFailed) test.mode = 'skip';
  }
};

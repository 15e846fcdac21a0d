const { projects, ...rest } = require('./wide.jest.config.cjs');

const [unit] = projects;

// The project whose tests start no process, because another process would run the code without its mutants.
module.exports = {
  ...rest,
  ...unit,
  maxWorkers: 1,
};

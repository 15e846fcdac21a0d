// Compiles one file of the app with the mutant of this process, so that no file is edited or copied.
const { join } = require('node:path');
const { createTransformer } = require('@swc/jest');

const { file, before, after } = JSON.parse(process.env.MUTANT);
const mutated = join(__dirname, '../..', file);

exports.createTransformer = (options) => {
  const swc = createTransformer(options);
  const change = (text, path) => (path === mutated ? text.replace(before, () => after) : text);
  return {
    ...swc,
    process: (text, path, ...rest) => swc.process(change(text, path), path, ...rest),
    // The key of a changed file depends on its text.
    getCacheKey: (text, path, ...rest) => swc.getCacheKey(change(text, path), path, ...rest),
  };
};

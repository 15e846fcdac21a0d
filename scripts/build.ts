/**
 * Bundles the app into `dist`, or into the folder that is named: what every run needs, and in a file of its own, which
 * a run loads when it meets a number, the phone number library. What ships is small because each kilobyte is read and
 * compiled at every cold start: esbuild leaves out what nothing uses, swc then writes the rest shorter.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { minifySync } from '@swc/core';
import { buildSync } from 'esbuild';

const project = resolve(__dirname, '..');
const [outdir = join(project, 'dist')] = process.argv.slice(2);

const { outputFiles } = buildSync({
  absWorkingDir: project,
  entryPoints: ['src/index.ts', 'src/formats/phone-library.ts'],
  outdir,
  write: false,
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node22',
  // Core is the one package that ships; it brings what it needs.
  external: ['zapier-platform-core', './phone-library'],
  // The library's modern form, which is a fifth smaller.
  alias: { 'libphonenumber-js/core': 'libphonenumber-js/core/es6' },
  supported: {
    // `import()` becomes a `require` at the same place, which is quicker.
    'dynamic-import': false,
    // Node reads through a function before its first call, but parses an arrow function whole, and then again.
    arrow: false,
  },
  // Each file is what it exports: core takes the app as it is.
  footer: { js: 'module.exports = module.exports.default;' },
  logLevel: 'warning',
});

mkdirSync(outdir, { recursive: true });
for (const { path, text } of outputFiles) {
  const { code } = minifySync(text, {
    compress: { passes: 3, toplevel: true },
    mangle: { toplevel: true },
    // One character beyond ASCII makes Node keep the whole file at two bytes a character.
    format: { asciiOnly: true },
  });
  writeFileSync(path, code);
}

/** `npm run build` bundles the app into `dist/index.js`; `-- <folder>` bundles it into that folder instead. */
import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';

const project = resolve(__dirname, '..');
const [outdir = join(project, 'dist')] = process.argv.slice(2);

buildSync({
  absWorkingDir: project,
  entryPoints: ['src/index.ts'],
  outdir,
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node22',
  // Zapier installs core next to the bundle.
  external: ['zapier-platform-core'],
  // Core expects the app itself, not a module with a default export.
  footer: { js: 'module.exports = module.exports.default;' },
  logLevel: 'warning',
});

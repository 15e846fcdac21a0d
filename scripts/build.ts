/**
 * `npm run build` bundles the app into `dist/index.js`, and the reading of phone numbers into `dist/phone-reading.js`, with the licenses
 * of what they include in `licenses.txt`.
 * `-- <folder>` bundles it into that folder instead.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { project } from '../lab/cli/environment';

const [outdir = join(project, 'dist')] = process.argv.slice(2);

/** Returns the license of a package. Throws when it has none, because nobody may then distribute it. */
const licenseOf = (name: string): string => {
  const folder = join(project, 'node_modules', name);
  const file = readdirSync(folder).find((each) => /^licen[sc]e(\.\w+)?$/i.test(each));
  if (!file) throw new Error(`The bundle includes ${name}, which has no license.`);
  return `${name}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
};

const { metafile } = buildSync({
  absWorkingDir: project,
  entryPoints: ['src/index.ts', 'src/message/phone-reading.ts'],
  entryNames: '[name]',
  outdir,
  bundle: true,
  minify: true,
  metafile: true,
  platform: 'node',
  target: 'node22',
  // Zapier installs core next to the bundle, and a step requires the other bundle when it reads a phone number.
  external: ['zapier-platform-core', './phone-reading'],
  // As requires, which find a file without its ending.
  supported: { 'dynamic-import': false },
  // Core expects the app itself, not a module with a default export.
  footer: { js: 'module.exports = module.exports.default ?? module.exports;' },
  logLevel: 'warning',
});

const included = Object.keys(metafile.inputs).flatMap(
  (path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [],
);
writeFileSync(join(outdir, 'licenses.txt'), [...new Set(included)].sort().map(licenseOf).join('\n\n'));

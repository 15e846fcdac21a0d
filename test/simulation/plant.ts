/** Builds the app, as it is or with a planted bug, without a copy of the tree. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, buildSync, context, type Plugin } from 'esbuild';
import { project } from '../../lab/cli/environment';
import { type Planted, plantIn } from './planted';

const options = {
  absWorkingDir: project,
  entryPoints: ['src/index.ts'],
  bundle: true,
  platform: 'node',
  target: 'node22',
  external: ['zapier-platform-core'],
  footer: { js: 'module.exports = module.exports.default;' },
} satisfies BuildOptions;

/** Bundles the app as it is. Returns the text of the bundle. */
export const buildApp = (): string => buildSync({ ...options, write: false }).outputFiles[0]?.text ?? '';

/** Bundles the app once for each bug. Returns the texts of the bundles. */
export const buildPlanted = async <B extends Planted>(bugs: readonly B[]): Promise<[bug: B, bundle: string][]> => {
  let bug: B | undefined;
  const plugin: Plugin = {
    name: 'bug',
    setup: ({ onLoad }) =>
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        if (!bug || path !== join(project, bug.file)) return undefined;
        return { contents: plantIn(readFileSync(path, 'utf8'), bug), loader: 'ts' };
      }),
  };
  const builder = await context({ ...options, write: false, plugins: [plugin] });
  const bundles: [B, string][] = [];
  try {
    for (bug of bugs) {
      const { outputFiles = [] } = await builder.rebuild();
      bundles.push([bug, outputFiles[0]?.text ?? '']);
    }
  } finally {
    await builder.dispose();
  }
  return bundles;
};

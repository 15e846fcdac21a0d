/**
 * Makes `build/build.zip`, which is what Zapier runs, in a folder of its own that holds nothing else:
 * `zapier-platform build` in the project itself copies every development package first and ships their package.json.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { dependencies, main, name, version } from '../package.json';

const project = resolve(__dirname, '..');

/** The npm that runs a script puts the project's tools, Zapier's Node among them, on the PATH. */
const run = (folder: string, command: string, ...parts: string[]): void => {
  execFileSync(command, parts, { cwd: folder, stdio: 'pipe' });
};

const bundleApp = (stage: string): void => {
  // Where `index.js` of the project only points to `dist`, here it is the app: one file less to find at a cold start.
  run(project, 'npm', 'run', '--silent', '_zapier-build', '--', stage);
};

/**
 * Writes `build.zip` into the folder `output`: the app that `addApp` puts into a folder (this project's, unless another
 * is to be compared with it) and the one package that it needs. Throws with what a tool said when one fails.
 */
export const packageApp = (output: string, addApp = bundleApp): void => {
  const stage = mkdtempSync(join(tmpdir(), 'package-'));
  try {
    for (const file of ['package.json', 'package-lock.json', '.gitignore', '.npmrc', '.zapierapprc']) {
      cpSync(join(project, file), join(stage, file));
    }
    // Without the optional ones, which development installs for itself: core asks for none of them.
    run(stage, 'npm', 'ci', '--omit=dev', '--omit=optional', '--omit=peer', '--ignore-scripts');
    addApp(stage);
    writeFileSync(join(stage, 'package.json'), JSON.stringify({ name, version, main, dependencies }));
    run(stage, join(project, 'node_modules/.bin/zapier-platform'), 'build', '--skip-dep-install', '--skip-validation');
    mkdirSync(output, { recursive: true });
    cpSync(join(stage, 'build/build.zip'), join(output, 'build.zip'));
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
};

if (require.main === module) {
  const output = join(project, 'build');
  packageApp(output);
  // `zapier-platform upload` sends the source along, for `zapier-platform pull` and for Zapier's reviewers.
  run(project, 'git', 'archive', '--format=zip', `--output=${join(output, 'source.zip')}`, 'HEAD');
  console.log(`${join(output, 'build.zip')}: ${Math.round(statSync(join(output, 'build.zip')).size / 1024)} KB`);
}

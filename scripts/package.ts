/**
 * `npm run package` builds in a temporary folder, because `zapier-platform build` would copy every development package
 * into the zip.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import AdmZip from 'adm-zip';
import { type Command, parseFlags, runCommand } from '../lab/cli/command';
import { project } from '../lab/cli/environment';
import manifest from '../package.json';

const { name, version, dependencies } = manifest;

const run = (folder: string, command: string, ...parts: string[]): string =>
  execFileSync(command, parts, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });

const npm = (folder: string, ...parts: string[]): string =>
  // On Windows npm is a batch file, which only a shell can run.
  execFileSync('npm', parts, { cwd: folder, encoding: 'utf8', stdio: 'pipe', shell: process.platform === 'win32' });

const bundleApp = (stage: string): void => {
  run(project, process.execPath, '--import', 'tsx', 'scripts/build.ts', stage);
};

const loadZip = (zip: string, folder: string): void => {
  new AdmZip(zip).extractAllTo(folder);
  run(folder, process.execPath, '--eval', "require('./zapierwrapper.js'); require('./index.js');");
};

const buildZip = (stage: string): string => {
  const cli = join(project, 'node_modules/zapier-platform-cli/src/bin/run');
  const zip = join(stage, 'build/build.zip');
  try {
    run(stage, process.execPath, cli, 'build', '--skip-dep-install', '--skip-validation');
  } catch (error) {
    if (!existsSync(zip)) throw error;
    // The CLI ends by loading the finished zip, and stops that after 5 seconds. A busy machine can need longer.
    loadZip(zip, join(stage, 'unzipped'));
  }
  return zip;
};

/**
 * Writes `build.zip` into the folder `output`, with core and the files that `addApp` puts into a folder. Throws with the
 * output of the tool that failed.
 */
export const packageApp = (output: string, addApp = bundleApp): void => {
  const stage = mkdtempSync(join(tmpdir(), 'package-'));
  try {
    for (const file of ['package.json', 'package-lock.json', '.gitignore', '.npmrc', '.zapierapprc']) {
      cpSync(join(project, file), join(stage, file));
    }
    npm(stage, 'ci', '--prefer-offline', '--omit=dev', '--omit=optional', '--omit=peer', '--ignore-scripts');
    addApp(stage);
    writeFileSync(join(stage, 'package.json'), JSON.stringify({ name, version, main: manifest.main, dependencies }));
    const zip = buildZip(stage);
    mkdirSync(output, { recursive: true });
    cpSync(zip, join(output, 'build.zip'));
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
};

const command = {
  name: 'npm run package',
  summary:
    'Writes build/build.zip, which Zapier runs, and build/source.zip, which its reviewers read. To upload them, run: npx zapier-platform upload',
  options: {},
  examples: ['npm run package'],
} as const satisfies Command;

const main = async (args: string[]): Promise<void> => {
  parseFlags(command, args);
  const output = join(project, 'build');
  packageApp(output);
  // `zapier-platform upload` sends the source along.
  run(project, 'git', 'archive', '--format=zip', `--output=${join(output, 'source.zip')}`, 'HEAD');
  const changes = run(project, 'git', 'status', '--porcelain').trimEnd();
  if (changes) {
    console.warn(`source.zip holds the last commit, but build.zip also holds these uncommitted changes:\n${changes}`);
  }
  console.log(`${join(output, 'build.zip')}: ${Math.round(statSync(join(output, 'build.zip')).size / 1024)} KB`);
};

if (require.main === module) runCommand(command, main);

/** How much of the app a run executes: its files and functions, by V8's precise coverage of the app without a bundle. */
import { execFile } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { buildSync } from 'esbuild';
import * as z from 'zod/mini';
import { project } from '../../lab/cli/environment';

/** The files and functions of the app that one run executes, by their paths and names. */
export interface Executed {
  files: string[];
  functions: string[];
}

/** Transpiles each file of the app by itself into a folder, where it finds the packages of the project. */
const transpile = (folder: string): void => {
  const cwd = project;
  buildSync({
    absWorkingDir: project,
    entryPoints: globSync('{src,triggers,creates,searches}/**/*.ts', { cwd }),
    outdir: folder,
    outbase: project,
    format: 'cjs',
    // As requires, which find files without their endings.
    supported: { 'dynamic-import': false },
    platform: 'node',
    target: 'node22',
  });
  for (const file of ['package.json', ...globSync('src/**/*.json', { cwd })]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(project, file), join(folder, file));
  }
};

const printed = z.object({ files: z.array(z.string()), functions: z.array(z.string()) });

/** Runs each event in a fresh process, and returns what it executed after the app was loaded. */
export const measureExecuted = async (events: Readonly<Record<string, object>>): Promise<Record<string, Executed>> => {
  // Inside `node_modules`, so that the app finds its packages.
  const cache = join(project, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'executed-'));
  try {
    transpile(folder);
    const executed: Record<string, Executed> = {};
    for (const [name, event] of Object.entries(events)) {
      const work = join(folder, 'work.json');
      writeFileSync(work, JSON.stringify(event));
      const script = join(__dirname, 'executed.cjs');
      const { stdout } = await promisify(execFile)(process.execPath, [script, folder, work], { timeout: 60_000 });
      executed[name] = printed.parse(JSON.parse(stdout.trim().split('\n').at(-1) ?? ''));
    }
    return executed;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

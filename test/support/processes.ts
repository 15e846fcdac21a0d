import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { project } from '../../lab/cli/environment';

interface ProcessOptions {
  /** The working directory; the project when left out. */
  cwd?: string;
  /** Replaces the environment of this process. */
  env?: NodeJS.ProcessEnv;
  /** What the process reads from stdin. */
  input?: string;
}

const children = new Set<ChildProcess>();

afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

const preloaded = ['typescript.cjs', 'end-with-parent.cjs'].flatMap((file) => ['--require', join(__dirname, file)]);

/**
 * Starts Node with these arguments, such as a TypeScript file. The process is killed after 10 minutes, and
 * when the test file ends or crashes.
 */
export const startNode = (args: string[], { cwd = project, env = process.env, input = '' }: ProcessOptions = {}) => {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...preloaded, ...args], {
    cwd,
    // Jest asks its workers for colors when it runs on a terminal.
    env: { ...env, FORCE_COLOR: undefined, NO_COLOR: '1' },
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
    timeout: 600_000,
    killSignal: 'SIGKILL',
  });
  children.add(child);
  child.once('exit', () => children.delete(child));
  const { stdin, stdout, stderr } = child;
  if (!stdin || !stdout || !stderr) throw new Error('The process has no pipes.');
  stdin.end(input);
  return { child, stdout, stderr };
};

/** Runs Node until it ends. Returns what it printed, and its exit code. */
export const runNode = async (args: string[], options: ProcessOptions = {}) => {
  const { child, stdout, stderr } = startNode(args, options);
  const [out, err, [code]] = await Promise.all([text(stdout), text(stderr), once(child, 'exit')]);
  return { out, err, code: Number(code ?? -1) };
};

/**
 * Starts a server, and waits until it has printed this text. Returns what it printed until then, and a function that
 * returns its error output so far. Rejects with that when it ends before.
 */
export const startServer = async (args: string[], awaited: string, options: ProcessOptions = {}) => {
  const { child, stdout, stderr } = startNode(args, options);
  let printed = '';
  let errors = '';
  stderr.setEncoding('utf8').on('data', (piece: string) => {
    errors += piece;
  });
  for await (const piece of stdout.iterator({ destroyOnReturn: false })) {
    printed += piece;
    if (printed.includes(awaited)) break;
  }
  if (!printed.includes(awaited)) throw new Error(`It did not start: ${errors}`);
  stdout.resume();
  return { child, printed, errors: () => errors };
};

/** Ends a process by a signal. Resolves when it has closed its output. */
export const endProcess = async (child: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.kill(signal);
  await closed;
};

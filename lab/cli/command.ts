import { type ParseArgsOptionDescriptor, parseArgs, styleText } from 'node:util';
import { errorMessage, UsageError } from './errors';
import { printable, wrap } from './text';

interface Option extends Pick<ParseArgsOptionDescriptor, 'type'> {
  default?: string | boolean;
  /** The name of the value in the help, such as `PORT`. */
  value?: string;
  help: string;
}

type Options = Record<string, Option>;

/** A command that `npm run` starts. */
export interface Command<O extends Options = Options> {
  /** The command as people type it, such as `npm run sandbox`. */
  name: string;
  summary: string;
  options: O;
  /** Commands to copy. */
  examples: readonly string[];
}

const parse = <O extends Options>(args: string[], options: O) => parseArgs({ args, options }).values;

/** The value of each option by its name. */
export type Values<O extends Options> = ReturnType<typeof parse<O>>;

const helpOption = { help: { type: 'boolean', help: 'Shows this help.' } } as const satisfies Options;

const formatOption = ([name, { value, help, default: initial }]: [string, Option]): string => {
  const suffix = typeof initial === 'string' ? ` Default: ${initial}.` : '';
  return `  ${wrap(help + suffix, { label: `--${name}${value ? ` ${value}` : ''}`, indent: 2, column: 26 })}`;
};

/** Returns the help of a command: what it does, its options and examples. */
export const formatHelp = ({ name, summary, options, examples }: Command): string =>
  [
    wrap(summary),
    '',
    styleText('bold', 'Usage'),
    `  ${name}${Object.keys(options).length > 0 ? ' -- [options]' : ''}`,
    '',
    styleText('bold', 'Options'),
    ...Object.entries({ ...options, ...helpOption }).map(formatOption),
    '',
    styleText('bold', 'Examples'),
    ...examples.map((example) => `  ${example}`),
  ].join('\n');

/** Reads the options of a command. Throws `UsageError` for an unknown option or a missing value. */
export const parseFlags = <O extends Options>(command: Command<O>, args: string[]): Values<O> => {
  try {
    return parse(args, command.options);
  } catch (error) {
    const sentence = `${errorMessage(error).split(/[.\n]/)[0]}.`;
    // npm keeps an option that comes before the two dashes, and passes on only its value.
    const hint = sentence.startsWith('Unexpected argument') ? ' Put options after two dashes.' : '';
    throw new UsageError(sentence + hint);
  }
};

/** Reads the value of an option as a number. Throws `UsageError` unless it is from `min` to `max`. */
export const readNumberFlag = (option: string, text: string, { min, max }: { min: number; max: number }): number => {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (value >= min && value <= max) return value;
  throw new UsageError(`--${option} takes a number from ${min} to ${max}, not "${text}".`);
};

/** Reads the value of an option as a port. 0 picks a free port. Throws `UsageError`. */
export const readPortFlag = (option: string, text: string): number => {
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text);
  throw new UsageError(`--${option} takes a port from 0 to 65535, not "${text}".`);
};

const messageOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && error.code === 'EADDRINUSE' && 'port' in error
    ? `Port ${error.port} is in use. Choose another with --port, or 0 for a free one.`
    : errorMessage(error);

/** Prints why a command failed. Returns its exit code. */
const printError = (error: unknown, { name }: Command): number => {
  const lines = messageOf(error).split('\n').map(printable);
  console.error(styleText('red', lines.join('\n'), { stream: process.stderr }));
  if (!(error instanceof UsageError)) return 1;
  console.error(`For help, run: ${name} -- --help`);
  return 2;
};

const parentCheckMs = 500;

/** Calls back once the shell of `npm run` has ended. npm passes SIGTERM on to the shell, which doesn't pass it on. */
const onNpmEnded = (end: () => void): void => {
  if (process.env.npm_lifecycle_event === undefined) return;
  const { ppid } = process;
  const timer = setInterval(() => {
    if (process.ppid === ppid) return;
    clearInterval(timer);
    end();
  }, parentCheckMs);
  timer.unref();
};

/** Stops a server and exits with 0 when the process is told to end, such as by Ctrl-C, or when the npm that runs it is. */
export const stopOnSignal = (stop: () => Promise<void>): void => {
  const end = () => void stop().then(() => process.exit(0));
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, end);
  onNpmEnded(end);
};

/** Exits when nobody reads the output any longer, such as after `npm run demo | head`. */
const stopOnClosedOutput = (): void => {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
};

type Run = (args: string[]) => Promise<number | undefined> | Promise<void>;

/**
 * Runs a command with these arguments, or prints its help. Returns the exit code: what `run` returns, 0, 1 after an error,
 * or 2 after a `UsageError`.
 */
export const execute = async (command: Command, run: Run, args: string[]): Promise<number> => {
  try {
    if (!args.includes('--help')) return (await run(args)) ?? 0;
    console.log(formatHelp(command));
    return 0;
  } catch (error) {
    return printError(error, command);
  }
};

/** Calls a command with the arguments of this process, and sets its exit code. */
export const start = async (run: (args: string[]) => Promise<number>): Promise<void> => {
  stopOnClosedOutput();
  process.exitCode = await run(process.argv.slice(2));
};

/** Runs a command with the arguments of this process, and sets its exit code. */
export const runCommand = (command: Command, run: Run): Promise<void> => start((args) => execute(command, run, args));

/** `npm run sandbox`: runs the messaging service on this machine. */
import '../cli/sandboxed';
import { styleText } from 'node:util';
import { type Command, parseFlags, readNumberFlag, readPortFlag, runCommand, stopOnSignal } from '../cli/command';
import { removeEnv, saveEnv } from '../cli/env-file';
import { formatEnv } from '../cli/environment';
import { printable } from '../cli/text';
import type { Exchange } from './engine/exchange';
import { type Sandbox, startSandbox } from './sandbox';

const command = {
  name: 'npm run sandbox',
  summary:
    'Runs a messaging service on this machine, with the API of the real one and the data of a fictional parcel company. Prints what to put into .env, then each request and webhook delivery.',
  options: {
    port: { type: 'string', value: 'PORT', default: '4010', help: 'Listens on PORT; 0 picks a free one.' },
    env: {
      type: 'boolean',
      default: false,
      help: 'Writes the address and token to .env for the other commands, and removes the file at the end. Never changes a .env that you wrote.',
    },
    database: { type: 'string', value: 'FILE', help: 'Keeps all data in FILE. Default: in memory.' },
    seed: {
      type: 'string',
      value: 'NUMBER',
      default: '1',
      help: 'Generates the data from this seed; the same seed gives the same data.',
    },
    speed: { type: 'string', value: 'FACTOR', default: '1', help: 'Runs the clock FACTOR times as fast.' },
    'rate-limit': {
      type: 'string',
      value: 'REQUESTS',
      default: '600',
      help: 'Allows this many requests per minute and token.',
    },
  },
  examples: ['npm run sandbox -- --env', 'npm run sandbox -- --port 0 --speed 20 --database sandbox.sqlite'],
} as const satisfies Command;

const formatIntroduction = ({ url, tokens }: Sandbox, isSaved: boolean): string => `\
The messaging service is running at ${url}. Press Ctrl-C to stop it.

${styleText('bold', isSaved ? 'Saved in .env:' : 'Copy these lines into .env, or start again with npm run sandbox -- --env:')}

${formatEnv(url, tokens.advanced)}

This token is for the Advanced plan. Tokens for other plans:
  Growth (no webhooks)  ${tokens.growth}
  Starter (no API)      ${tokens.starter}

To write as a customer: curl ${url}/sandbox/messages -d '{"from": "+12025550123", "text": "Hello"}'
For more calls, see lab/sandbox/README.md.
`;

const statusColor = (status: number | null) => (status === null || status >= 400 ? 'red' : 'green');

const printExchange = ({ kind, method, target, status, ms }: Exchange): void => {
  const time = new Date().toTimeString().slice(0, 8);
  const shown = styleText(statusColor(status), `${status ?? 'none'}`.padStart(4));
  console.log(
    `${time}  ${kind.padEnd(8)}  ${method.padEnd(6)} ${shown} ${`${ms}`.padStart(5)} ms  ${printable(target)}`,
  );
};

/** Saves `.env` until the process exits. Stops the sandbox when it can't. */
const keepEnv = async ({ url, tokens, stop }: Sandbox): Promise<void> => {
  try {
    saveEnv(url, tokens.advanced);
  } catch (error) {
    await stop();
    throw error;
  }
  process.once('exit', () => {
    const problem = removeEnv(url, tokens.advanced);
    if (problem) console.error(problem);
  });
};

const main = async (args: string[]): Promise<void> => {
  const values = parseFlags(command, args);
  const sandbox = await startSandbox({
    port: readPortFlag('port', values.port),
    database: values.database,
    seed: readNumberFlag('seed', values.seed, { min: 0, max: 1_000_000_000 }),
    speed: readNumberFlag('speed', values.speed, { min: 0.01, max: 10_000 }),
    rateLimit: readNumberFlag('rate-limit', values['rate-limit'], { min: 1, max: 1_000_000 }),
    onExchange: printExchange,
  });
  if (values.env) await keepEnv(sandbox);
  stopOnSignal(sandbox.stop);
  console.log(formatIntroduction(sandbox, values.env));
};

runCommand(command, main);

/** `npm start`: the page in the browser. */
import '../cli/sandboxed';
import '../zapier/core/quiet-core';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Command, parseFlags, readPortFlag, runCommand, stopOnSignal } from '../cli/command';
import { startPlayground } from './playground';

const command = {
  name: 'npm start',
  summary:
    'Serves a page for your browser where you build Zaps, write as a customer and see every message. Needs no account and sends nothing to other machines.',
  options: {
    port: { type: 'string', value: 'PORT', default: '4020', help: 'Listens on PORT; 0 picks a free one.' },
    database: {
      type: 'string',
      value: 'FILE',
      default: join('.playground', 'playground.db'),
      help: 'Keeps messages, contacts, Zaps and runs in FILE, or nothing with :memory:.',
    },
  },
  examples: ['npm start', 'npm start -- --port 0'],
} as const satisfies Command;

const main = async (args: string[]): Promise<void> => {
  const values = parseFlags(command, args);
  if (values.database === command.options.database.default) mkdirSync(dirname(values.database), { recursive: true });
  const playground = await startPlayground({ port: readPortFlag('port', values.port), database: values.database });
  console.log(
    `The playground is running. Open this address in a browser, and press Ctrl-C here to stop it:\n\n  ${playground.url}\n`,
  );
  stopOnSignal(playground.stop);
};

runCommand(command, main);

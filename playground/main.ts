import './quiet-core';
import { parseArgs } from 'node:util';
import { type PlaygroundOptions, startPlayground } from './playground';

const readOptions = (): PlaygroundOptions => {
  const { values } = parseArgs({
    options: { port: { type: 'string', default: '4020' }, database: { type: 'string', default: ':memory:' } },
  });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new Error(`--port takes a number from 0 to 65535, not "${values.port}".`);
  }
  return { port, database: values.database };
};

const main = async (): Promise<void> => {
  const options = readOptions();
  const playground = await startPlayground(options).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRINUSE'
      ? new Error(`Port ${options.port} is in use. Choose another with --port, or 0 for a free one.`)
      : error;
  });
  console.log(`The playground is running. Press Ctrl-C to stop it.\n\n  ${playground.url}\n`);
  const end = () => playground.stop().then(() => process.exit(0));
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
};

main().catch(({ message }: Error) => {
  console.error(message);
  process.exitCode = 1;
});

import { parseArgs } from 'node:util';
import { type Sandbox, type SandboxOptions, startSandbox } from './sandbox';

const readOptions = (): SandboxOptions => {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '4010' },
      database: { type: 'string', default: ':memory:' },
      seed: { type: 'string', default: '1' },
      speed: { type: 'string', default: '1' },
      'rate-limit': { type: 'string', default: '600' },
    },
  });
  const number = (name: 'port' | 'seed' | 'speed' | 'rate-limit', min: number, max: number): number => {
    const value = Number(values[name]);
    if (value >= min && value <= max) return value;
    throw new Error(`--${name} takes a number from ${min} to ${max}, not "${values[name]}".`);
  };
  return {
    port: number('port', 0, 65_535),
    database: values.database,
    seed: number('seed', 0, 1_000_000_000),
    speed: number('speed', 0.01, 10_000),
    rateLimit: number('rate-limit', 1, 1_000_000),
  };
};

const formatIntroduction = ({
  url,
  tokens,
}: Sandbox): string => `The messaging service is running on this machine. Press Ctrl-C to stop it.

  API Base URL     ${url}
  Token, Advanced  ${tokens.advanced}
  Token, Growth    ${tokens.growth}   (no webhooks)
  Token, Starter   ${tokens.starter}   (no API)

  To write as a customer:  curl -X POST ${url}/sandbox/messages -d '{"from": "+12025550123", "text": "Hello"}'
  For more calls, see sandbox/README.md
`;

const main = async (): Promise<void> => {
  const options = readOptions();
  const sandbox = await startSandbox(options).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRINUSE'
      ? new Error(`Port ${options.port} is in use. Choose another with --port, or 0 for a free one.`)
      : error;
  });
  console.log(formatIntroduction(sandbox));
  const end = () => sandbox.stop().then(() => process.exit(0));
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
};

main().catch(({ message }: Error) => {
  console.error(message);
  process.exitCode = 1;
});

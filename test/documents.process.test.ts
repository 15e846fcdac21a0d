import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { project } from '../lab/cli/environment';
import { scripts } from '../package.json';
import { documents } from './support/documents';
import { runNode } from './support/processes';
import { Running } from './support/running';

const commands = documents.flatMap(({ path, commands }) =>
  commands.map(([program, ...args]) => ({ path, program, args, line: [program, ...args].join(' ') })),
);
const commandsOf = (...words: string[]) => commands.filter(({ line }) => line.startsWith(`${words.join(' ')} `));

test('documents run only scripts of the project, git, cp, cd, export, source, and what the tests below check', () => {
  const known = ['npm', 'npx', 'curl', 'source', 'export', 'git', 'cp', 'cd'];
  expect(commands.filter(({ program }) => !known.includes(program) && !existsSync(join(project, program)))).toEqual([]);
});

test('every npm command exists', () => {
  const builtIn = ['ci', 'cit', 'outdated', 'version', ...['test', 'start'].filter((name) => name in scripts)];
  const isUnknown = ({ args: [name = '', script = ''] }: { args: string[] }): boolean =>
    name === 'run' ? !(script in scripts) : !builtIn.includes(name);
  expect(commandsOf('npm').filter(isUnknown)).toEqual([]);
});

const options = new Map<string, string[]>();
for (const { args } of commandsOf('npm', 'run')) {
  const [, script = '', ...rest] = args;
  const flags = rest.flatMap((arg) => /^--?\w[^=]*/.exec(arg)?.[0] ?? []);
  if (flags.length > 0) options.set(script, [...(options.get(script) ?? []), ...flags]);
}

test.each([...options])('the help of `npm run %s` names every option that a document uses', async (script, flags) => {
  const [file = ''] = /\S+\.ts$/.exec(new Map(Object.entries(scripts)).get(script) ?? '') ?? [];
  const { out, code } = await runNode([file, '--help']);
  expect(code).toBe(0);
  expect(flags.filter((flag) => !out.includes(flag))).toEqual([]);
});

test('every tool that npx runs is installed, and its paths exist', () => {
  const bin = join(project, 'node_modules/.bin');
  const tools = commandsOf('npx').map(({ line, args }) => ({
    line,
    args: args.filter((arg) => arg !== '--no-install'),
  }));
  expect(tools.filter(({ args: [tool = ''] }) => !existsSync(join(bin, tool)))).toEqual([]);
  const paths = tools.flatMap(({ args }) => args.filter((arg) => arg.endsWith('.ts')));
  expect(paths.filter((path) => !existsSync(join(project, path)))).toEqual([]);
});

const parseZapierCommands = `
  const { text } = require('node:stream/consumers');
  const { Parser } = require(require.resolve('@oclif/core', { paths: [require.resolve('zapier-platform-cli')] }));
  const main = async () => {
    for (const { line, args } of JSON.parse(await text(process.stdin))) {
      const [name, ...rest] = args;
      const load = async () => require('zapier-platform-cli/src/oclif/commands/' + name.replaceAll(':', '/'));
      await load().then((command) => Parser.parse(rest, command)).catch((error) => console.log(line, error.message));
    }
  };
  main();`;

test("Zapier's tool knows each of its commands, with these arguments and options", async () => {
  const zapier = commandsOf('npx', 'zapier-platform').map(({ line, args: [, ...args] }) => ({ line, args }));
  const { out, code } = await runNode(['-e', parseZapierCommands], { input: JSON.stringify(zapier) });
  expect({ out, code }).toEqual({ out: '', code: 0 });
});

describe('with a sandbox', () => {
  const running = new Running();

  /** The id in the newest response, such as that of a webhook, which the next command may take. */
  let newest = '';

  const curlOptions = {
    data: { type: 'string', short: 'd' },
    json: { type: 'string' },
    header: { type: 'string', short: 'H' },
    request: { type: 'string', short: 'X' },
  } as const;

  test.each(commandsOf('curl'))('$line works', async ({ args }) => {
    const { values, positionals } = parseArgs({ args, options: curlOptions, allowPositionals: true });
    const [address = ''] = positionals;
    const { data = values.json ?? null, json, header } = values;
    const there = address.replace(/^(?:http:..127.0.0.1:4010|\$BASE_URL)/, running.url).replace('$ID', newest);
    const authorization = `Bearer ${running.sandbox.tokens.advanced}`;
    const response = await fetch(there, {
      method: values.request ?? (data ? 'POST' : 'GET'),
      headers: { ...(header === '$AUTH' && { authorization }), ...(json && { 'content-type': 'application/json' }) },
      body: data,
    });
    const text = await response.text();
    newest = /"id":"(\w+)"/.exec(text)?.[1] ?? newest;
    expect(response.ok || text).toBe(true);
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { json, text } from 'node:stream/consumers';
import AdmZip from 'adm-zip';
import * as z from 'zod/mini';
import { allowScripts, dependencies } from '../package.json';
import lock from '../package-lock.json';
import { packageApp } from '../scripts/package';
import app from '../src';
import { events } from '../src/api/events';
import { message } from '../src/api/resources';
import { deliveryOf, signed, subscribeData } from './deliveries';

const project = resolve(__dirname, '..');
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'unzipped-'));
  packageApp(folder);
  new AdmZip(join(folder, 'build.zip')).extractAllTo(join(folder, 'app'));
}, 180_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const handlerResponse = z.looseObject({ results: z.unknown() });

/** Calls the handler that Zapier calls, in a fresh process that can't see this project. Core logs to stdout as well. */
const runHandler = async (event: object): Promise<unknown> => {
  const script = `
    const { json } = require('node:stream/consumers');
    const { handler } = require('./app/zapierwrapper.js');
    json(process.stdin).then(handler)
      .catch((error) => ({ results: error.message }))
      .then((response) => console.log('\\n' + JSON.stringify(response)));`;
  const child = spawn(process.execPath, ['-e', script], {
    cwd: folder,
    env: { PATH: process.env.PATH },
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: 30_000,
  });
  child.stdin.end(JSON.stringify(event));
  const lines = (await text(child.stdout)).trim().split('\n');
  return handlerResponse.parse(JSON.parse(lines.at(-1) ?? '')).results;
};

/** The packages in a `node_modules` folder. Nested ones are `outer/inner`. */
const packagesIn = (modules: string): string[] => {
  if (!existsSync(modules)) return [];
  const names = readdirSync(modules).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(modules, name)).map((inner) => `${name}/${inner}`) : [name],
  );
  return names.flatMap((name) => [
    name,
    ...packagesIn(join(modules, name, 'node_modules')).map((inner) => `${name}/${inner}`),
  ]);
};

test('the zip holds the bundle, core, and nothing from development', () => {
  expect(readdirSync(join(folder, 'app')).sort()).toEqual([
    'definition.json',
    'index.js',
    'node_modules',
    'package.json',
    'zapierwrapper.js',
  ]);
  expect(Object.keys(dependencies)).toEqual(['zapier-platform-core']);
});

const packages = Object.entries(lock.packages).filter(([path]) => path !== '');

const withScripts = new Set(
  packages.filter(([, entry]) => 'hasInstallScript' in entry).map(([path]) => path.replace(/^.*node_modules\//, '')),
);

test('every package in the lockfile has an integrity hash', () => {
  expect(packages.filter(([, entry]) => !('integrity' in entry)).map(([path]) => path)).toEqual([]);
});

test('every install script is allowed or denied', () => {
  expect(Object.keys(allowScripts).sort()).toEqual([...withScripts].sort());
});

test('the zip holds the packages that SECURITY.md lists, and none with an install script', () => {
  const shipped = packagesIn(join(folder, 'app/node_modules'));
  const [, listed = ''] = /^```\n([^`]+)```/m.exec(readFileSync(join(project, 'SECURITY.md'), 'utf8')) ?? [];
  expect(shipped.sort()).toEqual(listed.split(/\s+/).filter(Boolean).sort());
  expect(shipped.filter((name) => withScripts.has(name))).toEqual([]);
});

test('the zip gives Zapier the same definition as the source', async () => {
  const maskFunction = (_: string, value: unknown) =>
    typeof value === 'function' || (typeof value === 'string' && value.startsWith('$func$')) ? 'a function' : value;
  const toPlain = (definition: unknown): unknown => JSON.parse(JSON.stringify(definition, maskFunction));
  expect(toPlain(await runHandler({ command: 'definition' }))).toEqual(toPlain(app));
});

test.each([
  ['starts a Zap with a signed payload', subscribeData.secret, [events['message.received'].sample]],
  ['refuses a forged payload', 'whsec_c29tZWJvZHkgZWxzZQ==', expect.stringMatching(/^A delivery was refused/)],
])('the zip %s', async (_, secret, results) => {
  const bundle = { subscribeData, authData: {}, inputData: {}, meta: {} };
  const request = signed(deliveryOf('message.received'), { secret });
  const method = 'triggers.message_received.operation.perform';
  expect(await runHandler({ command: 'execute', method, bundle: { ...bundle, ...request } })).toEqual(results);
});

describe('with a messaging service', () => {
  let service: Server;
  let sent: unknown[];

  beforeAll(async () => {
    sent = [];
    service = createServer(async (request, response) => {
      sent.push(await json(request));
      response.writeHead(202, { 'content-type': 'application/json' }).end(JSON.stringify(message.sample));
    }).listen(0, '127.0.0.1');
    await once(service, 'listening');
  });

  afterAll(() => {
    service.close();
    service.closeAllConnections();
  });

  test('the zip sends a message to a local phone number', async () => {
    const { port } = z.object({ port: z.number() }).parse(service.address());
    const authData = { base_url: `http://127.0.0.1:${port}`, api_token: 'tok' };
    const inputData = { channel: 'whatsapp', template: 'hello', to: '06 12345678', default_country: 'NL' };
    const bundle = { authData, inputData, meta: { inputFields: {} } };
    const method = 'creates.send_message.operation.perform';
    expect(await runHandler({ command: 'execute', method, bundle })).toMatchObject({ id: message.sample.id });
    expect(sent).toMatchObject([{ to: '+31612345678' }]);
  });
});

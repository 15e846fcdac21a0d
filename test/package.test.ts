import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import AdmZip from 'adm-zip';
import examples from 'libphonenumber-js/examples.mobile.json';
import { getCountries, getExampleNumber } from 'libphonenumber-js/min';
import { dependencies, version } from '../package.json';
import lock from '../package-lock.json';
import { packageApp } from '../scripts/package';
import app from '../src';
import { events } from '../src/api/events';
import { deliveryOf, signed, subscribeData } from './deliveries';

const project = resolve(__dirname, '..');
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'unzipped-'));
  packageApp(folder);
  new AdmZip(join(folder, 'build.zip')).extractAllTo(join(folder, 'app'));
}, 120_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Calls the handler that Zapier calls, in a process of its own that sees nothing of this project. */
const handle = (event: object): { results: unknown } => {
  const script = `
    let event = '';
    process.stdin.on('data', (part) => (event += part)).on('end', async () => {
      const { handler } = require(${JSON.stringify(join(folder, 'app/zapierwrapper.js'))});
      const answer = await handler(JSON.parse(event)).catch((error) => ({ results: error.message }));
      console.log(JSON.stringify(answer));
    });`;
  const answer = execFileSync(process.execPath, ['-e', script], {
    cwd: folder,
    env: { PATH: process.env.PATH },
    input: JSON.stringify(event),
  });
  // Core prints lines of its own before.
  return JSON.parse(answer.toString().trim().split('\n').at(-1) ?? '');
};

test('the zip holds the app, its one dependency, and nothing of development', () => {
  expect(readdirSync(join(folder, 'app')).sort()).toEqual([
    'definition.json',
    'index.js',
    'node_modules',
    'package.json',
    'phone-library.js',
    'zapierwrapper.js',
  ]);
  expect(Object.keys(dependencies)).toEqual(['zapier-platform-core']);
  for (const name of ['zapier-platform-cli', 'jest', 'nock', 'hono', 'esbuild', 'typescript', 'node', 'zod']) {
    expect(existsSync(join(folder, 'app/node_modules', name))).toBe(false);
  }
});

test('what Zapier reads of the app in the zip is the whole of it', () => {
  const named = (_: string, value: unknown) =>
    typeof value === 'function' || (typeof value === 'string' && value.startsWith('$func$')) ? 'a function' : value;
  const read = (definition: unknown): unknown => JSON.parse(JSON.stringify(definition, named));
  expect(read(handle({ command: 'definition' }).results)).toEqual(read(app));
});

const bundleOf = (name: string): string => readFileSync(join(folder, 'app', name), 'latin1');

test("the bundle looks Zapier's core up once, since Node goes to the disk for each time", () => {
  expect(bundleOf('index.js').match(/require\("zapier-platform-core"\)/g)).toHaveLength(1);
});

test.each(['index.js', 'phone-library.js'])(
  '%s is plain ASCII: with one other letter Node keeps all of it at twice the size',
  (name) => {
    expect(bundleOf(name).match(/[^\0-\x7f].{0,20}/)).toBeNull();
  },
);

test.each(['index.js', 'phone-library.js'])(
  '%s has no arrow functions, which Node parses once more than others',
  (name) => {
    expect(bundleOf(name)).not.toContain('=>');
  },
);

/** The packages below a folder, those inside others as `outer/inner`. */
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

test('the zip ships the packages that SECURITY.md announces, and none with an install script', () => {
  const shipped = packagesIn(join(folder, 'app/node_modules'));
  const [, announced = ''] = /^```\n([^`]+)```/m.exec(readFileSync(join(project, 'SECURITY.md'), 'utf8')) ?? [];
  expect(shipped.sort()).toEqual(announced.split(/\s+/).filter(Boolean).sort());
  const withScripts = Object.entries(lock.packages)
    .filter(([, entry]) => 'hasInstallScript' in entry)
    .map(([path]) => path.replace(/^.*node_modules\//, ''));
  expect(withScripts).toContain('esbuild');
  expect(shipped.filter((name) => withScripts.includes(name))).toEqual([]);
});

test('the app in the zip tells Zapier its definition', () => {
  expect(handle({ command: 'definition' }).results).toMatchObject({
    version,
    platformVersion: dependencies['zapier-platform-core'],
    triggers: { message_received: { key: 'message_received' } },
    creates: { send_message: { key: 'send_message' } },
  });
});

const receive = (request: object) =>
  handle({
    command: 'execute',
    method: 'triggers.message_received.operation.perform',
    bundle: { subscribeData, authData: {}, inputData: {}, meta: {}, ...request },
  }).results;

test('the app in the zip starts a Zap with a genuine delivery', () => {
  expect(receive(signed(deliveryOf('message.received')))).toEqual([events['message.received'].sample]);
});

test('the app in the zip refuses a forged delivery', () => {
  expect(receive(signed(deliveryOf('message.received'), { secret: 'whsec_c29tZWJvZHkgZWxzZQ==' }))).toMatch(
    /^A delivery was refused/,
  );
});

test('the app in the zip refuses a number that is none, with the phone number library that it carries', () => {
  const authData = { base_url: 'https://api.example.com', api_token: 'tok' };
  const inputData = { channel: 'whatsapp', template: 'hello', to: '0612345', default_country: 'NL' };
  const bundle = { authData, inputData, meta: {} };
  expect(handle({ command: 'execute', method: 'creates.send_message.operation.perform', bundle }).results).toMatch(
    /^Phone Number: "0612345" is not a complete phone number/,
  );
});

test('the phone number library in the zip reads a number of every country as the whole library does', () => {
  const parse: typeof import('../src/formats/phone-library').default = require(join(folder, 'app/phone-library.js'));
  for (const country of getCountries()) {
    const example = getExampleNumber(country, examples);
    const read = parse(example?.formatNational() ?? '', country);
    expect([country, read?.number, read?.isValid()]).toEqual([country, example?.number, true]);
  }
});

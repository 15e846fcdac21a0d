/** Tests build/build.zip, which `npm run package` writes. Not part of `npm test`: `.ci/run` runs both. */

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import AdmZip from 'adm-zip';
import * as z from 'zod/mini';
import { project } from '../lab/cli/environment';
import { type LocalServer, listen } from '../lab/zapier/listen';
import lock from '../package-lock.json';
import app from '../src';
import { events } from '../src/api/events';
import { message } from '../src/api/resources';
import { deliveryOf, signed, subscribeData } from './support/deliveries';
import { runNode } from './support/processes';
import { triggered } from './support/triggered';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'unzipped-'));
  new AdmZip(join(project, 'build/build.zip')).extractAllTo(join(folder, 'app'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const handlerResults = z.array(z.object({ results: z.unknown() }));

/**
 * Calls the handler that Zapier calls once for each event, in a process that can't see this project. Returns the results
 * or error messages. Core logs to stdout as well.
 */
const runHandler = async (...events: object[]): Promise<unknown[]> => {
  const script = `
    const { json } = require('node:stream/consumers');
    const { handler } = require('./app/zapierwrapper.js');
    const run = (event) => handler(event).catch((error) => ({ results: error.message }));
    const runAll = async () => {
      const responses = [];
      for (const event of await json(process.stdin)) responses.push({ results: (await run(event)).results });
      console.log('\\n' + JSON.stringify(responses));
    };
    runAll();`;
  const env = { PATH: process.env.PATH };
  const { out } = await runNode(['-e', script], { cwd: folder, env, input: JSON.stringify(events) });
  return handlerResults.parse(JSON.parse(out.trim().split('\n').at(-1) ?? '')).map(({ results }) => results);
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
    'licenses.txt',
    'node_modules',
    'package.json',
    'phone-reading.js',
    'zapierwrapper.js',
  ]);
});

test('the zip holds the licenses of the packages in the bundle', () => {
  const licenses = readFileSync(join(folder, 'app/licenses.txt'), 'utf8');
  for (const name of ['libphonenumber-js', 'zod']) {
    const license = readFileSync(join(project, 'node_modules', name, 'LICENSE'), 'utf8').trim();
    expect(licenses).toContain(`${name}\n\n${license}`);
  }
});

test('the zip holds what core needs by the lockfile and nothing else, and no install script', () => {
  const shipped = packagesIn(join(folder, 'app/node_modules'));
  const locked = Object.entries(lock.packages).map(([path, entry]) => ({
    name: path.replaceAll('node_modules/', ''),
    isShipped: path !== '' && !['dev', 'optional', 'devOptional', 'peer'].some((kind) => kind in entry),
    hasScript: 'hasInstallScript' in entry,
  }));
  const needed = locked.flatMap(({ name, isShipped }) => (isShipped ? name : []));
  expect(needed.length).toBeGreaterThan(50);
  expect(shipped.sort()).toEqual(needed.sort());
  const withScripts = locked.flatMap(({ name, hasScript }) => (hasScript ? name : []));
  expect(shipped.filter((name) => withScripts.includes(name))).toEqual([]);
});

describe('the packaged app', () => {
  let service: LocalServer;
  let sent: unknown[];

  beforeAll(async () => {
    sent = [];
    // A send reads its template first.
    const parcel = { name: 'parcel_out_for_delivery', channel: 'whatsapp', status: 'approved' };
    service = await listen(async (request, response) => {
      const isSend = request.method === 'POST';
      const bodies = isSend ? [await json(request)] : [];
      sent.push(...bodies);
      const found = isSend ? message.sample : { data: [parcel], next_cursor: null };
      response.writeHead(isSend ? 202 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(found));
    });
  });

  afterAll(() => service.stop());

  const maskFunction = (_: string, value: unknown) =>
    typeof value === 'function' || (typeof value === 'string' && value.startsWith('$func$')) ? 'a function' : value;
  const toPlain = (definition: unknown): unknown => JSON.parse(JSON.stringify(definition, maskFunction));

  test('has the same definition as the source, verifies payloads and sends a message', async () => {
    const authData = { base_url: service.url, api_token: 'tok_zip_1', default_country: 'US' };
    const receive = (secret: string) => ({
      command: 'execute',
      method: 'triggers.message_received.operation.perform',
      bundle: {
        subscribeData,
        authData: {},
        inputData: {},
        meta: {},
        ...signed(deliveryOf('message.received'), { secret }),
      },
    });
    const inputData = { channel: 'whatsapp', template: 'parcel_out_for_delivery', to: '(202) 555-0123' };
    const send = {
      command: 'execute',
      method: 'creates.send_message.operation.perform',
      bundle: { authData, inputData, meta: { inputFields: {} } },
    };
    const [definition, genuine, forged, message] = await runHandler(
      { command: 'definition' },
      receive(subscribeData.secret),
      receive('whsec_c29tZWJvZHkgZWxzZQ=='),
      send,
    );
    expect(toPlain(definition)).toEqual(toPlain(app));
    expect(genuine).toEqual([triggered(events['message.received'].sample)]);
    expect(forged).toMatch(/^This Zap received something that may not come from/);
    expect(message).toMatchObject({ id: expect.any(String) });
    expect(sent).toMatchObject([{ to: '+12025550123' }]);
  });
});

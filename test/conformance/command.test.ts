import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { project } from '../../cli/environment';
import { UsageError } from '../../cli/errors';
import { readOptions } from '../../conformance/options';
import { checkService } from '../../conformance/run';
import { endpoints } from '../../src/api/endpoints';
import { checkCopy } from '../api/adapting/copy';
import { receivedCalls } from '../support/received';
import { newNumber, Running } from '../support/running';
import { withFaultyProxy } from './faulty-proxy';
import { pathOnWire } from './names';
import { withServer } from './server';

const running = new Running({ isSmall: true });
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'conformance-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the command in this process, with the token of the sandbox unless another one is given. */
const run = (args: string[], API_TOKEN = running.sandbox.tokens.advanced) =>
  checkCopy(project, args, { BASE_URL: running.url, API_TOKEN });

test('exits with 1 when something differs, and shows neither the token nor a stack', async () => {
  const { out, err, code } = await withServer(
    (_request, response) => response.setHeader('content-type', 'application/json').end('{"rows":[]}'),
    (url) => run(['--base-url', url, '--record', join(folder, 'differing')]),
  );
  const field = pathOnWire(endpoints.listContacts.response, 'data');
  expect(out).toContain(
    `✗ \`data\` in \`list\`, src/api/endpoints.ts\n    \`${field}\` is missing; there is \`rows\`\n      listMessages; listChannels; listTemplates; and 4 more\n`,
  );
  expect(out).toMatch(
    /\nSkipped, and not counted in the exit status: .*, \d+ checks \(add --write\), 2 checks \(add --campaign/,
  );
  expect(out + err).not.toMatch(new RegExp(`${running.sandbox.tokens.advanced}|\\n +at `));
  expect(code).toBe(1);
});

test('says that no edit is certain when there is none to make', async () => {
  // No edit changes a status.
  const { out, code } = await withFaultyProxy(running.url, { statuses: { 404: 400 } }, (url) =>
    run(['--base-url', url, '--fix', '--record', join(folder, 'uncertain')]),
  );
  expect(out).toMatch(/\n\nNo edit is safe for the rest, so edit the places above by hand\.\n$/);
  expect(code).toBe(1);
});

test('exits with 2 when the service refuses the token, which it does not show', async () => {
  const { out, err, code } = await run([], 'tok_unknown');
  expect(err).toMatch(/^The service rejects API_TOKEN with status 401: .+\n$/);
  expect(out + err).not.toContain('tok_unknown');
  expect(code).toBe(2);
});

test('names a port that is taken', async () => {
  const { port } = new URL(running.url);
  const options = readOptions(['--write', '--port', port], { BASE_URL: running.url, API_TOKEN: 'tok_0001' });
  await expect(checkService(options)).rejects.toThrow(
    new UsageError(`--port: ${port} can't be opened. Choose another one.`),
  );
});

describe('with --write and --to, when everything passes', () => {
  const number = newNumber();
  const sent = z.looseObject({ to: z.string() });
  const saved = (file: string): string => readFileSync(join(folder, 'writing', file), 'utf8');

  let finished: Awaited<ReturnType<typeof run>>;

  beforeAll(async () => {
    mkdirSync(join(folder, 'writing/refusals'), { recursive: true });
    const earlier = JSON.stringify({ endpoint: 'getContact', status: 418, headers: {} });
    writeFileSync(join(folder, 'writing/refusals/getContact-418.json'), earlier);
    writeFileSync(join(folder, 'writing/notes.json'), '{}');
    finished = await run(['--write', '--to', number, '--record', join(folder, 'writing')]);
  });

  test('prints each row and the summary, shows no progress outside a terminal, and exits with 0', () => {
    const { out, err, code } = finished;
    expect(out).toMatch(
      /^Checking http:\S+ with the API_TOKEN from the environment\. This creates and removes records\.\n(. .+\n)*✓ listMessages +200; records: \d+\n/,
    );
    expect(out).toMatch(
      /\nSkipped, and not counted in the exit status: 2 checks \([^)]+\), the rate limit \(add --rate-limit\)\n/,
    );
    expect(out).toMatch(/\n\d{2} passed, 0 differ, 0 couldn't be checked, 3 skipped\./);
    expect(err).toBe('');
    expect(code).toBe(0);
  });

  test('sends one message, to the number', async () => {
    const sends = (await receivedCalls(running.sandbox)).filter(({ call }) => call === 'sendMessage');
    expect(new Set(sends.map(({ body }) => sent.parse(body).to))).toEqual(new Set([number]));
    const { data } = await running.read('listMessages', { query: { direction: 'outbound' } });
    expect(data.filter(({ to }) => to === number)).toHaveLength(1);
  });

  test('leaves no contact and no webhook behind', async () => {
    expect(await running.read('listContacts', { query: { tag: 'conformance-check' } })).toMatchObject({ data: [] });
    expect(await running.read('listWebhooks')).toMatchObject({ data: [] });
  });

  test('replaces earlier recordings and leaves other files alone', () => {
    expect(readdirSync(join(folder, 'writing/refusals'))).not.toContain('getContact-418.json');
    expect(saved('notes.json')).toBe('{}');
  });

  test('saves each kind of response, refusal and delivery without personal data and secrets', async () => {
    const files = readdirSync(join(folder, 'writing'), { recursive: true, encoding: 'utf8' });
    const recordings = files.filter((file) => file.endsWith('.json'));
    expect(recordings).toEqual(
      expect.arrayContaining([
        join('responses', 'listContacts.json'),
        join('deliveries', 'message.sent.json'),
        join('refusals', 'getContact-404.json'),
      ]),
    );
    const all = recordings.map(saved).join('\n');
    const { data } = await running.read('listContacts', { query: { limit: 100 } });
    const personal = data.flatMap(({ id, phone, email, first_name, last_name }) =>
      [id, phone, email, first_name, last_name].filter((text) => text && text.length > 3),
    );
    expect(personal.length).toBeGreaterThan(50);
    for (const text of [...personal, number, running.sandbox.tokens.advanced, 'Quayside', 'whsec_']) {
      expect(all).not.toContain(text);
    }
  });
});

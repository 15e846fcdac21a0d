/** What every step returns from the sandbox: as Zapier's checks want it, and without secrets. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { createAppTester, type ZObject } from 'zapier-platform-core';
import * as z from 'zod/mini';
import { project } from '../cli/environment';
import { specialNumbers } from '../sandbox/domain/phone-numbers';
import { currentApp, expandForms } from '../scripts/docs/definition';
import { drawLogo } from '../scripts/logo';
import app from '../src';
import { type Endpoint, endpoints } from '../src/api/endpoints';
import { contact } from '../src/api/resources';
import { brand } from '../src/brand';
import { call } from '../src/http/client';
import { plainFields, visibleStepsOf } from '../zapier/core/app-definition';
import { type Recording, recordEveryStep } from './end-to-end/recordings';
import { copyRules } from './support/copy-rules';
import { brokenPromises, checks, unclearMoments } from './support/integration-checks';
import { newNumber, parcelMessage, Running } from './support/running';
import { definition, runStep, startZapier, type Zapier } from './support/zapier';

describe('publishing', () => {
  const docs = join(project, 'docs');

  test.each(checks)('$id: $says, also in fields that depend on a choice', async ({ find }) => {
    expect([...find(currentApp), ...find(await expandForms())]).toEqual([]);
  });

  test.each(copyRules)('$says, also in fields that depend on a choice', async ({ find }) => {
    expect([...find(currentApp), ...find(await expandForms())]).toEqual([]);
  });

  const addressFields = currentApp.authentication.fields.filter(({ key }) => /url|domain|host/.test(key));

  test.each([
    'http://service.test',
    'https://me:secret@service.test',
    'https://service.test/?to=elsewhere',
    'https://service.test#elsewhere',
    'https://metadata.internal',
    'javascript:alert(1)',
  ])('D026: refuses %s as the API Base URL', async (address) => {
    expect(addressFields.map(({ key }) => key)).toEqual(['base_url']);
    const authData = { base_url: address, api_token: 'tok_publishing', ai_agents: 'everything' };
    await expect(runStep('authentication.test', { authData })).rejects.toThrow('API Base URL: ');
  });

  test('M002: the description is one sentence of 40 to 140 characters that names the service', () => {
    const { name, description } = brand;
    expect(description).toMatch(/^.{39,139}\.$/);
    expect(description.startsWith(`${name} is a`)).toBe(true);
    expect(description).not.toMatch(/zapier|sync/i);
  });

  const logo = readFileSync(join(docs, 'logo.png'));

  const readPixels = (picture: Uint8Array): Promise<Buffer> => sharp(picture).raw().toBuffer();

  test('M004: the logo is a square RGBA PNG of 512 pixels with transparent corners', async () => {
    const { format, width, height, channels } = await sharp(logo).metadata();
    expect({ format, width, height, channels }).toEqual({ format: 'png', width: 512, height: 512, channels: 4 });
    const pixels = await readPixels(logo);
    const corners = [0, width - 1, width * (height - 1), width * height - 1];
    expect(corners.map((pixel) => pixels[pixel * 4 + 3])).toEqual([0, 0, 0, 0]);
  });

  test('M004: the logo is rendered from docs/logo.svg, which has no text', async () => {
    expect((await readPixels(logo)).equals(await readPixels(await drawLogo()))).toBe(true);
    expect(readFileSync(join(docs, 'logo.svg'), 'utf8')).not.toMatch(/<(text|image|foreignObject)/);
  });

  /** Lists the paths that a later step can map. */
  const keysOf = (value: unknown, place = ''): string[] => {
    if (Array.isArray(value)) return keysOf(value[0], place);
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([key, inner]) => [place + key, ...keysOf(inner, `${place}${key}.`)]);
  };

  describe('with the results of every step', () => {
    const running = new Running();
    let zapier: Zapier;
    let recordings: Recording[];

    beforeAll(async () => {
      zapier = await startZapier({
        authData: { base_url: running.url, api_token: running.sandbox.tokens.advanced, ai_agents: 'everything' },
      });
      recordings = await recordEveryStep(running, zapier);
    });

    afterAll(() => zapier.stop());

    const visible = visibleStepsOf(currentApp);
    const triggers = visible.filter(({ kind }) => kind === 'triggers');
    const polled = triggers.filter(({ step }) => step.operation.type === 'polling');
    const instant = triggers.filter(({ step }) => step.operation.type === 'hook');

    const recordingOf = (place: string): Recording => {
      const found = recordings.find((recording) => recording.place === place);
      if (!found)
        throw new Error(`Say in \`listCauses\` of test/runs.ts what starts ${place}, or add a run of it there.`);
      return found;
    };

    test.each(polled)('T002: every result of $place has a unique id', ({ place }) => {
      const ids = recordingOf(place).live.map(({ id }) => id);
      expect(ids.length).toBeGreaterThan(1);
      expect(ids.every(Boolean)).toBe(true);
      expect(new Set(ids).size).toBe(ids.length);
    });

    test.each(visible)('T003: dates and times in results of $place are ISO 8601 with a zone', ({ place }) => {
      expect(recordingOf(place).live.flatMap((record) => unclearMoments(record, place))).toEqual([]);
    });

    test.each(visible)('T004: a live result of $place has every key of its sample', ({ place, step }) => {
      const [live] = recordingOf(place).live;
      expect(keysOf(live)).toEqual(expect.arrayContaining(keysOf(step.operation.sample)));
    });

    // A Zap chooses the status that starts Message Status Updated.
    const fixed = visible.filter(
      ({ kind, step }) => kind !== 'searches' && !plainFields(step).some(({ key }) => key === 'statuses'),
    );

    test.each(fixed)('the sample of $place has the status and the empty fields of a live result', ({ place, step }) => {
      const [live] = recordingOf(place).live;
      const { sample } = step.operation;
      const emptyTimes = (record: object) =>
        Object.entries(record).flatMap(([key, value]) => (/_at$/.test(key) && value === null ? key : []));
      expect(sample.status).toEqual(live?.status);
      expect(emptyTimes(sample)).toEqual(emptyTimes(live ?? {}));
    });

    test.each(visible)('T005: results of $place match the output fields', ({ place, step }) => {
      expect(recordingOf(place).live.flatMap((record) => brokenPromises(record, step, place))).toEqual([]);
    });

    test.each(instant)('T006: a payload of $place has every key of its test results', ({ place }) => {
      const { live, tested } = recordingOf(place);
      expect(tested.length).toBeGreaterThan(0);
      expect(Object.keys(live[0] ?? {})).toEqual(expect.arrayContaining([...new Set(tested.flatMap(Object.keys))]));
    });

    /** The statuses that a record can have reached by the time that the test step lists it. */
    const laterStatuses: Record<string, string[]> = {
      sent: ['queued', 'delivered', 'read', 'failed'],
      sending: ['completed'],
    };

    test.each(instant)(
      '$place starts with the real thing, and lists records with its status and direction',
      ({ place }) => {
        const { live, tested, like = {} } = recordingOf(place);
        expect(live[0]).toMatchObject(like);
        const [{ status, direction } = {}] = live;
        const statuses = [status, ...(laterStatuses[String(status)] ?? [])];
        expect(tested.filter((record) => record.direction !== direction)).toEqual([]);
        expect(tested.filter((record) => !statuses.includes(record.status))).toEqual([]);
      },
    );

    test.each(instant)('Z001: test results of $place match the output fields', ({ place, step }) => {
      expect(recordingOf(place).tested.flatMap((record) => brokenPromises(record, step, place))).toEqual([]);
    });
  });

  const workflows = readdirSync(join(project, '.github/workflows'));

  test.each(workflows)('the workflow %s pins its actions, only reads, and keeps no credentials', (file) => {
    const text = readFileSync(join(project, '.github/workflows', file), 'utf8');
    const actions = [...text.matchAll(/uses: (\S+)/g)].map(([, action]) => action);
    expect(actions).toEqual(actions.map(() => expect.stringMatching(/^actions\/[\w-]+@[0-9a-f]{40}$/)));
    expect(text.match(/permissions:\n.+\n/g)).toEqual(['permissions:\n  contents: read\n']);
    expect(text.match(/persist-credentials: .+/g)).toEqual(
      actions.filter((action) => action?.startsWith('actions/checkout@')).map(() => 'persist-credentials: false'),
    );
  });

  test('a release is built from a tag on main, and the job with the deploy key builds nothing', () => {
    const [, build = '', upload = ''] = readFileSync(join(project, '.github/workflows/push.yml'), 'utf8').split(
      /^ {2}(?:build|upload):$/m,
    );
    expect(build).toContain('git merge-base --is-ancestor "$GITHUB_SHA" origin/main');
    expect(build).toContain('.ci/run');
    expect(build).not.toContain('secrets.');
    expect(upload).toContain('secrets.ZAPIER_DEPLOY_KEY');
    expect(upload.match(/run: .+/g)).toEqual([
      expect.stringMatching(/^run: npm install --global npm@[\d.]+$/),
      'run: npm ci --ignore-scripts',
      'run: npx --no zapier-platform upload',
    ]);
  });

  /** The app's source, except the brand. */
  const shipped = ['src', 'triggers', 'creates', 'searches']
    .flatMap((folder) =>
      readdirSync(join(project, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
    )
    .filter((file) => file.endsWith('.ts') && file !== 'src/brand.ts');

  /** A standard, the source of core, an example of a webhook's receiver and of a customer. */
  const otherAddresses =
    /https:\/\/(www\.standardwebhooks\.com|github\.com\/zapier\/|hooks\.example\.com)|noor[\w.]*@example\.com/g;

  test('no file of the app but src/brand.ts has the name and addresses of the service', () => {
    const naming = shipped.filter((file) => {
      const text = readFileSync(join(project, file), 'utf8').replaceAll(otherAddresses, '');
      return text.includes(brand.name) || /https?:\/\/[\w-]+\.[\w.-]+|[\w.-]+@[\w-]+\.\w+/.test(text);
    });
    expect(naming).toEqual([]);
  });

  test('every address of the brand is an https URL or an email address', () => {
    for (const address of [brand.homepage, brand.app, brand.help, brand.tokenPage, brand.api])
      expect(new URL(address).protocol).toBe('https:');
    for (const address of [brand.support, brand.maintainers]) expect(address).toMatch(/^\S+@\S+\.\S+$/);
    expect(brand.maintainers).not.toBe(brand.support);
  });
});

describe('samples', () => {
  const running = new Running();

  const tester = createAppTester(definition.only('message_received'));

  const { listConversationMessages, ...others } = endpoints;

  /** Calls an endpoint as a step does. Rejects when the response is taken for a failure. */
  const read = (endpoint: Endpoint, input: { id?: string; name?: string; query?: object }): Promise<unknown> => {
    const authData = { base_url: running.url, api_token: running.sandbox.tokens.advanced, ai_agents: 'everything' };
    return tester((zapier: ZObject) => call(zapier, endpoint, input), { authData });
  };

  const page = z.object({
    data: z.array(z.looseObject({ id: z.optional(z.string()), name: z.nullish(z.string()) })),
    next_cursor: z.nullish(z.string()),
  });

  /** Reads a list to its end. */
  const readAll = async (endpoint: Endpoint): Promise<z.output<typeof page>['data']> => {
    const records: z.output<typeof page>['data'] = [];
    for (let after: string | null | undefined = ''; after !== null && after !== undefined; ) {
      const { data, next_cursor }: z.output<typeof page> = page.parse(
        await read(endpoint, { query: { limit: 100, ...(after && { after }) } }),
      );
      records.push(...data);
      after = next_cursor;
    }
    return records;
  };

  test('every list of the sandbox is read, with messages that failed', async () => {
    const lists = Object.values<Endpoint>(others).filter(({ method, query }) => method === 'GET' && query);
    expect(lists.length).toBeGreaterThan(5);
    for (const list of lists) await readAll(list);
    await running.request('sendMessage', { body: parcelMessage(specialNumbers.failsLater) });
    await running.advance(3600);
    const failed = (await readAll(endpoints.listMessages)).filter(({ error }) => error);
    expect(failed.length).toBeGreaterThan(0);
    for (const { id = '' } of failed) await expect(read(endpoints.getMessage, { id })).resolves.toHaveProperty('error');
  });
});

describe('secrets', () => {
  const running = new Running();
  const printed: string[] = [];
  const given: string[] = [];
  let zapier: Zapier;
  let authData: Record<string, string>;
  let secret = 'not known yet';
  let filledIn: Record<string, Record<string, unknown>>;

  /** Keeps what a run gives or throws. What core logs of it is kept as it is printed. */
  const keep = (value: unknown): void => {
    given.push(
      value instanceof Error ? `${value.name} ${value.message} ${JSON.stringify(value)}` : `${JSON.stringify(value)}`,
    );
  };

  const everything = (): string => [...printed, ...given].join('\n');

  beforeAll(async () => {
    process.env.LOG_TO_STDOUT = 'true';
    process.env.DETAILED_LOG_TO_STDOUT = 'true';
    for (const method of ['log', 'error', 'warn', 'info'] as const) {
      jest.spyOn(console, method).mockImplementation((...parts) => void printed.push(parts.map(String).join(' ')));
    }
    authData = { base_url: running.url, api_token: running.sandbox.tokens.advanced, ai_agents: 'everything' };
    zapier = await startZapier({ authData });
    const { body } = await running.request('createContact', { body: { phone: newNumber() } });
    const campaigns = await running.read('listCampaigns', { query: { status: 'draft' } });
    const messages = await running.read('listMessages');
    filledIn = inputs(contact.schema.parse(body).id, String(campaigns.data[0]?.id), String(messages.data[0]?.id));
  });

  afterAll(async () => {
    delete process.env.LOG_TO_STDOUT;
    delete process.env.DETAILED_LOG_TO_STDOUT;
    jest.restoreAllMocks();
    await zapier.stop();
  });

  const template = { channel: 'whatsapp', template: 'parcel_out_for_delivery' };
  const variables = { parcel_id: 'PX-1', arrival_time: '14:30' };

  /** What to fill in for a run that goes well, where there is something to fill in. */
  const inputs = (contactId: string, campaignId: string, messageId: string) => ({
    send_message: { ...template, to: newNumber(), variables, deduplication_key: 'order 1' },
    send_message_and_wait: { ...template, to: newNumber(), variables },
    start_campaign: { campaign: campaignId, audience: 'one', to: newNumber() },
    create_contact: { phone: newNumber() },
    create_or_update_contact: { phone: newNumber() },
    update_contact: { contact: contactId, first_name: 'Noor' },
    delete_contact: { contact: contactId },
    call_api: { method: 'GET', path: 'webhooks' },
    find_contact: { name: 'Noor' },
    find_conversation_history: { phone: newNumber() },
    find_reply: { message: messageId },
    find_message_status: { message: messageId },
    find_campaign: { name: 'Summer' },
    find_template: { name: 'parcel' },
  });

  /** Every step but the instant triggers' own three, which the tests below run. */
  const paths = [
    'authentication.test',
    ...Object.keys(app.creates).map((key) => `creates.${key}.operation.perform`),
    'creates.send_message_and_wait.operation.performResume',
    ...Object.keys(app.searches).map((key) => `searches.${key}.operation.perform`),
    ...Object.values(app.triggers).map(
      ({ key, operation }) => `triggers.${key}.operation.${operation.type === 'hook' ? 'performList' : 'perform'}`,
    ),
  ];

  const runAll = async (bundle: Parameters<Zapier['run']>[1] = {}): Promise<void> => {
    const runs = paths.map((path) =>
      runStep(path, { authData, inputData: filledIn[path.split('.')[1] ?? ''] ?? {}, ...bundle }),
    );
    await Promise.all(runs.map((run) => run.then(keep, keep)));
  };

  test('no step shows the token or a webhook secret, when all goes well', async () => {
    const zap = await zapier.turnOn('message_received');
    secret = z.object({ secret: z.string() }).parse(zap.subscribeData).secret;
    await running.control('POST', '/messages', { from: newNumber(), text: 'Hello' });
    keep(await zap.nextRun());
    await runAll();
    await zap.turnOff();
    expect(printed.join('\n')).toContain(`POST ${running.url}${endpoints.createWebhook.path}`);
    expect(everything()).toContain('Harbor Parcels');
  });

  test('no step shows a token that is dead', async () => {
    await runAll({ authData: { base_url: running.url, api_token: 'tok_d34dd34dd34d' } });
    expect(everything()).toContain('missing, invalid or expired');
    expect(everything()).not.toContain('tok_d34dd34dd34d');
  });

  test('no refused number, opt-out or forged delivery shows them', async () => {
    for (const to of ['me', specialNumbers.optedOut, specialNumbers.unreachable]) {
      await zapier
        .run('creates.send_message.operation.perform', { inputData: { ...template, to, variables } })
        .then(keep, keep);
    }
    const subscribeData = { id: 'wh_1', secret };
    const rawRequest = { content: '{}', headers: { 'Http-Webhook-Signature': 'v1,AAAA' } };
    await zapier.run('triggers.message_received.operation.perform', { subscribeData, rawRequest }).then(keep, keep);
    expect(everything()).toContain('something that may not come from the messaging service');
  });

  afterEach(() => {
    expect(everything()).not.toContain(running.sandbox.tokens.advanced);
    expect(everything()).not.toContain(secret);
    expect(given.join('\n')).not.toMatch(/\n\s+at .+:\d+:\d+/);
  });
});

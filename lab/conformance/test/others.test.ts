/** Whatever a service does, a run leaves the records of others as they are, and names its own that are left. */
import fc from 'fast-check';
import { parseJson } from '../../../src/api/json';
import { Running, withId } from '../../../test/support/running';
import { callAt } from '../../sandbox/http/route';
import { readOptions } from '../options';
import { checkService } from '../run';
import { faultyFetch, lose, type ProxyFault } from './faulty-proxy';

/** A record. Its id is as it's written in JSON, since it may have more digits than a number. */
type Stored = Record<string, unknown> & { id: string };

/** How a service behaves that nobody here knows. */
const service = fc.record({
  ids: fc.constantFrom<(index: number) => string>(
    (index) => String(index + 1),
    // Two of these are one number in JavaScript.
    (index) => String(9_007_199_254_740_993n + BigInt(index)),
    (index) => `"con_${index}"`,
    (index) => `"${index + 1}"`,
  ),
  // What a request to create gets. Whatever it is, the record is made.
  created: fc.constantFrom('record', 'record', 'job', 'id of a job', 'echo and job', 'nothing', 'lost', 'failed'),
  envelopsReads: fc.boolean(),
  envelope: fc.constantFrom('none', 'data', 'noun', 'request', 'deep'),
  read: fc.constantFrom('record', 'record', 'record', 'not found', 'the newest', 'all'),
  filters: fc.constantFrom('honored', 'ignored', 'refused', 'broken'),
  upserts: fc.boolean(),
  lag: fc.nat(4),
  pageSize: fc.constantFrom(2, 20, 100, 100),
  contacts: fc.array(fc.constantFrom('fictional', 'real', 'none'), { maxLength: 12 }),
  hasFictionalNumbers: fc.constantFrom(...Array(7).fill(false), true),
  webhooks: fc.nat(4),
  keepsOneWebhook: fc.boolean(),
  changesWebhook: fc.constant<boolean>(false),
  removed: fc.constantFrom('done', 'done', 'done', 'not found', 'ignored', 'lost'),
  hidesLists: fc.constantFrom(false, false, false, true),
});

const fictional = Array.from({ length: 1000 }, (_, index) => `+447700900${String(index).padStart(3, '0')}`);

const json = (value: unknown): string =>
  JSON.stringify(value, (key, each) => (key === 'id' && typeof each === 'string' ? `#${each}#` : each)).replaceAll(
    /"#(.*?)#"/g,
    (_, id: string) => id.replaceAll('\\"', '"'),
  );

/** Returns a response. */
const reply = (status: number, value?: unknown): Response =>
  new Response(value === undefined ? null : json(value), { status, headers: { 'content-type': 'application/json' } });

type Behavior = typeof service extends fc.Arbitrary<infer T> ? T : never;

/** Returns the records of others. */
const recordsOfOthers = ({ ids, contacts, hasFictionalNumbers, webhooks }: Behavior) => {
  const phoneOf = {
    none: () => null,
    real: (at: number) => `+1202555012${at}`,
    fictional: (at: number) => fictional[at % 10],
  };
  // Nine of ten numbers of those from which a run takes one for its contact.
  const taken = hasFictionalNumbers ? fictional.filter((_, index) => index % 10 > 0) : [];
  const phones = [...contacts.map((kind, index) => phoneOf[kind](index)), ...taken];
  const common = (index: number) => ({ id: ids(index), created_at: '2026-03-02T08:15:00Z' });
  return {
    contacts: phones.map((phone, index): Stored => {
      return {
        ...common(index),
        phone,
        email: `noor${index}@example.com`,
        tags: ['conformance-check'],
        consent: 'unknown',
      };
    }),
    webhooks: Array.from({ length: webhooks }, (_, index): Stored => {
      return { ...common(index), url: `https://hooks.example.com/${index}`, events: ['message.sent'] };
    }),
  };
};

const firstId = 1000;

/** A service in memory. */
class Service {
  readonly contacts: Stored[];
  readonly webhooks: Stored[];
  readonly #behavior: Behavior;
  readonly #unlisted = new Map<Stored, number>();
  #count = firstId;

  constructor(behavior: Behavior) {
    this.#behavior = behavior;
    const { contacts, webhooks } = recordsOfOthers(behavior);
    this.contacts = contacts;
    this.webhooks = webhooks;
  }

  readonly send: typeof fetch = async (target, init) => {
    const url = new URL(String(target));
    const content = String(init?.body ?? '');
    const call = callAt(init?.method ?? '', url.pathname);
    const id = decodeURIComponent(url.pathname.split('/').at(-1) ?? '');
    const body: Record<string, unknown> = content ? Object(JSON.parse(content)) : {};
    const kind = call?.endsWith('Webhook') || call === 'listWebhooks' ? 'webhook' : 'contact';
    const all = kind === 'webhook' ? this.webhooks : this.contacts;
    const found = all.find((each) => parseJson(each.id)?.toString() === id);
    if (call === 'getWorkspace') return reply(200, { id: '"ws_1"' });
    if (call === 'listContacts' || call === 'listWebhooks') return this.#list(all, url.searchParams);
    if (call === 'createContact' || call === 'createWebhook') return this.#create(kind, all, body);
    if (call === 'getContact') return this.#get(all, found);
    if (!found || !(call === 'updateContact' || call?.startsWith('delete'))) return reply(404, {});
    if (call === 'updateContact') return reply(200, Object.assign(found, body));
    return this.#remove(all, found);
  };

  #remove(all: Stored[], found: Stored): Response {
    const { removed } = this.#behavior;
    if (removed === 'not found') return reply(404, {});
    if (removed === 'ignored') return reply(200, {});
    all.splice(all.indexOf(found), 1);
    return removed === 'lost' ? lose() : reply(204);
  }

  #list(all: Stored[], query: URLSearchParams): Response {
    const { filters, pageSize, hidesLists } = this.#behavior;
    if (hidesLists && this.#count > firstId) return reply(500, {});
    const names = ['phone', 'email', 'tag', 'query'].filter((name) => query.has(name));
    if (names.length > 0 && filters === 'refused') return reply(422, {});
    const listed = all.filter((each) => {
      const left = this.#unlisted.get(each) ?? 0;
      this.#unlisted.set(each, left - 1);
      return left <= 0;
    });
    const isMatch = (each: Stored) => names.every((name) => filters !== 'broken' && each[name] === query.get(name));
    const matching = filters === 'ignored' ? listed : listed.filter(isMatch);
    const start = Number(query.get('after') ?? 0);
    const end = start + Math.min(pageSize, Number(query.get('limit') ?? pageSize));
    return reply(200, { data: matching.slice(start, end), next_cursor: end < matching.length ? String(end) : null });
  }

  #get(all: Stored[], found: Stored | undefined): Response {
    const { read, envelopsReads } = this.#behavior;
    if (read === 'not found') return reply(404, {});
    if (read === 'all') return reply(200, { data: all });
    const shown = read === 'the newest' ? all.at(-1) : found;
    if (!shown) return reply(404, {});
    return reply(200, envelopsReads ? this.#envelop('contact', shown) : shown);
  }

  #envelop(noun: string, record: unknown): unknown {
    const envelopes = {
      none: record,
      data: { data: record },
      noun: { [noun]: record },
      request: { id: this.#behavior.ids(0), [noun]: record },
      deep: { result: { meta: { id: this.#behavior.ids(1) }, item: record } },
    };
    return envelopes[this.#behavior.envelope];
  }

  #create(noun: string, all: Stored[], body: Record<string, unknown>): Response {
    const { ids, created, upserts, lag, keepsOneWebhook, changesWebhook } = this.#behavior;
    const changed = noun === 'webhook' && changesWebhook ? all[0] : undefined;
    const existing =
      noun === 'contact' ? all.find((each) => upserts && each.phone && each.phone === body.phone) : changed;
    this.#count += 1;
    const common = { id: ids(this.#count), created_at: new Date(0).toISOString() };
    const record = existing ?? { ...common, ...(noun === 'webhook' && { secret: `whsec_${'YWJj'.repeat(11)}` }) };
    Object.assign(record, body);
    if (!existing) {
      if (noun === 'webhook' && keepsOneWebhook) all.length = 0;
      all.push(record);
      this.#unlisted.set(record, lag);
    }
    const job = ids(0);
    const replies = {
      record: () => reply(201, this.#envelop(noun, record)),
      job: () => reply(202, { job: { id: job } }),
      'id of a job': () => reply(202, { id: job }),
      'echo and job': () => reply(202, { ...body, id: job }),
      nothing: () => reply(204),
      lost: lose,
      failed: () => reply(500, {}),
    };
    return replies[created]();
  }
}

/** Runs the command with --write. Returns the service, its records of others before, and what the command says is left. */
const runAgainst = async (behavior: Behavior) => {
  const running = new Service(behavior);
  const before = structuredClone({ contacts: running.contacts, webhooks: running.webhooks });
  const options = readOptions(['--base-url', 'http://127.0.0.1', '--write'], { API_TOKEN: 'tok_12345' });
  const left = await checkService(options, { send: running.send }).then(
    (results) => results.left,
    (error: Error) => [error.message],
  );
  return { running, before, left };
};

/** A service without surprises. */
const plain: Behavior = {
  ...{ ids: (index) => `"con_${index}"`, created: 'record', envelopsReads: false, envelope: 'none', read: 'record' },
  ...{ filters: 'honored', upserts: false, lag: 0, pageSize: 100, contacts: ['real'], hasFictionalNumbers: false },
  ...{ webhooks: 1, keepsOneWebhook: false, changesWebhook: false, removed: 'done', hidesLists: false },
};

const property = fc.asyncProperty(service, async (behavior) => {
  const { running, before, left } = await runAgainst(behavior);
  const gone = before.webhooks.filter(({ id }) => !running.webhooks.some((each) => each.id === id));
  expect(gone.length > 0 && !behavior.keepsOneWebhook).toBe(false);
  // No run can know of this before its first webhook, so it says what is gone, if a list shows it.
  const untold = gone.filter(({ url }) => !left.join().includes(`to ${url} for message.sent`));
  expect(untold.length > 0 && !behavior.hidesLists).toBe(false);
  const expected = { contacts: before.contacts, webhooks: before.webhooks.filter((each) => !gone.includes(each)) };
  for (const kind of ['contacts', 'webhooks'] as const) {
    const { old = [], own = [] } = Object.groupBy(running[kind], ({ id }) =>
      before[kind].some((each) => each.id === id) ? 'old' : 'own',
    );
    expect(old).toEqual(expected[kind]);
    const names = own.map((each) => [parseJson(each.id), each.email ?? each.url].map(String));
    expect(names.filter((each) => !each.some((name) => left.join().includes(name)))).toEqual([]);
  }
});

test('nothing of others changes, and what is left is named, whatever a service does', async () => {
  const changes: Partial<Behavior>[] = [
    ...([{ created: 'lost' }, { created: 'failed' }, { created: 'id of a job' }] as const),
    ...([{ read: 'all' }, { envelope: 'deep', envelopsReads: true }] as const),
    ...([
      { removed: 'not found' },
      { removed: 'ignored' },
      { hidesLists: true },
      { keepsOneWebhook: true },
      { upserts: true, hasFictionalNumbers: true },
    ] as const),
  ];
  await fc.assert(property, { numRuns: 150, examples: changes.map((changed) => [{ ...plain, ...changed }]) });
});

test.each<Partial<Behavior>>([{}, { created: 'failed' }])(
  'nothing is left of a run against a plain service with %j',
  async (changed) => {
    const { running, before, left } = await runAgainst({ ...plain, ...changed });
    expect(left).toEqual([]);
    expect({ contacts: running.contacts, webhooks: running.webhooks }).toEqual(before);
  },
);

test('a webhook that the service changes instead of creating one stays, and the run says how it was', async () => {
  const { running: asked, before, left } = await runAgainst({ ...plain, changesWebhook: true });
  expect(asked.webhooks.map(({ id }) => id)).toEqual(before.webhooks.map(({ id }) => id));
  expect(left.join()).toContain('con_0 to https://hooks.example.com/0 for message.sent');
  expect(left.join()).toContain('webhook con_0 (existed before, and the service changed it)');
});

const running = new Running({ isSmall: true });

const checkWriting = (fault: ProxyFault) => {
  const { advanced: API_TOKEN } = running.sandbox.tokens;
  const options = readOptions(['--base-url', running.url, '--write'], { API_TOKEN });
  return checkService(options, { send: faultyFetch(running.respond, fault) });
};

test('creates nothing that it could not find again, because reading or listing it differs', async () => {
  const body = { url: 'https://hooks.example.com/1/', events: ['message.sent'] };
  const { id } = withId.parse((await running.request('createWebhook', { body })).body);
  const { rows, left } = await checkWriting({
    reviveResponse: (key, value) => {
      if (key === 'events') return String(value);
      return key === '' && Object(value).id ? { result: { record: value } } : value;
    },
  });
  const writes = rows.filter(({ check }) => /^(create|update|delete|send)|deliver/.test(check));
  expect(new Set(writes.map(({ outcome }) => outcome))).toEqual(new Set(['skipped']));
  expect(rows).toContainEqual(expect.objectContaining({ check: 'createContact', detail: 'first adapt getContact' }));
  expect(left).toEqual([]);
  expect((await running.read('listWebhooks')).data).toMatchObject([{ id }]);
  await running.request('deleteWebhook', { id });
});

test('names what may exist after failures of the service', async () => {
  const refuse = () => new Response('{}', { status: 500 });
  const { left } = await checkWriting({ instead: { createContact: refuse, createWebhook: refuse } });
  const kinds = left.map((each) => /^(contact|webhook) \S*conformance-check-\S+ \(may exist\)$/.exec(each)?.[1]);
  expect(new Set(kinds)).toEqual(new Set(['contact', 'webhook']));
});

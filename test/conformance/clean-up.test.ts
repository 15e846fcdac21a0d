import { readOptions } from '../../conformance/options';
import { checkService } from '../../conformance/run';
import { Running } from '../support/running';
import { type ProxyFault, withFaultyProxy } from './faulty-proxy';

const running = new Running({ isSmall: true });

const checkWriting = (url: string) =>
  checkService(readOptions(['--base-url', url, '--write'], { API_TOKEN: running.sandbox.tokens.advanced }));

const check = (fault: ProxyFault) => withFaultyProxy(running.url, fault, checkWriting);

/** Puts the records of single responses into another envelope, which the contract doesn't know. */
const enveloped: ProxyFault = {
  reviveResponse: (key, value) => (key === '' && Object(value).id ? { result: { record: value } } : value),
};

const leftIn = async () => ({
  contacts: (await running.read('listContacts', { query: { tag: 'conformance-check' } })).data.length,
  webhooks: (await running.read('listWebhooks')).data.length,
});

/** Removes what a run left behind. */
const removeAll = async () => {
  for (const { id } of (await running.read('listWebhooks')).data) await running.request('deleteWebhook', { id });
  const { data } = await running.read('listContacts', { query: { tag: 'conformance-check' } });
  for (const { id } of data) await running.request('deleteContact', { id });
};

const none = { contacts: 0, webhooks: 0 };

afterEach(removeAll);

test('removes what it can read back, whatever the envelope, and creates no contact while reading one differs', async () => {
  const { rows, left } = await check(enveloped);
  const rowOf = (name: string) => rows.find(({ check: each }) => each === name);
  expect(rowOf('createWebhook')?.outcome).toBe('differs');
  expect(rowOf('createContact')).toMatchObject({ outcome: 'skipped', detail: 'first adapt getContact' });
  expect(left).toEqual([]);
  expect(await leftIn()).toEqual(none);
});

test('creates no webhook while listing them differs', async () => {
  const body = { url: 'https://hooks.example.com/1/', events: ['message.sent'] };
  await running.request('createWebhook', { body });
  const { rows } = await check({ reviveResponse: (key, value) => (key === 'events' ? String(value) : value) });
  const asked = rows.filter(({ check: name, outcome }) => /webhook|deliver/i.test(name) && outcome !== 'skipped');
  expect(asked).toEqual([expect.objectContaining({ check: 'listWebhooks', outcome: 'differs' })]);
  const { data } = await running.read('listWebhooks');
  expect(data.map(({ url }) => url)).toEqual([body.url]);
  await running.request('deleteWebhook', { id: data[0]?.id ?? '' });
});

test('removes nothing when reading a contact returns a list, since it may be that of someone else', async () => {
  const found = (await running.read('listContacts', { query: { limit: 1 } })).data[0];
  const { left } = await check({
    reviveResponse: (key, value) =>
      key === '' && Object(value).email?.startsWith('conformance') ? { data: [found] } : value,
  });
  const [ours] = (await running.read('listContacts', { query: { tag: 'conformance-check' } })).data;
  expect(left).toEqual([`contact ${ours?.id}`]);
  const { status } = await running.request('getContact', { id: found?.id ?? '' });
  expect(status).toBe(200);
});

/** Loses the first response, or changes it. */
const once = <T>(first: () => T) => {
  let count = 0;
  return (got: Response): Response | T => {
    count += 1;
    return count === 1 ? first() : got;
  };
};

describe('removes what the service did', () => {
  test('before a response got lost or was a 500', async () => {
    const afterwards = {
      createContact: once(() => undefined),
      createWebhook: once(() => new Response('{}', { status: 500 })),
    };
    const { left } = await check({ afterwards });
    expect(left).toEqual([]);
    expect(await leftIn()).toEqual(none);
  });

  test('although the service stopped responding to requests', async () => {
    const lose = () => undefined;
    const run = check({ afterwards: { createContact: lose, createWebhook: lose } });
    await expect(run).rejects.toThrow(/: 3 requests in a row got no response\.$/);
    expect(await leftIn()).toEqual(none);
  });
});

test('lists what may exist after failures of the service', async () => {
  const refuse = () => new Response('{}', { status: 500 });
  const { left } = await check({ instead: { createContact: refuse, createWebhook: refuse } });
  const kinds = left.map((each) => /^(contact|webhook) \S*conformance-check-\S+ \(may exist\)$/.exec(each)?.[1]);
  expect(new Set(kinds)).toEqual(new Set(['contact', 'webhook']));
});

test('lists webhooks that may exist by their address while it cannot read the list', async () => {
  let isLost = false;
  const lose = () => {
    isLost = true;
    return undefined;
  };
  const { left } = await check({
    afterwards: {
      createWebhook: once(lose),
      listWebhooks: (got) => (isLost ? new Response('{}', { status: 500 }) : got),
    },
  });
  const [first, ...others] = left;
  expect(first).toMatch(/^webhook http:\/\/127\.0\.0\.1:\d+\/\S+\/first \(may exist\)$/);
  expect(others.length).toBeGreaterThan(1);
  for (const each of others) expect(each).toMatch(/^webhook http:\S+ \(may exist, with the ID wh_\d+\)$/);
});

for (const [what, remove] of [
  ['responds 404, since its address differs', () => new Response('{}', { status: 404 })],
  ['responds 200 but does nothing', () => new Response('{}')],
] as const) {
  test(`lists what it created when the removal ${what}`, async () => {
    const { left } = await check({ instead: { deleteContact: remove, deleteWebhook: remove } });
    const contacts = (await running.read('listContacts', { query: { tag: 'conformance-check' } })).data;
    const webhooks = (await running.read('listWebhooks')).data;
    const names = [...contacts.map(({ id }) => `contact ${id}`), ...webhooks.map(({ id }) => `webhook ${id}`)];
    expect(webhooks.length).toBeGreaterThan(1);
    expect(left.toSorted()).toEqual(names.toSorted());
  });
}

test('removes no webhook that was listed before, although a response has its ID', async () => {
  const url = 'https://hooks.example.com/1/';
  await running.request('createWebhook', { body: { url, events: ['message.sent'] } });
  const [before] = (await running.read('listWebhooks')).data;
  let isCreated = false;
  const { left } = await check({
    afterwards: {
      createWebhook: (got) => {
        isCreated = true;
        return Response.json({ id: before?.id }, { status: got.status });
      },
      listWebhooks: (got) => (isCreated ? new Response('{}', { status: 500 }) : got),
    },
  });
  expect(left.length).toBeGreaterThan(1);
  for (const each of left) expect(each).toMatch(/^webhook http:\S+ \(may exist\)$/);
  expect((await running.read('listWebhooks')).data.map((each) => each.url)).toContain(url);
});

test('lists nothing when only the response to a removal got lost', async () => {
  const { left } = await check({ afterwards: { deleteWebhook: once(() => undefined) } });
  expect(left).toEqual([]);
  expect(await leftIn()).toEqual(none);
});

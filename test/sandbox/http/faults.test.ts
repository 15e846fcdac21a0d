import { endpoints } from '../../../src/api/endpoints';
import { errorOf, eventually, newNumber, parcelMessage, Running } from '../../support/running';

const service = new Running();

afterEach(() => service.control('DELETE', '/faults'));

const addFault = (fault: object) => service.control('POST', '/faults', fault);
const ping = (headers: Record<string, string> = {}) => service.request('getWorkspace', {}, headers);
const send = (to: string) => service.request('sendMessage', { body: parcelMessage(to) });
const messagesTo = async (to: string) => {
  const { data } = await service.read('listMessages', { query: { limit: 100 } });
  return data.filter((found) => found.to === to);
};

describe.each([
  [
    'a control call',
    async (kind: string) => {
      await addFault({ kind });
      return ping();
    },
  ],
  ['a header', (kind: string) => ping({ 'x-sandbox-fault': kind })],
])('by %s, the next request', (_, callWithFault) => {
  test('responds with 429 and Retry-After', async () => {
    const answer = await callWithFault('429');
    expect(answer.status).toBe(429);
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(errorOf(answer).code).toBe('rate_limited');
  });

  test.each(['500', '503'])('responds with %s and an error body', async (kind) => {
    const answer = await callWithFault(kind);
    expect(answer.status).toBe(Number(kind));
    expect(errorOf(answer).message).toEqual(expect.any(String));
  });

  test('responds with an HTML page', async () => {
    const answer = await callWithFault('html');
    expect(answer).toMatchObject({ status: 502, body: expect.stringContaining('<html>') });
    expect(answer.headers.get('content-type')).toBe('text/html');
  });

  test('responds with half of the JSON', async () => {
    expect(await callWithFault('half_json')).toMatchObject({ status: 200, body: expect.stringMatching(/^\{"/) });
  });

  test('drops the connection', async () => {
    await expect(callWithFault('drop')).rejects.toThrow('fetch failed');
    expect(await ping()).toMatchObject({ status: 200 });
  });
});

test('a fault replaces an earlier one of its name, and is removed by it', async () => {
  await addFault({ kind: '503', count: 5, name: 'a' });
  await addFault({ kind: '500', count: 1, name: 'a' });
  expect(await ping()).toMatchObject({ status: 500 });
  expect(await ping()).toMatchObject({ status: 200 });
  await addFault({ kind: '503', name: 'a' });
  await addFault({ kind: '429', name: 'b' });
  await service.control('DELETE', '/faults/a');
  expect(await ping()).toMatchObject({ status: 429 });
});

test('a fault of requests that read leaves those that write alone, and the other way round', async () => {
  await addFault({ kind: '503', requests: 'writes' });
  expect(await ping()).toMatchObject({ status: 200 });
  expect(await send(newNumber())).toMatchObject({ status: 503 });
  await addFault({ kind: '503', requests: 'reads' });
  expect(await send(newNumber())).toMatchObject({ status: 202 });
  expect(await ping()).toMatchObject({ status: 503 });
});

test('a fault of one client meets its requests only', async () => {
  await addFault({ kind: '503', user_agent: 'Zapier' });
  expect(await ping({ 'user-agent': 'Another/1.0' })).toMatchObject({ status: 200 });
  expect(await ping({ 'user-agent': 'Zapier' })).toMatchObject({ status: 503 });
});

test('delays a slow request', async () => {
  const began = performance.now();
  expect(await ping({ 'x-sandbox-fault': 'slow; delay_ms=150' })).toMatchObject({ status: 200 });
  expect(performance.now() - began).toBeGreaterThan(140);
});

test('holds a request until the failures are removed, and does its work then', async () => {
  const phone = newNumber();
  await addFault({ kind: 'hold', path: endpoints.createContact.path });
  const held = service.request('createContact', { body: { phone } });
  await eventually(async () => expect(await service.control('GET', '/faults')).toMatchObject({ body: { data: [] } }));
  expect((await service.read('listContacts', { query: { phone } })).data).toEqual([]);
  await service.control('DELETE', '/faults');
  expect(await held).toMatchObject({ status: 201 });
});

test('drops a request before or after its work', async () => {
  const [before, after] = [newNumber(), newNumber()];
  await addFault({ kind: 'drop', method: 'POST' });
  await expect(send(before)).rejects.toThrow();
  await addFault({ kind: 'drop', when: 'after', method: 'POST' });
  await expect(send(after)).rejects.toThrow();
  expect(await messagesTo(before)).toHaveLength(0);
  expect(await messagesTo(after)).toHaveLength(1);
});

test('responds with 500 after the work is done', async () => {
  const to = newNumber();
  await addFault({ kind: '500', when: 'after' });
  expect(await send(to)).toMatchObject({ status: 500 });
  expect(await messagesTo(to)).toHaveLength(1);
});

test('applies a fault to the requested count of matching requests', async () => {
  await addFault({ kind: '503', count: 2, path: endpoints.getWorkspace.path, retry_after: 7 });
  const others = await service.request('listChannels');
  const answers = [await ping(), await ping(), await ping()];
  expect(others.status).toBe(200);
  expect(answers.map(({ status }) => status)).toEqual([503, 503, 200]);
  expect(answers[0]?.headers.get('retry-after')).toBe('7');
});

test('applies a fault to a share of the requests', async () => {
  await addFault({ kind: '500', count: 60, share: 0.5 });
  const statuses: number[] = [];
  for (let index = 0; index < 60; index += 1) statuses.push((await ping()).status);
  const failed = statuses.filter((status) => status === 500).length;
  expect(failed).toBeGreaterThan(10);
  expect(failed).toBeLessThan(50);
  expect(await ping()).toMatchObject({ status: 200 });
});

test('lists the remaining faults and clears them', async () => {
  await addFault({ kind: '500', count: 3 });
  await ping();
  expect(await service.control('GET', '/faults')).toMatchObject({ body: { data: [{ kind: '500', count: 2 }] } });
  await service.control('DELETE', '/faults');
  expect(await ping()).toMatchObject({ status: 200 });
});

test.each([{ kind: 'flood' }, { kind: '500', count: 0 }, { kind: '500', share: 2 }, { kind: '500', colour: 'red' }])(
  'refuses the fault %j',
  async (fault) => {
    expect(await addFault(fault)).toMatchObject({ status: 422 });
  },
);

test('refuses a header with an unknown fault', async () => {
  expect(await ping({ 'x-sandbox-fault': 'flood' })).toMatchObject({ status: 422 });
});

test('applies no fault to control calls', async () => {
  await addFault({ kind: '500', count: 5 });
  expect(await service.control('GET', '/faults')).toMatchObject({ status: 200 });
});

import { list } from '../../../src/api/endpoints';
import { message } from '../../../src/api/resources';
import { errorOf, newNumber, parcelMessage, Running } from '../running';

const service = new Running();

afterEach(() => service.control('DELETE', '/faults'));

const order = (fault: object) => service.control('POST', '/faults', fault);
const ping = (headers: Record<string, string> = {}) => service.call('GET', '/v1/workspace', undefined, headers);
const send = (to: string) => service.call('POST', '/v1/messages', parcelMessage(to));
const messagesTo = async (to: string) => {
  const { data } = await service.get(list(message.schema), '/v1/messages?limit=100');
  return data.filter((found) => found.to === to);
};

describe.each([
  [
    'a control call',
    async (kind: string) => {
      await order({ kind });
      return ping();
    },
  ],
  ['a header', (kind: string) => ping({ 'x-sandbox-fault': kind })],
])('by %s the next request', (_, strike) => {
  test('is answered 429 with a pause', async () => {
    const answer = await strike('429');
    expect(answer.status).toBe(429);
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(errorOf(answer).code).toBe('rate_limited');
  });

  test.each(['500', '503'])('is answered %s in the error shape', async (kind) => {
    const answer = await strike(kind);
    expect(answer.status).toBe(Number(kind));
    expect(errorOf(answer).message).toEqual(expect.any(String));
  });

  test('is answered with a page of HTML', async () => {
    const answer = await strike('html');
    expect(answer).toMatchObject({ status: 502, body: expect.stringContaining('<html>') });
    expect(answer.headers.get('content-type')).toBe('text/html');
  });

  test('is answered with half a JSON', async () => {
    expect(await strike('half_json')).toMatchObject({ status: 200, body: expect.stringMatching(/^\{"id":/) });
  });

  test('is dropped', async () => {
    await expect(strike('drop')).rejects.toThrow('fetch failed');
    expect(await ping()).toMatchObject({ status: 200 });
  });
});

test('a slow request takes as long as it was told', async () => {
  const began = performance.now();
  expect(await ping({ 'x-sandbox-fault': 'slow; delay_ms=150' })).toMatchObject({ status: 200 });
  expect(performance.now() - began).toBeGreaterThan(140);
});

test('a request dropped before the work leaves nothing done, and one dropped after it does not', async () => {
  const [before, after] = [newNumber(), newNumber()];
  await order({ kind: 'drop', method: 'POST' });
  await expect(send(before)).rejects.toThrow();
  await order({ kind: 'drop', when: 'after', method: 'POST' });
  await expect(send(after)).rejects.toThrow();
  expect(await messagesTo(before)).toHaveLength(0);
  expect(await messagesTo(after)).toHaveLength(1);
});

test('a 500 after the work hides that it was done', async () => {
  const to = newNumber();
  await order({ kind: '500', when: 'after' });
  expect(await send(to)).toMatchObject({ status: 500 });
  expect(await messagesTo(to)).toHaveLength(1);
});

test('a fault strikes as many requests as it was told, and only those that it concerns', async () => {
  await order({ kind: '503', count: 2, path: '/v1/workspace', retry_after: 7 });
  const others = await service.call('GET', '/v1/channels');
  const answers = [await ping(), await ping(), await ping()];
  expect(others.status).toBe(200);
  expect(answers.map(({ status }) => status)).toEqual([503, 503, 200]);
  expect(answers[0]?.headers.get('retry-after')).toBe('7');
});

test('a share of the next requests goes wrong', async () => {
  await order({ kind: '500', count: 200, share: 0.5 });
  const statuses: number[] = [];
  for (let index = 0; index < 200; index += 1) statuses.push((await ping()).status);
  const failed = statuses.filter((status) => status === 500).length;
  expect(failed).toBeGreaterThan(50);
  expect(failed).toBeLessThan(150);
  expect(await ping()).toMatchObject({ status: 200 });
});

test('what is left of the faults is shown, and can be cleared', async () => {
  await order({ kind: '500', count: 3 });
  await ping();
  expect(await service.control('GET', '/faults')).toMatchObject({ body: { data: [{ kind: '500', count: 2 }] } });
  await service.control('DELETE', '/faults');
  expect(await ping()).toMatchObject({ status: 200 });
});

test.each([{ kind: 'flood' }, { kind: '500', count: 0 }, { kind: '500', share: 2 }, { kind: '500', colour: 'red' }])(
  '%j is no fault',
  async (fault) => {
    expect(await order(fault)).toMatchObject({ status: 422 });
  },
);

test('a header that asks for no known fault is refused', async () => {
  expect(await ping({ 'x-sandbox-fault': 'flood' })).toMatchObject({ status: 422 });
});

test('control calls never go wrong', async () => {
  await order({ kind: '500', count: 5 });
  expect(await service.control('GET', '/faults')).toMatchObject({ status: 200 });
});

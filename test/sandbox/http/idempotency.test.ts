import { errorOf, newNumber, parcelMessage, Running } from '../running';

const service = new Running({ speed: 1 });

let keys = 0;
const newKey = () => ({ 'idempotency-key': `key-${++keys}` });
const slow = { 'x-sandbox-fault': 'slow; delay_ms=1500' };

const messagesTo = async (to: string) => {
  const { data } = await service.read('listMessages', { query: { limit: 100 } });
  return data.filter((found) => found.to === to);
};

test('returns the first response to a repeat and sends once', async () => {
  const to = newNumber();
  const key = newKey();
  const first = await service.request('sendMessage', { body: parcelMessage(to) }, key);
  const { template, variables, ...rest } = parcelMessage(to);
  const repeat = await service.request('sendMessage', { body: { template, ...rest, variables } }, key);
  expect(first.headers.get('idempotent-replayed')).toBeNull();
  expect(repeat.headers.get('idempotent-replayed')).toBe('true');
  expect(repeat).toMatchObject({ status: 202, body: first.body });
  expect(await messagesTo(to)).toHaveLength(1);
});

test('sends once for twenty requests at the same time and refuses the others', async () => {
  const to = newNumber();
  const headers = { ...newKey(), ...slow };
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => service.request('sendMessage', { body: parcelMessage(to) }, headers)),
  );
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
  const running = answers.filter(({ status }) => status === 409);
  expect(running).toHaveLength(19);
  expect(new Set(running.map((answer) => errorOf(answer).code))).toEqual(new Set(['idempotency_in_flight']));
  expect(await messagesTo(to)).toHaveLength(1);
});

test('refuses the key with another body while the first request runs and after it', async () => {
  const key = newKey();
  const running = service.request('sendMessage', { body: parcelMessage(newNumber()) }, { ...key, ...slow });
  await service.request('getWorkspace');
  const during = await service.request('sendMessage', { body: parcelMessage(newNumber()) }, key);
  await running;
  const after = await service.request('sendMessage', { body: parcelMessage(newNumber()) }, key);
  expect([during, after].map((answer) => errorOf(answer).code)).toEqual([
    'idempotency_mismatch',
    'idempotency_mismatch',
  ]);
});

test('accepts the key again after a refusal', async () => {
  const key = newKey();
  const wrong = { ...parcelMessage(newNumber()), template: 'parcel_lost' };
  expect(await service.request('sendMessage', { body: wrong }, key)).toMatchObject({ status: 422 });
  expect(await service.request('sendMessage', { body: parcelMessage(newNumber()) }, key)).toMatchObject({
    status: 202,
  });
});

test('returns a lost response to the repeat', async () => {
  const to = newNumber();
  const key = newKey();
  const lost = service.request(
    'sendMessage',
    { body: parcelMessage(to) },
    {
      ...key,
      'x-sandbox-fault': 'drop; when=after',
    },
  );
  await expect(lost).rejects.toThrow();
  const repeat = await service.request('sendMessage', { body: parcelMessage(to) }, key);
  expect(repeat.headers.get('idempotent-replayed')).toBe('true');
  expect(await messagesTo(to)).toHaveLength(1);
});

test('keeps a key for 24 hours', async () => {
  const to = newNumber();
  const key = newKey();
  await service.request('sendMessage', { body: parcelMessage(to) }, key);
  await service.advance(23.9 * 3600);
  await service.request('sendMessage', { body: parcelMessage(to) }, key);
  expect(await messagesTo(to)).toHaveLength(1);
  await service.advance(0.2 * 3600);
  await service.request('sendMessage', { body: parcelMessage(to) }, key);
  expect(await messagesTo(to)).toHaveLength(2);
});

test('keeps keys apart by workspace and endpoint', async () => {
  const key = newKey();
  const authorization = `Bearer ${service.sandbox.tokens.growth}`;
  const answers = [
    await service.request('sendMessage', { body: parcelMessage(newNumber()) }, key),
    await service.request('sendMessage', { body: parcelMessage(newNumber()) }, { ...key, authorization }),
    await service.request('createContact', { body: { phone: newNumber() } }, key),
  ];
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 201]);
});

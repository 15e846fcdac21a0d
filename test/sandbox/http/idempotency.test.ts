import { newNumber, parcelMessage, Running } from '../../support/running';

const service = new Running({ speed: 1 });

let keys = 0;
const newKey = () => ({ 'idempotency-key': `key-${++keys}` });

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

import { list } from '../../../src/api/endpoints';
import { message } from '../../../src/api/resources';
import { errorOf, newNumber, parcelMessage, Running } from '../running';

const service = new Running({ speed: 1 });

let keys = 0;
const newKey = () => ({ 'idempotency-key': `key-${++keys}` });
const slow = { 'x-sandbox-fault': 'slow; delay_ms=1500' };

const messagesTo = async (to: string) => {
  const { data } = await service.get(list(message.schema), '/v1/messages?limit=100');
  return data.filter((found) => found.to === to);
};

test('a repeat gets the first answer, marked as such, and nothing is sent twice', async () => {
  const to = newNumber();
  const key = newKey();
  const first = await service.call('POST', '/v1/messages', parcelMessage(to), key);
  const { template, variables, ...rest } = parcelMessage(to);
  const repeat = await service.call('POST', '/v1/messages', { template, ...rest, variables }, key);
  expect(first.headers.get('idempotent-replayed')).toBeNull();
  expect(repeat.headers.get('idempotent-replayed')).toBe('true');
  expect(repeat).toMatchObject({ status: 202, body: first.body });
  expect(await messagesTo(to)).toHaveLength(1);
});

test('of twenty at the same time one sends, and the others hear that it is running', async () => {
  const to = newNumber();
  const headers = { ...newKey(), ...slow };
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => service.call('POST', '/v1/messages', parcelMessage(to), headers)),
  );
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
  const running = answers.filter(({ status }) => status === 409);
  expect(running).toHaveLength(19);
  expect(new Set(running.map((answer) => errorOf(answer).code))).toEqual(new Set(['idempotency_in_flight']));
  expect(await messagesTo(to)).toHaveLength(1);
});

test('the same key with another body is refused, whether the first is done or still running', async () => {
  const key = newKey();
  const running = service.call('POST', '/v1/messages', parcelMessage(newNumber()), { ...key, ...slow });
  await service.call('GET', '/v1/workspace');
  const meanwhile = await service.call('POST', '/v1/messages', parcelMessage(newNumber()), key);
  await running;
  const afterwards = await service.call('POST', '/v1/messages', parcelMessage(newNumber()), key);
  expect([meanwhile, afterwards].map((answer) => errorOf(answer).code)).toEqual([
    'idempotency_mismatch',
    'idempotency_mismatch',
  ]);
});

test('after a refusal the corrected request may use the same key', async () => {
  const key = newKey();
  const wrong = { ...parcelMessage(newNumber()), template: 'parcel_lost' };
  expect(await service.call('POST', '/v1/messages', wrong, key)).toMatchObject({ status: 422 });
  expect(await service.call('POST', '/v1/messages', parcelMessage(newNumber()), key)).toMatchObject({ status: 202 });
});

test('an answer that was lost on the way is given to the repeat', async () => {
  const to = newNumber();
  const key = newKey();
  const lost = service.call('POST', '/v1/messages', parcelMessage(to), {
    ...key,
    'x-sandbox-fault': 'drop; when=after',
  });
  await expect(lost).rejects.toThrow();
  const repeat = await service.call('POST', '/v1/messages', parcelMessage(to), key);
  expect(repeat.headers.get('idempotent-replayed')).toBe('true');
  expect(await messagesTo(to)).toHaveLength(1);
});

test('a key is kept for 24 hours', async () => {
  const to = newNumber();
  const key = newKey();
  await service.call('POST', '/v1/messages', parcelMessage(to), key);
  await service.advance(23.9 * 3600);
  await service.call('POST', '/v1/messages', parcelMessage(to), key);
  expect(await messagesTo(to)).toHaveLength(1);
  await service.advance(0.2 * 3600);
  await service.call('POST', '/v1/messages', parcelMessage(to), key);
  expect(await messagesTo(to)).toHaveLength(2);
});

test('a key stands for one workspace and one endpoint', async () => {
  const key = newKey();
  const authorization = `Bearer ${service.sandbox.tokens.growth}`;
  const answers = [
    await service.call('POST', '/v1/messages', parcelMessage(newNumber()), key),
    await service.call('POST', '/v1/messages', parcelMessage(newNumber()), { ...key, authorization }),
    await service.call('POST', '/v1/contacts', { phone: newNumber() }, key),
  ];
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 201]);
});

test('a key that is too long is refused', async () => {
  const headers = { 'idempotency-key': 'k'.repeat(256) };
  const answer = await service.call('POST', '/v1/messages', parcelMessage(newNumber()), headers);
  expect(errorOf(answer)).toMatchObject({ code: 'validation_failed', field: 'Idempotency-Key' });
});

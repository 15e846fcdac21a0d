import { message } from '../../src/api/resources';
import { runStep } from '../run-step';
import { authData, recordSends } from '../service';

const input = { channel: 'whatsapp', template: 'parcel_out_for_delivery', to: '+31 6 1234 5678' };

const send = (inputData: Record<string, unknown> = {}, bundle: Parameters<typeof runStep>[1] = {}) =>
  runStep('creates.send_message.operation.perform', { authData, inputData: { ...input, ...inputData }, ...bundle });

const keyOf = async (inputData: Record<string, unknown>, bundle = {}) => {
  const sent = recordSends(202, message.sample);
  await send(inputData, bundle);
  return sent[0]?.headers['idempotency-key'];
};

test('sends exactly the four specified fields, with the number in E.164, and gives the message', async () => {
  const sent = recordSends(202, message.sample);
  const variables = { parcel_id: 'PX-20418', arrival_time: '14:30' };
  await expect(send({ variables })).resolves.toEqual(message.sample);
  expect(sent[0]?.body).toEqual({
    channel: 'whatsapp',
    to: '+31612345678',
    template: 'parcel_out_for_delivery',
    variables,
  });
});

test('sends every variable as a text and leaves out those without a value', async () => {
  const sent = recordSends(202, message.sample);
  await send({ variables: { count: 3, ready: true, ' name ': ' Noor ', note: '', gone: null } });
  expect(sent[0]?.body).toMatchObject({ variables: { count: '3', ready: 'true', name: 'Noor' } });
});

test('leaves out variables altogether when none has a value', async () => {
  const sent = recordSends(202, message.sample);
  await send({ variables: { note: '' } });
  expect(sent[0]?.body).not.toHaveProperty('variables');
});

describe('the phone number', () => {
  test('is read as one of the country of the account, unless the step names another', async () => {
    const connection = { ...authData, default_country: 'NL' };
    const dutch = recordSends(202, message.sample);
    await send({ to: '06 12345678' }, { authData: connection });
    expect(dutch[0]?.body).toMatchObject({ to: '+31612345678' });
    const german = recordSends(202, message.sample);
    await send({ to: '0151 23456789', default_country: 'DE' }, { authData: connection });
    expect(german[0]?.body).toMatchObject({ to: '+4915123456789' });
  });

  test('that is none is refused by the name of its field, before any request', async () => {
    await expect(send({ to: 'call me' })).rejects.toMatchObject({
      name: 'HaltedError',
      message:
        'Phone Number: "call me" is not a complete phone number. Use the international form, such as +31612345678, or choose a Default Country.',
    });
  });
});

test.each([
  ['channel', 'Channel'],
  ['template', 'Template'],
  ['to', 'Phone Number'],
])('asks for %s by its label when it is blank, before any request', async (key, label) => {
  for (const blank of ['', '   ', null, undefined, []]) {
    await expect(send({ [key]: blank })).rejects.toMatchObject({
      name: 'HaltedError',
      message: `${label} is empty. Fill it in and try again.`,
    });
  }
});

describe('Send Only Once Per', () => {
  test('is the same header for the same key, whatever the run, and another for another key', async () => {
    const first = await keyOf({ deduplication_key: 'order 1' });
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(await keyOf({ deduplication_key: ' order 1 ', variables: { a: 'b' } })).toBe(first);
    expect(await keyOf({ deduplication_key: 'order 2' })).not.toBe(first);
  });

  test('lets another template, channel or person have the same value, since that is another message', async () => {
    const order = { deduplication_key: 'order 1' };
    const keys = [
      await keyOf(order),
      await keyOf({ ...order, template: 'parcel_delivered' }),
      await keyOf({ ...order, channel: 'sms' }),
      await keyOf({ ...order, to: '+31687654321' }),
      await keyOf({ template: 'order 1', deduplication_key: 'parcel_out_for_delivery' }),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('may hold any characters', async () => {
    expect(await keyOf({ deduplication_key: 'Grüße\r\nX-Evil: 1 {{x}} 📦' })).toMatch(/^[0-9a-f]{64}$/);
  });

  test('of a test that goes to the tester does not use up the key of the customer', async () => {
    const test = { test_recipient: '+31687654321', deduplication_key: 'order 1' };
    const tested = await keyOf(test, { meta: { isLoadingSample: true } });
    expect(tested).toMatch(/^[0-9a-f]{64}$/);
    expect(tested).not.toBe(await keyOf(test));
  });

  test('that was used for another message halts and says that nothing was sent', async () => {
    recordSends(422, { error: { code: 'idempotency_mismatch', message: 'Mismatch' } });
    await expect(send({ deduplication_key: 'order 1' })).rejects.toMatchObject({
      name: 'HaltedError',
      message: expect.stringContaining('with the same Send Only Once Per but other details, so nothing was sent now'),
    });
  });

  test('whose first use is still running makes Zapier try again', async () => {
    recordSends(409, { error: { code: 'idempotency_in_flight', message: 'Running' } });
    await expect(send({ deduplication_key: 'order 1' })).rejects.toMatchObject({ name: 'ThrottledError' });
  });
});

describe('Send Tests To', () => {
  test('gets the message of a test in the editor', async () => {
    const sent = recordSends(202, message.sample);
    await send({ test_recipient: '+31 6 87654321' }, { meta: { isLoadingSample: true } });
    expect(sent[0]?.body).toMatchObject({ to: '+31687654321' });
  });

  test('gets nothing from a live Zap', async () => {
    const sent = recordSends(202, message.sample);
    await send({ test_recipient: '+31687654321' }, { meta: { isLoadingSample: false } });
    expect(sent[0]?.body).toMatchObject({ to: '+31612345678' });
  });

  test('that is no number is refused in a test, by the name of its field', async () => {
    await expect(send({ test_recipient: 'me' }, { meta: { isLoadingSample: true } })).rejects.toThrow(
      'Send Tests To: "me"',
    );
  });
});

test.each([
  ['template_not_found', 'There is no template with this name on this channel, so nothing was sent.'],
  ['template_not_approved', 'This template is not approved yet, so nothing was sent.'],
  ['template_variables_missing', 'The template needs variables that this step leaves empty, so nothing was sent.'],
  ['recipient_opted_out', 'This person has opted out of messages, so nothing was sent.'],
  ['recipient_unreachable', 'This phone number cannot be reached on this channel, so nothing was sent.'],
])('halts in plain words when the service says %s', async (code, words) => {
  recordSends(422, { error: { code, message: 'No' } });
  await expect(send()).rejects.toMatchObject({ name: 'HaltedError', message: expect.stringContaining(words) });
});

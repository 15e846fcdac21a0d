import { events } from '../src/api/events';
import { message } from '../src/api/resources';
import { deliveryOf, signed, subscribeData } from './support/deliveries';
import { authData, expectCall, recordSends, toResponse } from './support/service';
import { runStep } from './support/zapier';

const receive = (request: object, kept = subscribeData) =>
  runStep('triggers.message_received.operation.perform', { authData, subscribeData: kept, ...request });

describe('a delivery', () => {
  test('that is huge is refused as quickly as a small one when it is forged', async () => {
    const { rawRequest } = signed(deliveryOf('message.received'));
    const content = JSON.stringify({ padding: 'x'.repeat(10_000_000) });
    await expect(receive({ rawRequest: { ...rawRequest, content } })).rejects.toThrow('may not come from');
  });

  test('that is huge and genuine starts the Zap', async () => {
    const text = 'x'.repeat(1_000_000);
    await expect(receive(signed(deliveryOf('message.received', { text })))).resolves.toMatchObject([{ text }]);
  });

  test.each([100, 3_000, 200_000])('that is genuine and nested %i deep gives a record or a sentence', async (depth) => {
    const { content, ...request } = signed(deliveryOf('message.received', { deep: 'HERE' }), {
      change: (text) => text.replace('"HERE"', '['.repeat(depth) + ']'.repeat(depth)),
    }).rawRequest;
    const result = await receive({ rawRequest: { ...request, content } }).catch((error: Error) => error.message);
    expect(JSON.stringify(result).slice(0, 200)).toMatch(/^(\[\{|"The messaging service sent something that .+\.")/);
  });

  test('that contains the token of the account gives a record without it', async () => {
    const text = `My key is ${authData.api_token}.`;
    const event = deliveryOf('message.received', { text, [authData.api_token]: [...authData.api_token].join(' ') });
    const received = await receive(signed(event));
    expect(received).toMatchObject([{ text: 'My key is ….', '…': '…' }]);
  });

  test('that is genuine cannot change what objects are', async () => {
    const poison = '"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}';
    const change = (text: string) => text.replace('"harmless":1', poison);
    const [record] = (await receive(signed(deliveryOf('message.received', { harmless: 1 }), { change }))) as object[];
    expect(record).toMatchObject({ id: events['message.received'].sample.id });
    expect(Object.getPrototypeOf(record)).toBe(Object.prototype);
    expect(record).not.toHaveProperty('polluted');
    expect({}).not.toHaveProperty('polluted');
  });
});

describe('what people and customers write', () => {
  const send = async (inputData: Record<string, unknown>) => {
    const sent = recordSends(202, message.sample);
    const templates = toResponse('listTemplates', 200, { data: [{ name: 'hello' }] });
    expectCall('listTemplates').interceptor.optionally().reply(200, templates);
    const input = { channel: 'whatsapp', template: 'hello', to: '+12025550123', ...inputData };
    await runStep('creates.send_message.operation.perform', { authData, inputData: input });
    return sent[0];
  };

  test.each([
    '{{bundle.authData.api_token',
    'process.env.PATH}}',
    '$' + '{7*7} #{7*7} <%= 7*7 %>',
    '"},"to":"+12025550145","x":{"a":"',
    '\u202eTXET\u202c מזמור العربية',
    '👩‍👩‍👧 line one\nline two\ttabbed',
    '<script>alert(1)</script>',
    '\ud800 a half of a character',
  ])('is sent as text and as nothing else: %j', async (text) => {
    const sent = await send({ variables: { note: text } });
    expect(sent?.body).toEqual({
      channel: 'whatsapp',
      template: 'hello',
      to: '+12025550123',
      variables: { note: text.toWellFormed() },
    });
  });

  test.each(['{{bundle.authData.api_token}}', '{{process.env.PATH}}'])('is not sent when it is %j', async (note) => {
    const inputData = { channel: 'whatsapp', template: 'hello', to: '+12025550123', variables: { note } };
    await expect(runStep('creates.send_message.operation.perform', { authData, inputData })).rejects.toThrow(
      'is a placeholder, not a value, so this step did nothing.',
    );
  });

  test.each(['__proto__', 'constructor', 'toString', 'a b', 'ключ'])('may be called %j', async (name) => {
    const sent = await send({ variables: JSON.parse(`{"${name}": "x"}`) });
    expect(JSON.stringify(sent?.body)).toContain(`"variables":{"${name}":"x"}`);
  });

  test.each(['a\r\nX-Evil: 1', 'a\u0000', 'é', 'x'.repeat(100_000)])(
    "can't add a header to a request: %j",
    async (deduplication_key) => {
      const sent = await send({ deduplication_key });
      expect(sent?.headers['idempotency-key']).toMatch(/^[0-9a-f]{64}$/);
      expect(sent?.headers).not.toHaveProperty('x-evil');
    },
  );
});

const endless = '<'.repeat(100_000);

test.each<[string, Record<string, unknown>, string]>([
  ['searches.find_contact', { name: endless }, 'Name'],
  ['searches.find_contact', { email: `${endless.replaceAll('<', 'x')}@example.com` }, 'Email'],
  ['searches.find_conversation', { conversation: endless }, 'Conversation'],
  ['searches.find_messages', { channel: endless }, 'Channel'],
  ['searches.find_template', { name: endless }, 'Name'],
  ['creates.update_contact', { contact: endless, first_name: 'Noor' }, 'Contact'],
  ['creates.trigger_campaign', { campaign: endless, audience: 'saved', max_recipients: '1' }, 'Campaign'],
  ['creates.api_request', { method: 'GET', path: endless, query: { limit: '10' } }, 'Path'],
  ['creates.api_request', { method: 'GET', path: 'contacts', query: { tag: endless } }, 'Query'],
  ['creates.api_request', { method: 'GET', path: 'contacts', query: { id: endless } }, 'Query'],
  ['creates.api_request', { method: 'GET', path: 'contacts', query: { [endless]: 'vip' } }, 'Query'],
  // Three thousand characters of a URL, and nine thousand.
  ['searches.find_template', { channel: 'x'.repeat(3_000), name: '漢'.repeat(1_000) }, 'Name'],
  ['triggers.new_contact', { tag: endless }, 'Tag'],
])('%s refuses an endless field by its label, before any request', async (place, inputData, label) => {
  await expect(runStep(`${place}.operation.perform`, { authData, inputData })).rejects.toMatchObject({
    name: 'HaltedError',
    message: `${label} is too long. Shorten it and try again.`,
  });
});

describe('an id', () => {
  const find = (id: string) =>
    runStep('searches.find_message.operation.perform', { authData, inputData: { message: id } });

  test.each([
    '../workspace',
    '..%2fworkspace',
    'a/../../workspace',
    'a?b=c',
    'a#b',
    'a\\b',
    'a\r\nb',
    '%',
    'ä',
    '{{x}}',
    '\ud800',
  ])('stays within its part of the path: %j', async (id) => {
    expectCall('getMessage', { id }).reply(200, message.sample);
    await expect(find(id)).resolves.toHaveLength(1);
  });

  test('that is endless is refused before any request', async () => {
    await expect(find(endless)).rejects.toThrow('Message is too long. Shorten it and try again.');
  });

  test.each(['.', '..', ' .. '])('that would climb is refused: %j', async (id) => {
    await expect(find(id)).rejects.toMatchObject({
      name: 'HaltedError',
      message: expect.stringContaining("isn't an ID or name"),
    });
  });

  test('of a template cannot climb when the form is shown', async () => {
    for (const name of ['..', '../x', 'a?b=c&d#e', 'x/../../webhooks']) {
      const inputData = { channel: 'whatsapp', template: name };
      expectCall('listTemplates', { query: { name, channel: 'whatsapp', limit: 100 } }).reply(200, { data: [] });
      const fields = await runStep('creates.send_message.operation.inputFields', { authData, inputData });
      expect((fields as { key: string }[]).map(({ key }) => key)).toContain('template_problem');
    }
  });
});

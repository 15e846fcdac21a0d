import { currentApp } from '../../scripts/docs/definition';
import { type EventName, events } from '../../src/api/events';
import { conversation, message } from '../../src/api/resources';
import { textOf, toLine, withText } from '../../src/messages/text';
import { stepsOf } from '../../zapier/core/app-definition';
import { deliveryOf, signed, subscribeData } from '../support/deliveries';
import { allowWebhooks, authData, expectCall } from '../support/service';
import { runStep } from '../support/zapier';

const photo = { type: 'image', url: 'https://files.example.com/1.jpg', name: 'parcel.jpg' };
const voice = { type: 'audio', url: null, name: null };
const received = events['message.received'].sample;

test.each([
  ['(photo)', [photo]],
  ['(voice message)', [voice]],
  ['(photo) (photo) (video)', [photo, photo, { type: 'video' }]],
  ['(document)', [{ type: 'document' }]],
  ['(location)', [{ type: 'location' }]],
  ['(attachment)', [{ type: 'a type that the service adds later' }]],
  ['(attachment)', [{}]],
  ['(no text)', []],
  ['(no text)', null],
  ['(no text)', undefined],
])('a message without a text is "%s" in place of it', (text, attachments) => {
  for (const empty of [null, '', ' \n']) {
    expect(textOf({ text: empty, attachments })).toBe(text);
    expect(toLine({ text: empty, attachments })).toBe(text);
    expect(withText({ ...received, text: empty, attachments }).text).toBe(text);
  }
});

test('a text stays as it is, and a line also names the attachments', () => {
  const captioned = { ...received, text: 'The box\nwas wet.', attachments: [photo] };
  expect(textOf(captioned)).toBe('The box\nwas wet.');
  expect(withText(captioned)).toEqual(captioned);
  expect(toLine(captioned)).toBe('The box was wet. (photo)');
});

test('a record that the service sends without a text gets none', () => {
  expect(withText({ id: 'msg_1' })).toEqual({ id: 'msg_1' });
  expect(withText({ ...conversation.sample, last_message: null })).toMatchObject({ last_message: null });
});

const triggersOf = (start: string) =>
  stepsOf(currentApp).flatMap(({ place, step }) => (step.key.startsWith(start) ? [place] : []));

const namesOf: Record<string, EventName> = {
  'triggers.message_received': 'message.received',
  'triggers.message_sent': 'message.sent',
  'triggers.message_status_updated': 'message.delivered',
  'triggers.message_failed': 'message.failed',
};

test.each(triggersOf('message_'))('%s gives a photo without a text as "(photo)", live and in a test', async (place) => {
  const name = namesOf[place];
  if (!name) throw new Error(`Say which event ${place} watches.`);
  const data = { text: null, attachments: [photo] };
  const bundle = { authData, inputData: {}, subscribeData };
  const expected = [
    expect.objectContaining({
      text: '(photo)',
      attachments: [{ ...photo, file: expect.stringContaining('hydrators.attachmentFile') }],
    }),
  ];
  const live = runStep(`${place}.operation.perform`, { ...bundle, ...signed(deliveryOf(name, data)) });
  await expect(live).resolves.toEqual(expected);
  allowWebhooks();
  expectCall('listMessages').reply(200, { data: [{ ...events[name].sample, ...data }] });
  await expect(runStep(`${place}.operation.performList`, bundle)).resolves.toEqual(expected);
});

test('a word to look for is not found in what stands in place of a text', async () => {
  const bundle = { authData, inputData: { contains: ['photo'] }, subscribeData };
  const delivered = signed(deliveryOf('message.received', { text: null, attachments: [photo] }));
  const run = runStep('triggers.message_received.operation.perform', { ...bundle, ...delivered });
  await expect(run).resolves.toEqual([]);
});

test('New Conversation says that its newest message has no text', async () => {
  const last_message = { id: 'msg_1', direction: 'inbound', text: null, created_at: received.created_at };
  const bundle = { authData, inputData: {}, subscribeData };
  const delivered = signed(deliveryOf('conversation.opened', { last_message }));
  await expect(
    runStep('triggers.conversation_opened.operation.perform', { ...bundle, ...delivered }),
  ).resolves.toMatchObject([{ last_message: { text: '(no text)' } }]);
});

test('a transcript, a summary and the searches name what has no text', async () => {
  const first = { ...message.sample, id: 'msg_1', created_at: '2026-06-11T09:41:00Z' };
  const sent = { ...received, id: 'msg_2', text: null, attachments: [voice], created_at: '2026-06-11T09:42:00Z' };
  const { id } = conversation.sample;
  const search = (key: string, inputData: object) =>
    runStep(`searches.${key}.operation.perform`, { authData, inputData: { ...inputData } });
  expectCall('getConversation', { id }).reply(200, conversation.sample);
  expectCall('listConversationMessages', { id }).reply(200, { data: [sent, first] });
  await expect(search('find_conversation', { conversation: id })).resolves.toMatchObject([
    {
      transcript: `[2026-06-11 09:41 UTC] Us: ${first.text}\n[2026-06-11 09:42 UTC] Noor Visser: (voice message)`,
      last_inbound_text: '(voice message)',
      messages: [{ text: '(voice message)' }, {}],
    },
  ]);
  expectCall('listMessages').reply(200, { data: [sent] });
  await expect(search('find_messages', {})).resolves.toMatchObject([
    {
      summary_line: '[2026-06-11 09:42 UTC] From Noor Visser +12025550123: (voice message) (received)',
      text: '(voice message)',
    },
  ]);
  expectCall('getMessage', { id: 'msg_2' }).reply(200, sent);
  await expect(search('find_message', { message: 'msg_2' })).resolves.toMatchObject([{ text: '(voice message)' }]);
  expectCall('getMessage', { id: 'msg_1' }).reply(200, first);
  expectCall('listMessages').reply(200, { data: [sent, first] });
  await expect(search('find_reply', { message: 'msg_1' })).resolves.toMatchObject([
    { reply_text: '(voice message)', text: '(voice message)' },
  ]);
});

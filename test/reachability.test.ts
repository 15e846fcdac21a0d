/** Has Phone Number: whether a step that sends can reach the person of a result. */
import { currentApp } from '../scripts/docs/definition';
import type { EndpointName } from '../src/api/endpoints';
import { contact, conversation, message } from '../src/api/resources';
import { plainFields, visibleStepsOf } from '../zapier/core/app-definition';
import { authData, expectCall } from './support/service';
import { runStep } from './support/zapier';

const results = visibleStepsOf(currentApp).flatMap(({ place, step }) => {
  const keys = (step.operation.outputFields ?? []).map(({ key }) => key);
  const isAboutPerson = keys.includes('contact__phone') || keys.includes('phone');
  // A step that sends knows the number from its form.
  const sends = plainFields(step).some(({ key }) => key === 'to');
  return isAboutPerson && !sends ? [{ place, keys, sample: step.operation.sample }] : [];
});

test('every result about a person declares it, and has it in its sample', () => {
  expect(results.length).toBeGreaterThanOrEqual(16);
  for (const { place, keys, sample } of results) {
    expect([place, keys.includes('has_phone_number'), typeof sample.has_phone_number]).toEqual([
      place,
      true,
      'boolean',
    ]);
  }
});

const { id } = conversation.sample;
const phone = '+12025550123';
const sent = { ...message.sample, created_at: '2026-06-11T09:00:00Z' };

/** The records that a service has of a person, by the call that gives them. */
const recordsOf = (person: { phone: string | null }) => {
  const known = { ...contact.sample, ...person };
  const wrote = { ...message.sample, id: 'msg_2', direction: 'inbound', contact: known, from: person.phone };
  return {
    createContact: known,
    getContact: known,
    updateContact: known,
    getConversation: { ...conversation.sample, contact: known },
    getMessage: wrote,
    listContacts: { data: [known] },
    listConversations: { data: [{ ...conversation.sample, contact: known }] },
    listConversationMessages: { data: [wrote] },
    listMessages: { data: [wrote] },
  };
};

const runs: [place: string, inputData: Record<string, unknown>, calls: (keyof ReturnType<typeof recordsOf>)[]][] = [
  ['triggers.new_contact', {}, ['listContacts']],
  ['creates.create_contact', { email: contact.sample.email }, ['createContact']],
  ['creates.upsert_contact', { email: contact.sample.email }, ['createContact']],
  ['creates.update_contact', { contact: id, first_name: 'Noor' }, ['updateContact']],
  ['searches.find_contact', { contact: id }, ['getContact']],
  ['searches.find_contact', { email: contact.sample.email }, ['listContacts']],
  ['searches.find_conversation', { conversation: id }, ['getConversation', 'listConversationMessages']],
  ['searches.find_conversations', {}, ['listConversations']],
  ['searches.find_message', { message: id }, ['getMessage']],
  ['searches.find_messages', {}, ['listMessages']],
];

describe.each(runs)('%s with %j', (place, inputData, calls) => {
  test.each([
    [phone, true],
    [null, false],
    ['US.13491208655302741918', false],
  ])('says of the number %j: %s', async (number, has_phone_number) => {
    const records = recordsOf({ phone: number });
    for (const name of calls) expectCall(name, { id }).reply(200, records[name]);
    const result: unknown = await runStep(`${place}.operation.perform`, { authData, inputData });
    expect([result].flat()).toEqual([expect.objectContaining({ has_phone_number })]);
  });
});

test.each([
  [phone, true],
  [null, false],
])('a reply from the number %j says: %s', async (from, has_phone_number) => {
  const person = { ...contact.sample, phone: from };
  const reply = { ...recordsOf(person).getMessage, created_at: '2026-06-11T09:12:00Z' };
  const answers: [EndpointName, object][] = [
    ['getMessage', { ...sent, contact: person }],
    ['listMessages', { data: [reply, { ...sent, contact: person }] }],
  ];
  for (const [name, body] of answers) expectCall(name, { id: sent.id }).reply(200, body);
  const found = runStep('searches.find_reply.operation.perform', { authData, inputData: { message: sent.id } });
  await expect(found).resolves.toMatchObject([{ id: 'msg_2', has_phone_number }]);
});

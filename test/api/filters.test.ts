/** Which records pass the filters of a Zap, when the service lists or delivers more than it was asked for. */
import { passesFilters } from '../../src/api/filters';
import { campaign, contact, conversation, message } from '../../src/api/resources';

type Row = [why: string, record: object, filters: Record<string, unknown>];

const phone = '+12025550123';

test.each<Row>([
  [
    'has a phone number, in whatever spelling',
    { ...contact.sample, phone: '+1 (202) 555-0123' },
    { phone: '+1 202 555 0123' },
  ],
  ['has an email address, in any case', contact.sample, { email: 'NOOR.visser@example.com' }],
  ['has a tag among others, in any case', contact.sample, { tag: 'Parcel-Customer' }],
  ['has a tag with a space after it', { ...contact.sample, tags: ['VIP '] }, { tag: 'vip' }],
  ['is of a contact', conversation.sample, { contact_id: 'con_7Hq2Zr' }],
  ['has one of several words', conversation.sample, { status: ['closed', 'open'] }],
  ['meets a filter that is empty', message.sample, { status: [], channel: undefined }],
  ['meets every filter', message.sample, { direction: 'outbound', source: ['api'] }],
  ['is a campaign with this ID', campaign.sample, { campaign_id: campaign.sample.id }],
  ["doesn't say a number, a contact or a status", { id: 'con_1' }, { phone, contact_id: 'con_2', status: 'open' }],
  [
    'has other fields named like the search and the page',
    { ...campaign.sample, query: 'x', limit: 5, after: 'y' },
    { query: 'summer', limit: 100, after: 'c1' },
  ],
])('a record passes that %s', (_why, record, filters) => {
  expect(passesFilters(record, filters)).toBe(true);
});

test.each<Row>([
  ['has another phone number', contact.sample, { phone: '+12025550187' }],
  ['has no phone number', { ...contact.sample, phone: null }, { phone }],
  ['has a phone number without a plus', { ...contact.sample, phone: '12025550123' }, { phone }],
  ["has a messaging app's ID with the digits of the number", { ...contact.sample, phone: 'US.12025550123' }, { phone }],
  ['has another email address', contact.sample, { email: 'b@example.com' }],
  [
    'has an email address with a letter that only looks alike',
    { ...contact.sample, email: 'kim@example.com' },
    { email: '\u212aim@example.com' },
  ],
  ['has other tags', contact.sample, { tag: 'vip' }],
  ['has no tags', { ...contact.sample, tags: [] }, { tag: 'vip' }],
  ['has null for its tags', { ...contact.sample, tags: null }, { tag: 'vip' }],
  ["doesn't say its tags, because tags choose people", { id: 'con_1' }, { tag: 'vip' }],
  ["doesn't say its consent, because consent chooses people", { id: 'con_1' }, { consent: 'opted_out' }],
  ['is of another contact', conversation.sample, { contact_id: 'con_2' }],
  ['is of no contact', { ...conversation.sample, contact: null }, { contact_id: 'con_2' }],
  ['is of a contact whose ID has other capitals', conversation.sample, { contact_id: 'CON_7HQ2ZR' }],
  ['is of a conversation whose ID has other capitals', message.sample, { conversation_id: 'cnv_3tn8lw' }],
  ['has another status', conversation.sample, { status: 'closed' }],
  ['has another direction', message.sample, { direction: 'inbound' }],
  ['has another channel', message.sample, { channel: 'sms' }],
  ['has another channel, but meets the other filter', message.sample, { channel: 'sms', direction: 'outbound' }],
  ['is of another campaign', message.sample, { campaign_id: 'cmp_1' }],
  ['is of no campaign, whose ID is no text', message.sample, { campaign_id: 'null' }],
  ['is another campaign', campaign.sample, { campaign_id: 'cmp_1' }],
])("a record doesn't pass that %s", (_why, record, filters) => {
  expect(passesFilters(record, filters)).toBe(false);
});

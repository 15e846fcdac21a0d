import { passesFilters } from '../../src/api/filters';
import { campaign, contact, conversation, message } from '../../src/api/resources';

test.each<[object, Record<string, unknown>]>([
  [contact.sample, { phone: '+12025550123', email: 'NOOR.visser@example.com', tag: 'Parcel-Customer' }],
  [{ ...contact.sample, phone: '+1 (202) 555-0123' }, { phone: '+1 202 555 0123' }],
  [conversation.sample, { contact_id: 'con_7Hq2Zr', status: ['closed', 'open'], channel: undefined }],
  [message.sample, { direction: 'outbound', status: [], source: ['api'], campaign_id: undefined }],
  [campaign.sample, { campaign_id: campaign.sample.id }],
  [{ id: 'con_1' }, { phone: '+12025550123', contact_id: 'con_2', status: 'open' }],
  [{ ...contact.sample, tags: ['VIP '] }, { tag: 'vip' }],
  [
    { ...campaign.sample, query: 'x', limit: 5, after: 'y' },
    { query: 'summer', limit: 100, after: 'c1' },
  ],
])('%j passes %j', (record, filters) => {
  expect(passesFilters(record, filters)).toBe(true);
});

test.each<[object, Record<string, unknown>]>([
  [contact.sample, { phone: '+12025550187' }],
  [contact.sample, { email: 'b@example.com' }],
  [{ ...contact.sample, email: 'kim@example.com' }, { email: '\u212aim@example.com' }],
  [contact.sample, { tag: 'vip' }],
  [{ ...contact.sample, phone: null }, { phone: '+12025550123' }],
  [{ ...contact.sample, phone: '12025550123' }, { phone: '+12025550123' }],
  [{ ...contact.sample, phone: 'US.12025550123' }, { phone: '+12025550123' }],
  [{ id: 'con_1' }, { tag: 'vip' }],
  [{ id: 'con_1' }, { consent: 'opted_out' }],
  [{ ...contact.sample, tags: [] }, { tag: 'vip' }],
  [{ ...contact.sample, tags: null }, { tag: 'vip' }],
  [message.sample, { campaign_id: 'null' }],
  [conversation.sample, { contact_id: 'con_2' }],
  [conversation.sample, { contact_id: 'CON_7HQ2ZR' }],
  [message.sample, { conversation_id: 'cnv_3tn8lw' }],
  [{ ...conversation.sample, contact: null }, { contact_id: 'con_2' }],
  [conversation.sample, { status: 'closed' }],
  [message.sample, { direction: 'inbound' }],
  [message.sample, { channel: 'sms' }],
  [message.sample, { campaign_id: 'cmp_1' }],
  [campaign.sample, { campaign_id: 'cmp_1' }],
])("%j doesn't pass %j", (record, filters) => {
  expect(passesFilters(record, filters)).toBe(false);
});

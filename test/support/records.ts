/** The records that runs of steps are about. */
import * as z from 'zod/mini';
import { type Account, callApi, control } from '../../lab/sandbox/client';
import { endpoints } from '../../src/api/endpoints';
import { campaign, contact, conversation, type Message, message } from '../../src/api/resources';
import { parcelMessage } from './running';

/** The records of a service that runs need: messages, and the ids of others. */
export interface Records {
  contact: string;
  conversation: string;
  campaign: string;
  sent: Message;
  reply: Message;
  /** A message, and a reply that arrives before Zapier knows what the step sent. */
  quicklyAnswered: Message;
  quickReply: Message;
  /** A message and its reply, with more than 100 messages between them. */
  slowlyAnswered: Message;
  slowReply: Message;
  /** A message that the contact answers on another channel. */
  answeredElsewhere: Message;
}

export const customer = '+12025550123';
/** Replies before Zapier knows what the step sent. */
export const quickCustomer = '+12025550124';
/** Replies after more than 100 messages of others. */
const slowCustomer = '+12025550126';
/** Replies on another channel. */
export const otherCustomer = '+12025550125';

/** Records for tests whose service responds with the examples of the contract. */
export const exampleRecords: Records = {
  contact: contact.sample.id,
  conversation: conversation.sample.id,
  campaign: campaign.sample.id,
  sent: message.sample,
  reply: message.sample,
  quicklyAnswered: message.sample,
  quickReply: message.sample,
  slowlyAnswered: message.sample,
  slowReply: message.sample,
  answeredElsewhere: message.sample,
};

/** What the address of the webhook that waits for the quick reply tells. */
export const quickFacts = ({ id }: Message) => ({ sent: id, sent_at: '0', already_sent: 'false', wait: 'quick' });

/** Creates the records in a sandbox. */
export const createRecords = async (account: Account): Promise<Records> => {
  const write = async (text: string, from = customer, channel = 'whatsapp') =>
    message.schema.parse(await control(account.url, 'POST', 'messages', { from, text, channel }));
  const send = (to: string) => callApi(account, endpoints.sendMessage, { body: parcelMessage(to) });

  const slowlyAnswered = await send(slowCustomer);
  for (let written = 0; written < 100; written += 1) await write('Hello?');
  const slowReply = await write('Yes', slowCustomer);
  // Find Reply stops at messages that are older than the one it looks up.
  await control(account.url, 'POST', 'clock', { advance_seconds: 60 });
  const sent = await send(customer);
  const reply = await write('Yes');
  const quicklyAnswered = await send(quickCustomer);
  const watch = {
    url: `https://hooks.example.com/2/?${new URLSearchParams(quickFacts(quicklyAnswered))}`,
    events: ['message.received'],
    filters: { from: [quickCustomer] },
  };
  await callApi(account, endpoints.createWebhook, { body: watch });
  const quickReply = await write('Yes', quickCustomer);
  const answeredElsewhere = await send(otherCustomer);
  await write('Yes', otherCustomer, 'sms');
  const { data: contacts } = await callApi(account, endpoints.listContacts, { query: { phone: customer } });
  const { data: campaigns } = await callApi(account, endpoints.listCampaigns, { query: { query: 'Zomertijden' } });
  const ids = z.object({ contact: z.string(), conversation: z.string(), campaign: z.string() });
  return {
    ...ids.parse({ contact: contacts[0]?.id, conversation: reply.conversation_id, campaign: campaigns[0]?.id }),
    sent,
    reply,
    quicklyAnswered,
    quickReply,
    slowlyAnswered,
    slowReply,
    answeredElsewhere,
  };
};

import { randomUUID } from 'node:crypto';
import * as zod from 'zod/mini';
import { endpoints } from '../src/api/endpoints';
import { delivery, events } from '../src/api/events';
import { once } from '../src/api/once';
import { type Message, message } from '../src/api/resources';
import { fromWire } from '../src/api/wire';
import { call, extendDeadlineForCleanup, find } from '../src/client';
import { halt } from '../src/errors';
import { readText } from '../src/input';
import { messageFields, readMessage, recipientField } from '../src/message-form';
import { parsePhoneNumber } from '../src/phone-number';
import { type Bundle, type CreatePerform, defineCreate, type ZObject } from '../src/platform';

const inputFields = messageFields();

interface Reply {
  reply_text: string | null;
  /** From the send to the reply, in whole minutes. */
  minutes_to_reply: number | null;
  reply: Message | null;
  sent: Message | null;
}

/** What `perform` leaves for `performResume`. Nothing is certain of it when the reply comes before the send is done. */
const waiting = once(() =>
  zod.object({
    webhook_id: zod.optional(zod.string()),
    recipient: zod.optional(zod.string()),
    sent: zod.optional(message.schema),
  }),
);

/** Stops watching. A watch that cannot be removed must not hide the reply, or why the send failed. */
const stopWatching = (z: ZObject, id: string): Promise<unknown> => {
  extendDeadlineForCleanup(z);
  const stop = () => find(z, endpoints.deleteWebhook, { id });
  return stop()
    .catch(stop)
    .catch(() => undefined);
};

const perform = (async (z, bundle) => {
  const send = await readMessage(z, inputFields, bundle);
  // Zapier does not wait in a test, so nothing would ever stop a watch that a test began.
  if (bundle.meta?.isLoadingSample) {
    const sent = await call(z, endpoints.sendMessage, send);
    return { reply_text: null, minutes_to_reply: null, reply: null, sent };
  }
  const { id } = await call(z, endpoints.createWebhook, {
    body: { url: z.generateCallbackUrl(), events: ['message.received'], filters: { from: [send.body.to] } },
    // So that it can be asked for again when the answer is lost, and no watch stays that nobody knows of.
    idempotencyKey: randomUUID(),
  });
  try {
    const sent = await call(z, endpoints.sendMessage, send);
    return { sent, recipient: send.body.to, webhook_id: id };
  } catch (error) {
    await stopWatching(z, id);
    throw error;
  }
}) satisfies CreatePerform<typeof inputFields>;

/**
 * The message that was delivered, as the service itself has it. The callback carries no signature that could be checked
 * without keeping its secret in the history of the Zap, so what cannot be confirmed is not believed.
 */
const confirm = async (z: ZObject, body: unknown): Promise<Message | undefined> => {
  const event = delivery().safeParse(fromWire(delivery(), body)).data;
  const delivered = message.schema.safeParse(fromWire(message.schema, event?.data)).data;
  return delivered && find(z, endpoints.getMessage, { id: delivered.id });
};

const digits = (number: string): string => number.replace(/\D/g, '');

/** Whether the person that we wrote to wrote the message, as far as it says who did. */
const isFrom = ({ direction, from }: Message, recipient: string | undefined): boolean =>
  direction === 'inbound' && (!from || !recipient || digits(from) === digits(recipient));

/** The person that the form of the step names, for a reply that comes before the send is done. */
const readRecipient = async ({ inputData, authData }: Bundle): Promise<string | undefined> => {
  const to = readText(inputData.to);
  const country = readText(inputData.default_country) ?? authData.default_country;
  return to && parsePhoneNumber(recipientField.label, to, country);
};

const minutesBetween = (sent: Message | undefined, reply: Message): number | null => {
  const minutes = (Date.parse(reply.created_at ?? '') - Date.parse(sent?.created_at ?? '')) / 60_000;
  return Number.isNaN(minutes) ? null : Math.max(0, Math.round(minutes));
};

const performResume = async (z: ZObject, bundle: Bundle): Promise<Reply> => {
  const { webhook_id: webhookId, recipient, sent } = waiting().safeParse(bundle.outputData).data ?? {};
  const reply = await confirm(z, bundle.cleanedRequest).finally(() => webhookId && stopWatching(z, webhookId));
  if (!reply || !isFrom(reply, recipient ?? (await readRecipient(bundle)))) {
    throw halt('What arrived is not a reply of this contact, so the Zap stopped waiting. Look at the conversation.');
  }
  return {
    reply_text: reply.text ?? null,
    minutes_to_reply: minutesBetween(sent, reply),
    reply,
    sent: sent ?? null,
  };
};

export default defineCreate({
  key: 'send_message_and_wait',
  noun: 'Message',
  display: {
    label: 'Send Message and Wait for Reply',
    description: 'Sends a template message, waits up to 30 days, and goes on when the contact replies.',
  },
  operation: {
    inputFields,
    perform,
    performResume,
    sample: {
      reply_text: events['message.received'].sample.text,
      minutes_to_reply: 12,
      reply: events['message.received'].sample,
      sent: message.sample,
    },
  },
});

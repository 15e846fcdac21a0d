import { randomUUID } from 'node:crypto';
import { type Bundle, type CreatePerform, defineCreate, type ZObject } from 'zapier-platform-core';
import * as zod from 'zod/mini';
import { decode, decodeDelivery } from '../src/api/decode';
import { endpoints } from '../src/api/endpoints';
import { events } from '../src/api/events';
import { type Message, message, type Webhook } from '../src/api/resources';
import { parsePhoneNumber } from '../src/formats/phone-number';
import { isFrom, isOlder, isSameNumber, minutesBetween } from '../src/formats/reply';
import { countryField } from '../src/forms/country-field';
import { readInput } from '../src/forms/input';
import { messageFields, messageGroups, queuedMessage, readMessage, recipientField } from '../src/forms/message-form';
import { outputFieldsOf } from '../src/forms/output';
import { call, extendDeadlineForCleanup, find } from '../src/http/client';
import { fail, halt } from '../src/platform/errors';

const inputFields = messageFields();

const result = zod.object({
  reply_text: zod.nullable(zod.string()),
  /** From the send to the reply, in whole minutes. */
  minutes_to_reply: zod.nullable(zod.number()),
  reply: message.schema,
  sent: zod.nullable(message.schema),
});
type Result = zod.output<typeof result>;

/** The output of `perform` for `performResume`. Empty when the reply arrives before `perform` returns. */
const waiting = zod.object({
  webhook_id: zod.optional(zod.string()),
  recipient: zod.optional(zod.string()),
  sent: zod.optional(message.schema),
});

/** Deletes the webhook. Ignores a failure, which would hide the reply or the reason why the send failed. */
const stopWatching = (z: ZObject, id: string): Promise<unknown> => {
  extendDeadlineForCleanup(z);
  const stop = () => find(z, endpoints.deleteWebhook, { id });
  return stop()
    .catch(stop)
    .catch(() => undefined);
};

/** Whether the webhook is limited to this person. Without the filter, anyone's message would end the wait. */
const watchesOnly = ({ filters }: Webhook, recipient: string): boolean => {
  const from = [filters?.from ?? []].flat();
  return from.length > 0 && from.every((number) => isSameNumber(String(number), recipient));
};

const callbackUrl = (z: ZObject): string => {
  const url: unknown = z.generateCallbackUrl();
  if (typeof url === 'string' && url) return url;
  throw halt(
    "This step can wait for a reply only in a Zap that's turned on, so nothing was sent. Turn on the Zap, or use Send Template Message.",
  );
};

/** Creates a webhook for messages from one person and returns its id. On failure, it deletes the webhook and throws. */
const startWatching = async (z: ZObject, url: string, recipient: string): Promise<string> => {
  const webhook = await call(z, endpoints.createWebhook, {
    body: { url, events: ['message.received'], filters: { from: [recipient] } },
    // A retry with the same key doesn't create a second webhook.
    idempotencyKey: randomUUID(),
  });
  if (watchesOnly(webhook, recipient)) return webhook.id;
  await stopWatching(z, webhook.id);
  throw fail(
    "The messaging service can't wait for replies from one person, so nothing was sent. Use Send Template Message, then Find Reply after a delay.",
    'filters_not_supported',
  );
};

const replySample = events['message.received'].sample;

/** Returns an example reply of the person who got the message, so that tests of later steps reach no one else. */
const exampleReplyTo = ({ contact, conversation_id, channel, to, from }: Message): Message => ({
  ...replySample,
  contact: contact ?? null,
  conversation_id: conversation_id ?? null,
  channel: channel ?? null,
  from: to ?? null,
  to: from ?? null,
});

const perform = (async (z, bundle) => {
  const url = bundle.meta?.isLoadingSample ? undefined : callbackUrl(z);
  const send = await readMessage(z, inputFields, bundle);
  // Zapier doesn't wait in a test, so nothing would delete the webhook. An example reply helps to build later steps.
  if (!url) {
    const sent = await call(z, endpoints.sendMessage, send);
    const reply = exampleReplyTo({ ...sent, to: send.body.to });
    return { reply_text: replySample.text, minutes_to_reply: 12, reply, sent };
  }
  const recipient = send.body.to;
  const webhookId = await startWatching(z, url, recipient);
  try {
    const sent = await call(z, endpoints.sendMessage, send);
    return { sent, recipient, webhook_id: webhookId };
  } catch (error) {
    await stopWatching(z, webhookId);
    throw error;
  }
}) satisfies CreatePerform<typeof inputFields>;

/**
 * Returns the message that a callback names, as the API has it; undefined when there is none. Checking the signature
 * instead would put the secret into the Zap's history.
 */
const fetchReply = async (z: ZObject, body: unknown): Promise<Message | undefined> => {
  const event = decodeDelivery(body)?.find(({ type }) => type === 'message.received');
  const delivered = event && decode(message.schema, event.data).data;
  const found = delivered && (await find(z, endpoints.getMessage, { id: delivered.id }));
  return found?.id === delivered?.id ? found : undefined;
};

/** Returns the phone number from the form, for a reply that arrives before `perform` returns. */
const recipientOfForm = async ({ inputData, authData }: Bundle): Promise<string> => {
  const { to, default_country: country } = readInput([recipientField, countryField], inputData);
  return parsePhoneNumber(recipientField.label, to, country ?? authData.default_country);
};

const performResume = async (z: ZObject, bundle: Bundle): Promise<Result> => {
  const { webhook_id: webhookId, recipient, sent } = waiting.safeParse(bundle.outputData).data ?? {};
  const reply = await fetchReply(z, bundle.cleanedRequest).finally(() => webhookId && stopWatching(z, webhookId));
  if (!reply || isOlder(reply, sent) || !isFrom(reply, recipient ?? (await recipientOfForm(bundle)))) {
    throw halt(
      "The incoming message wasn't a reply from this contact, so the Zap stopped waiting. Check the conversation in the messaging service.",
    );
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
    description: 'Sends a template message, then pauses the Zap until the contact replies, for up to 30 days.',
  },
  operation: {
    inputFieldGroups: messageGroups,
    inputFields,
    perform,
    performResume,
    sample: {
      reply_text: events['message.received'].sample.text,
      minutes_to_reply: 12,
      reply: events['message.received'].sample,
      sent: queuedMessage.sample,
    },
    outputFields: outputFieldsOf(result, { reply: 'Reply Message', sent: 'Sent Message' }),
  },
});

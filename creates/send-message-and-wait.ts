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

/** What `perform` leaves for `performResume`. All of it is missing when the reply arrives before `perform` has returned. */
const waiting = zod.object({
  webhook_id: zod.optional(zod.string()),
  recipient: zod.optional(zod.string()),
  sent: zod.optional(message.schema),
});

/** Stops watching. A failure to do so must not hide the reply, or why the send failed. */
const stopWatching = (z: ZObject, id: string): Promise<unknown> => {
  extendDeadlineForCleanup(z);
  const stop = () => find(z, endpoints.deleteWebhook, { id });
  return stop()
    .catch(stop)
    .catch(() => undefined);
};

/** Whether the service watches for this person alone. Without the filter, anybody's message would end the wait. */
const watchesOnly = ({ filters }: Webhook, recipient: string): boolean => {
  const from = [filters?.from ?? []].flat();
  return from.length > 0 && from.every((number) => isSameNumber(String(number), recipient));
};

const callbackUrl = (z: ZObject): string => {
  const url: unknown = z.generateCallbackUrl();
  if (typeof url === 'string' && url) return url;
  throw halt(
    'Zapier gave this step no address to wait at, so nothing was sent. This step waits only in a Zap that is turned on, not on the command line.',
  );
};

/** Starts watching for the next message of one person. Throws a sentence, and leaves nothing behind, when it can't. */
const startWatching = async (z: ZObject, url: string, recipient: string): Promise<string> => {
  const webhook = await call(z, endpoints.createWebhook, {
    body: { url, events: ['message.received'], filters: { from: [recipient] } },
    // A request whose response was lost is repeated with the same key, so that it leaves no second webhook behind.
    idempotencyKey: randomUUID(),
  });
  if (watchesOnly(webhook, recipient)) return webhook.id;
  await stopWatching(z, webhook.id);
  throw fail(
    "The messaging service can't watch for the replies of one person, so nothing was sent. Use Send Template Message, then Find Reply after a delay.",
    'filters_not_supported',
  );
};

const exampleReply = events['message.received'].sample;

const perform = (async (z, bundle) => {
  const url = bundle.meta?.isLoadingSample ? undefined : callbackUrl(z);
  const send = await readMessage(z, inputFields, bundle);
  // Zapier doesn't wait in a test, so nothing would ever stop the watch. The example lets people build the next steps.
  if (!url) {
    const sent = await call(z, endpoints.sendMessage, send);
    return { reply_text: exampleReply.text, minutes_to_reply: 12, reply: exampleReply, sent };
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
 * Returns the message that the callback is about, as the service itself has it. A signature could be checked only by
 * keeping the secret in the Zap's history, so a message that the service doesn't confirm isn't used.
 */
const confirm = async (z: ZObject, body: unknown): Promise<Message | undefined> => {
  const event = decodeDelivery(body)?.find(({ type }) => type === 'message.received');
  const delivered = event && decode(message.schema, event.data).data;
  return delivered && find(z, endpoints.getMessage, { id: delivered.id });
};

/** Returns the person whom the step's form names, for a reply that arrives before the send has returned. */
const recipientOfForm = async ({ inputData, authData }: Bundle): Promise<string> => {
  const { to, default_country: country } = readInput([recipientField, countryField], inputData);
  return parsePhoneNumber(recipientField.label, to, country ?? authData.default_country);
};

const performResume = async (z: ZObject, bundle: Bundle): Promise<Result> => {
  const { webhook_id: webhookId, recipient, sent } = waiting.safeParse(bundle.outputData).data ?? {};
  const reply = await confirm(z, bundle.cleanedRequest).finally(() => webhookId && stopWatching(z, webhookId));
  if (!reply || isOlder(reply, sent) || !isFrom(reply, recipient ?? (await recipientOfForm(bundle)))) {
    throw halt(
      "The incoming message wasn't a reply from this contact, so the Zap stopped waiting. Look at the conversation.",
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
    description: 'Sends a template message, waits up to 30 days, and goes on when the contact replies.',
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

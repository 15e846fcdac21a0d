import { type Bundle, type CreatePerform, defineCreate, type ZObject } from 'zapier-platform-core';
import * as zod from 'zod/mini';
import { decode, decodeDelivery } from '../src/api/decode';
import { endpoints, pageSize } from '../src/api/endpoints';
import { events } from '../src/api/events';
import { type Message, message } from '../src/api/resources';
import { parsePhoneNumber } from '../src/formats/phone-number';
import { isFrom, isOlder, isSameNumber, minutesBetween } from '../src/formats/reply';
import { readInput } from '../src/forms/input';
import {
  messageFields,
  messageGroups,
  queuedMessageSample,
  readMessage,
  recipientField,
} from '../src/forms/message-form';
import { outputFieldsOf } from '../src/forms/output';
import { call, find } from '../src/http/client';
import { halt } from '../src/platform/errors';
import { startWatching, stopWatching, stopWatchingPerson } from '../src/webhooks/reply-webhook';

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
const waiting = zod.object({ webhook_id: zod.string(), recipient: zod.string(), sent: message.schema });

const callbackUrl = (z: ZObject): string => {
  const url: unknown = z.generateCallbackUrl();
  if (typeof url === 'string' && url) return url;
  throw halt(
    "This step can wait for a reply only in a Zap that's turned on, so nothing was sent. Turn on the Zap, or use Send Template Message.",
  );
};

const replySample = events['message.received'].sample;

/** The time from the message to the example reply. */
const exampleMinutes = 12;

const addMinutes = (time: string, minutes: number): string => {
  const instant = new Date(Date.parse(time) + minutes * 60_000);
  return Number.isNaN(instant.getTime()) ? time : instant.toISOString();
};

/** Returns an example reply of the person who got the message, so that tests of later steps reach no one else. */
const exampleReplyTo = ({ contact, conversation_id, channel, to, from, created_at }: Message): Message => ({
  ...replySample,
  created_at: created_at && addMinutes(created_at, exampleMinutes),
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
    return { reply_text: replySample.text, minutes_to_reply: exampleMinutes, reply, sent };
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

/** How long a step takes at most, in milliseconds. A reply that overtakes it comes sooner after the message. */
const maxStepMs = 30_000;

/**
 * Returns the message that a reply answers when the reply arrives before `perform` returns: the newest one with the
 * template of the form, shortly before the reply. An older one belongs to another run.
 */
const findSent = async (
  z: ZObject,
  template: string,
  recipient: string,
  reply: Message,
): Promise<Message | undefined> => {
  const { data } = await call(z, endpoints.listMessages, {
    query: { direction: 'outbound', conversation_id: reply.conversation_id ?? undefined, limit: pageSize.max },
  });
  const sent = data.find((each) => each.template === template && isSameNumber(each.to ?? '', recipient));
  const elapsed = Date.parse(reply.created_at ?? '') - Date.parse(sent?.created_at ?? '');
  return elapsed <= maxStepMs ? sent : undefined;
};

const notAReply = (): Error =>
  halt(
    "The incoming message wasn't a reply from this contact, so the Zap stopped waiting. Check the conversation in the messaging service.",
  );

const toResult = (reply: Message, sent: Message): Result => ({
  reply_text: reply.text ?? null,
  minutes_to_reply: minutesBetween(sent, reply),
  reply,
  sent,
});

/** Resumes before `perform` returns, so that only the form says who got the message. */
const resumeEarly = async (z: ZObject, { inputData, authData, cleanedRequest }: Bundle): Promise<Result> => {
  const { to, default_country: country, template } = readInput(inputFields, inputData);
  const recipient = await parsePhoneNumber(recipientField.label, to, country ?? authData.default_country);
  try {
    const reply = await fetchReply(z, cleanedRequest);
    const sent = reply && isFrom(reply, recipient) && (await findSent(z, template, recipient, reply));
    if (!reply || !sent || isOlder(reply, sent)) throw notAReply();
    return toResult(reply, sent);
  } finally {
    await stopWatchingPerson(z, recipient);
  }
};

const performResume = async (z: ZObject, bundle: Bundle): Promise<Result> => {
  const { data } = waiting.safeParse(bundle.outputData);
  if (!data) return resumeEarly(z, bundle);
  const { webhook_id: webhookId, recipient, sent } = data;
  const reply = await fetchReply(z, bundle.cleanedRequest).finally(() => stopWatching(z, webhookId));
  if (!reply || isOlder(reply, sent) || !isFrom(reply, recipient)) throw notAReply();
  return toResult(reply, sent);
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
      reply_text: replySample.text,
      minutes_to_reply: exampleMinutes,
      reply: replySample,
      sent: queuedMessageSample,
    },
    outputFields: outputFieldsOf(result, { reply: 'Reply Message', sent: 'Sent Message' }),
  },
});

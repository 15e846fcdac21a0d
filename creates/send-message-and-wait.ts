import { type Bundle, type CreatePerform, defineCreate, type ZObject } from 'zapier-platform-core';
import * as zod from 'zod/mini';
import { endpoints } from '../src/api/endpoints';
import { type Message, message } from '../src/api/resources';
import { exampleMinutes, exampleReplyTo, replySample } from '../src/formats/example-reply';
import { parsePhoneNumber } from '../src/formats/phone-number';
import { isOlder, minutesBetween } from '../src/formats/reply';
import { readInput } from '../src/forms/input';
import { messageFields, messageGroups, queuedMessageSample, readMessage } from '../src/forms/message-form';
import { fieldsIn, outputFieldsOf } from '../src/forms/output';
import { recipientField } from '../src/forms/recipient';
import { call } from '../src/http/client';
import { halt } from '../src/platform/errors';
import { fetchReply, findSent } from '../src/webhooks/reply-callback';
import { startWatching, stopWatchingPerson } from '../src/webhooks/reply-webhook';
import { discardWebhook } from '../src/webhooks/webhook';

const inputFields = messageFields();

const result = zod.object({
  reply_text: zod.nullable(zod.string()),
  /** From the send to the reply, in whole minutes. */
  minutes_to_reply: zod.nullable(zod.number()),
  reply: message.schema,
  sent: zod.nullable(message.schema),
});
type Result = zod.output<typeof result>;

/** Returns the result for a reply to a message. Throws an error when it isn't one. */
const toResult = (reply: Message | undefined, sent: Message | undefined): Result => {
  if (!reply || !sent || isOlder(reply, sent)) {
    throw halt(
      "The incoming message wasn't a reply from this contact, so the Zap stopped waiting. Check the conversation in the messaging service.",
    );
  }
  return { reply_text: reply.text ?? null, minutes_to_reply: minutesBetween(sent, reply), reply, sent };
};

/** The output of `perform` for `performResume`. Empty when the reply arrives before `perform` returns. */
const waiting = zod.object({ webhook_id: zod.string(), recipient: zod.string(), sent: message.schema });

const callbackUrl = (z: ZObject): string => {
  const url: unknown = z.generateCallbackUrl();
  if (typeof url === 'string' && url) return url;
  throw halt(
    "This step can wait for a reply only in a Zap that's turned on, so nothing was sent. Turn on the Zap, or use Send Template Message.",
  );
};

/** Sends the message, and returns an example reply. Zapier doesn't wait in a test of the editor. */
const performTest = async (z: ZObject, bundle: Bundle): Promise<Result> => {
  const input = await readMessage(z, inputFields, bundle);
  const sent = await call(z, endpoints.sendMessage, input);
  const reply = exampleReplyTo({ ...sent, to: input.body.to });
  return { ...toResult(reply, sent), minutes_to_reply: exampleMinutes };
};

const performWait = async (z: ZObject, bundle: Bundle): Promise<zod.output<typeof waiting>> => {
  const url = callbackUrl(z);
  const input = await readMessage(z, inputFields, bundle);
  const recipient = input.body.to;
  const webhookId = await startWatching(z, url, recipient);
  try {
    const sent = await call(z, endpoints.sendMessage, input);
    return { sent, recipient, webhook_id: webhookId };
  } catch (error) {
    await discardWebhook(z, webhookId);
    throw error;
  }
};

const perform = (async (z, bundle) =>
  bundle.meta?.isLoadingSample ? performTest(z, bundle) : performWait(z, bundle)) satisfies CreatePerform<
  typeof inputFields
>;

/** Resumes before `perform` returns, so that only the form says who got the message. */
const resumeEarly = async (z: ZObject, { inputData, authData, cleanedRequest }: Bundle): Promise<Result> => {
  const { to, default_country: country, template } = readInput(inputFields, inputData);
  const recipient = await parsePhoneNumber(recipientField.label, to, country ?? authData.default_country);
  try {
    const reply = await fetchReply(z, cleanedRequest, recipient);
    return toResult(reply, reply && (await findSent(z, template, recipient, reply)));
  } finally {
    await stopWatchingPerson(z, recipient);
  }
};

const performResume = async (z: ZObject, bundle: Bundle): Promise<Result> => {
  const { data } = waiting.safeParse(bundle.outputData);
  if (!data) return resumeEarly(z, bundle);
  const { webhook_id: webhookId, recipient, sent } = data;
  const reply = await fetchReply(z, bundle.cleanedRequest, recipient).finally(() => discardWebhook(z, webhookId));
  return toResult(reply, sent);
};

const sample = toResult(replySample, queuedMessageSample);

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
    sample,
    outputFields: fieldsIn(sample, outputFieldsOf(result, { reply: 'Reply Message', sent: 'Sent Message' })),
  },
});

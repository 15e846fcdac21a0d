import { type Bundle, type CreatePerform, defineCreate, defineInputFields, type ZObject } from 'zapier-platform-core';
import * as zod from 'zod/mini';
import { endpoints } from '../src/api/endpoints';
import { pick } from '../src/api/json';
import { type Message, message } from '../src/api/resources';
import { withFiles } from '../src/message/files';
import { messageFields, messageGroups, queuedMessageSample, readMessage, sendMessage } from '../src/message/form';
import { parsePhoneNumber } from '../src/message/phone';
import { recipientField } from '../src/message/recipient';
import { exampleMinutes, exampleReplyTo, replySample } from '../src/reply/example';
import { minutesBetween } from '../src/reply/judge';
import { checkWaiting, type EndedWait, endWait, readWaiting, sendAndWait, sentAtOf, waitDays } from '../src/reply/wait';
import { answers, type YesOrNo, yesOrNo } from '../src/reply/yes-or-no';
import { fail, halt, isHalt, isReconnect } from '../src/step/errors';
import { readInput } from '../src/step/input';
import { sendingLimit } from '../src/step/limits';
import { isSafeToReplay } from '../src/step/once';
import { output } from '../src/step/output';
import type { TimeZone } from '../src/step/time-zone';
import { summaryLine, textOf, withText } from '../src/text/lines';
import { answerWordFields } from '../src/text/phrase-fields';

const inputFields = defineInputFields([
  ...messageFields,
  ...answerWordFields.map((field) => ({ ...field, group: 'reply' })),
]);

/** What a later step can use of the message that the step sent. The form of the step has the rest. */
const inSent = { id: true, conversation_id: true, text: true, url: true, created_at: true } as const;

/** What every reply is, such as inbound, and what only messages of ours have, such as a template. */
const notInReply = {
  campaign_id: true,
  campaign_name: true,
  direction: true,
  template: true,
  variables: true,
  status: true,
  error: true,
  source: true,
  sent_at: true,
  delivered_at: true,
  read_at: true,
  failed_at: true,
} as const;

const replyPart = zod.omit(message.schema, notInReply);

const toReplyPart = (reply: Message): zod.output<typeof replyPart> => {
  const rest = Object.entries(reply).filter(([key]) => !Object.hasOwn(notInReply, key));
  // The compiler doesn't follow keys through entries.
  return Object.fromEntries(rest) as zod.output<typeof replyPart>;
};

const result = zod.object({
  reply_text: zod.nullable(zod.string()),
  answer: zod.enum(answers),
  /** From the send to the reply, in whole minutes. */
  minutes_to_reply: zod.nullable(zod.number()),
  summary_line: zod.string(),
  already_sent: zod.boolean(),
  reply: replyPart,
  sent: zod.pick(message.schema, inSent),
});
type Result = zod.output<typeof result>;

const describeReply = (
  { reply, sent, already_sent }: Pick<EndedWait, 'reply' | 'sent' | 'already_sent'>,
  answer: YesOrNo,
  timeZone: TimeZone,
): Result => ({
  reply_text: textOf(reply),
  answer,
  minutes_to_reply: minutesBetween(sent, reply),
  summary_line: summaryLine(reply, timeZone),
  already_sent,
  reply: toReplyPart(withText(reply)),
  sent: pick(sent, inSent),
});

/** Sends the message, and returns an example reply. Zapier doesn't wait in a test of the editor. */
const performTest = async (
  z: ZObject,
  input: Awaited<ReturnType<typeof readMessage>>,
  { inputData, meta }: Bundle,
): Promise<Result> => {
  await checkWaiting(z);
  const { already_sent, ...sent } = await sendMessage(z, input);
  const reply = exampleReplyTo({ ...sent, to: input.body.to });
  const answer = yesOrNo(reply, readInput(answerWordFields, inputData));
  return { ...describeReply({ reply, sent, already_sent }, answer, meta?.timezone), minutes_to_reply: exampleMinutes };
};

const perform = (async (z, bundle) => {
  const input = await readMessage(z, bundle);
  return bundle.meta?.isLoadingSample ? performTest(z, input, bundle) : sendAndWait(z, input);
}) satisfies CreatePerform<typeof inputFields>;

const readRecipientNumber = ({ inputData, authData }: Bundle): Promise<string> => {
  const { to } = readInput(messageFields, inputData);
  return parsePhoneNumber(recipientField.label, to, authData.default_country);
};

const unread =
  "The contact wrote, but the Zap stopped because it couldn't read the message. Read the message in the messaging service.";

const uncertain =
  "The incoming message may not be this contact's reply, so the Zap stopped waiting. Check the conversation in the messaging service.";

const uncertainButRepeatable =
  "The incoming message may not be this contact's reply, so the Zap stopped waiting. Replay the run within 12 hours of the message to wait again without sending it twice.";

const anotherAnswered =
  "The contact's reply may answer another message of yours, so the Zap stopped. Check the conversation in the messaging service.";

const disconnected =
  "The contact wrote, but the Zap stopped because the API token isn't accepted. Reconnect this account, then replay the run within 12 hours of the message. It isn't sent twice.";

const disconnectedAndUnread =
  "The contact wrote, but the Zap stopped because the API token isn't accepted. Reconnect this account, and read the message in the messaging service.";

/**
 * Returns the error for a reply that couldn't be read. Autoreplay may repeat only what's safe, and a run that's on hold
 * for a new token may outlive the person's key.
 */
const unreadError = (error: unknown, canReplay: boolean): unknown => {
  if (isHalt(error)) return error;
  if (isReconnect(error)) return halt(canReplay ? disconnected : disconnectedAndUnread);
  return canReplay ? error : halt(unread);
};

const performResume = async (z: ZObject, bundle: Bundle): Promise<Result> => {
  const stored = readWaiting(bundle.outputData);
  // A replay runs the whole step again, and only the person's key prevents a second message.
  const canReplay = isSafeToReplay(endpoints.sendMessage, bundle, sentAtOf(stored, bundle));
  const ended = await endWait(z, stored, bundle, async () => readRecipientNumber(bundle)).catch((error: unknown) => {
    throw unreadError(error, canReplay);
  });
  if (!ended || ended.verdict === 'unclear')
    throw canReplay ? fail(uncertainButRepeatable, 'no_reply') : halt(uncertain);
  if (ended.verdict === 'doubtful') throw halt(anotherAnswered);
  const answer = yesOrNo(ended.reply, readInput(answerWordFields, bundle.inputData));
  return describeReply({ ...ended, reply: withFiles(z, ended.reply) }, answer, bundle.meta?.timezone);
};

const sample = describeReply(
  {
    reply: replySample,
    sent: queuedMessageSample,
    already_sent: false,
  },
  'other',
  undefined,
);

export default defineCreate({
  key: 'send_message_and_wait',
  noun: 'Message',
  display: {
    label: 'Send Message and Wait for Reply',
    description: `Sends a template message, then continues when the contact replies within ${waitDays} days (Advanced plan).`,
  },
  operation: {
    throttle: sendingLimit,
    inputFieldGroups: [...messageGroups, { key: 'reply', label: 'Reply' }],
    inputFields,
    perform,
    performResume,
    ...output({
      parts: { reply: message, sent: message },
      schema: result,
      sample,
      labels: { reply: 'Reply Message', sent: 'Sent Message' },
    }),
  },
});

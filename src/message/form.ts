import { type Bundle, defineInputFields, type ZObject } from 'zapier-platform-core';
import { endpoints, type Input } from '../api/endpoints';
import { type FieldLabels, toLabel } from '../api/labels';
import { type Message, message } from '../api/resources';
import { call, send } from '../call/call';
import { decodeExchange } from '../call/decode-response';
import { channelField, templateField } from '../step/dropdowns';
import { halt } from '../step/errors';
import { formLabels, readInput } from '../step/input';
import { deduplicationFields, readIdempotencyKey, readRepeatKey } from '../step/once';
import { foldCase } from '../text/fold';
import { numberIdentity } from './phone';
import { readRecipient, recipientField, refuseHiddenNumber, testRecipientFields } from './recipient';
import { readTemplate } from './template';
import { templateFields } from './template-fields';
import { readVariables } from './variable-values';

/** The sections of a form that sends a message. Template variables belong to the first. */
export const messageGroups = [
  { key: 'message', label: 'Message', emphasize: true },
  { key: 'recipient', label: 'Recipient' },
  { key: 'repeats', label: 'Repeats' },
];

/** The fields for one template message. */
export const messageFields = defineInputFields([
  { ...channelField, group: 'message' },
  { ...templateField, group: 'message' },
  templateFields,
  recipientField,
  testRecipientFields,
  ...deduplicationFields(endpoints.sendMessage),
]);

/** A message as the API returns it once accepted, before it's sent. */
export const queuedMessageSample = {
  ...message.sample,
  status: 'queued',
  sent_at: null,
  delivered_at: null,
};

type SendInput = Input<typeof endpoints.sendMessage>;

/** Returns the field in which a message differs from the one that was to be sent; undefined if nothing shows that. */
const differenceOf = (
  sent: Message,
  { to, template, channel }: SendInput['body'],
): 'to' | 'template' | 'channel' | undefined => {
  const [number, wanted] = [numberIdentity(sent.to), numberIdentity(to)];
  if (number !== undefined && number !== wanted) return 'to';
  if (sent.template && foldCase(sent.template) !== foldCase(template)) return 'template';
  return sent.channel && foldCase(sent.channel) !== foldCase(channel) ? 'channel' : undefined;
};

/** Returns a message as it is now, or as it was known when it can't be read, because it was sent either way. */
const readAgain = async (z: ZObject, sent: Message): Promise<Message> => {
  try {
    const read = decodeExchange(await send(z, endpoints.getMessage, { id: sent.id }, 0));
    return read.id === sent.id ? read : sent;
  } catch {
    return sent;
  }
};

/**
 * Sends a message, and returns it as the service accepted it, with `already_sent` as in `call`. A message that was sent
 * before is as it is today, because a repeated response has the status of then. Throws an error when the response is about
 * another message, since nobody knows then what was sent.
 */
export const sendMessage = async (z: ZObject, input: SendInput): Promise<Message & { already_sent: boolean }> => {
  const sent = await call(z, endpoints.sendMessage, input, { tellsRepeat: true });
  const field = differenceOf(sent, input.body);
  if (field === undefined) {
    const { already_sent } = sent;
    return already_sent ? { ...(await readAgain(z, sent)), already_sent } : sent;
  }
  throw halt(
    `${input.labels?.[field] ?? toLabel(field)}: the messaging service responded with a message that has another value here, so it's unclear what was sent. Check the conversation before you run this step again.`,
  );
};

/** Returns the request body, idempotency key and labels for the message in a form. */
export const readMessage = async (
  z: ZObject,
  bundle: Bundle,
): Promise<Pick<SendInput, 'body' | 'idempotencyKey' | 'repeatKey' | 'versions'> & { labels: FieldLabels }> => {
  refuseHiddenNumber(bundle);
  const input = readInput(messageFields, bundle.inputData);
  const { template } = input;
  const { to, person, isTester, label } = await readRecipient(bundle, input.to);
  const keyFor = readIdempotencyKey(endpoints.sendMessage, bundle);
  const key = { name: template, channel: input.channel };
  const versions = await readTemplate(z, bundle, key, templateField.label);
  const channel = versions?.[0]?.channel ?? input.channel;
  const { variables, labels } = readVariables(bundle, versions, key);
  return {
    body: { channel, to, template, variables },
    // Testers change the step and test it again.
    ...(!isTester && {
      idempotencyKey: keyFor(channel, template, person),
      repeatKey: await readRepeatKey(z, endpoints.sendMessage, bundle, channel, template, person, variables),
    }),
    versions,
    labels: { ...formLabels(messageFields), ...labels, to: label },
  };
};

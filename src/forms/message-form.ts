import { createHash } from 'node:crypto';
import { type Bundle, defineInputFields, type ZObject } from 'zapier-platform-core';
import type { BodyOf } from '../api/endpoints';
import type { FieldLabels } from '../api/labels';
import { message } from '../api/resources';
import { parsePhoneNumber } from '../formats/phone-number';
import { countryField } from './country-field';
import { readInput } from './input';
import { channelField, templateField } from './reference-fields';
import { readTemplate, templateFields } from './template-fields';
import { readVariables } from './template-variables';
import { refuseUnfilled } from './unfilled';

/** The sections of a form that sends a message. Template variables belong to the first. */
export const messageGroups = [
  { key: 'message', label: 'Message' },
  { key: 'recipient', label: 'Recipient' },
  { key: 'repeats_and_tests', label: 'Repeats and Tests' },
];

/** The person who gets the message. */
export const recipientField = {
  key: 'to',
  label: 'Phone Number',
  required: true,
  placeholder: '+12025550123',
  helpText: 'Enter one phone number in any format. If it has no plus and country code, Default Country applies.',
  group: 'recipient',
} as const;

/** The value that identifies a message, so that it's sent only once. */
export const deduplicationField = {
  key: 'deduplication_key',
  label: 'Send Only Once Per',
  helpText:
    'To prevent duplicates, enter a value such as an order number. For 24 hours, each person gets this template once per value, even if you replay the Zap. If the variables changed, nothing is sent and the Zap stops.',
  group: 'repeats_and_tests',
} as const;

/** The number that gets the message instead of the customer in tests in the Zap editor. */
export const testRecipientField = {
  key: 'test_recipient',
  label: 'Send Tests To',
  placeholder: '+12025550123',
  helpText:
    'Enter your own phone number. Tests in the editor go to this number instead of the customer. If empty, they go to the customer.',
  group: 'repeats_and_tests',
} as const;

/**
 * Returns the fields for one template message. Each action needs a new list, since core identifies functions by
 * reference.
 */
export const messageFields = () =>
  defineInputFields([
    { ...channelField, group: 'message' },
    { ...templateField, group: 'message' },
    (z: ZObject, bundle: Bundle) => templateFields(z, bundle),
    recipientField,
    { ...countryField, group: 'recipient' },
    deduplicationField,
    testRecipientField,
  ]);

/** A message as the API returns it once accepted, before it's sent. */
export const queuedMessageSample = { ...message.sample, status: 'queued', sent_at: null, delivered_at: null };

interface Recipient {
  /** E.164. */
  to: string;
  /** Whether `to` is the number in Send Tests To. */
  isTester: boolean;
  /** The label of the field that `to` comes from. */
  label: string;
}

/** Returns who gets the message: the customer, or the number in Send Tests To during a test in the editor. */
export const readRecipient = async (
  { meta }: Bundle,
  input: { to: string; test_recipient?: string | undefined },
  country: unknown,
): Promise<Recipient> => {
  const customer = await parsePhoneNumber(recipientField.label, input.to, country);
  // Zapier's test tools leave out `meta`.
  if (!meta?.isLoadingSample || !input.test_recipient)
    return { to: customer, isTester: false, label: recipientField.label };
  const { label } = testRecipientField;
  return { to: await parsePhoneNumber(label, input.test_recipient, country), isTester: true, label };
};

/**
 * Returns an idempotency key that is valid in a header, or undefined without a value. `value` is the text in Send Only
 * Once Per. `message` holds the details that make it a different message, such as its template and recipient. Throws an
 * error for a value that isn't filled in, since every later message would count as a repeat.
 */
export const toIdempotencyKey = (value: string | undefined, ...message: string[]): string | undefined => {
  if (!value) return undefined;
  refuseUnfilled(deduplicationField.label, value);
  return createHash('sha256')
    .update(JSON.stringify([value, ...message]))
    .digest('hex');
};

/** Returns the request body, idempotency key and labels for the message in a form. */
export const readMessage = async (
  z: ZObject,
  fields: ReturnType<typeof messageFields>,
  bundle: Bundle,
): Promise<{ body: BodyOf<'sendMessage'>; idempotencyKey: string | undefined; labels: FieldLabels }> => {
  const { channel, template, ...input } = readInput(fields, bundle.inputData);
  const country = input.default_country ?? bundle.authData.default_country;
  const { to, isTester, label } = await readRecipient(bundle, input, country);
  const idempotencyKey = toIdempotencyKey(input.deduplication_key, channel, template, to);
  const { variables, labels } = await readVariables(bundle, () => readTemplate(z, template));
  return {
    body: { channel, to, template, variables },
    // Testers change the step and test it again.
    idempotencyKey: isTester ? undefined : idempotencyKey,
    labels: { ...labels, to: label },
  };
};

import { createHash } from 'node:crypto';
import { type Bundle, defineInputFields, type ZObject } from 'zapier-platform-core';
import type { BodyOf } from '../api/endpoints';
import { message } from '../api/resources';
import { parsePhoneNumber } from '../formats/phone-number';
import { countryField } from './country-field';
import { readInput } from './input';
import { channelField, templateField } from './reference-fields';
import { findTemplate, templateFields } from './template-fields';
import { readVariables } from './template-variables';

/** The parts of a form that sends. Variables of a template belong to the first. */
export const messageGroups = [
  { key: 'message', label: 'Message' },
  { key: 'recipient', label: 'Recipient' },
  { key: 'repeats_and_tests', label: 'Repeats and Tests' },
];

/** Who gets a message. */
export const recipientField = {
  key: 'to',
  label: 'Phone Number',
  required: true,
  placeholder: '+31612345678',
  helpText: 'One phone number, in any format. Without a country code, it is read as a number from Default Country.',
  group: 'recipient',
} as const;

/** What the person chooses so that the same message is never sent twice. */
export const deduplicationField = {
  key: 'deduplication_key',
  label: 'Send Only Once Per',
  helpText:
    'Such as an order number. Within 24 hours, the same template goes to the same person only once for each value, even if the Zap is replayed.',
  group: 'repeats_and_tests',
} as const;

/** Who gets the message instead of the customer when a person tests the step in the Zap editor. */
export const testRecipientField = {
  key: 'test_recipient',
  label: 'Send Tests To',
  placeholder: '+31612345678',
  helpText: 'Your own phone number. Tests in the editor go to this number instead of the customer.',
  group: 'repeats_and_tests',
} as const;

/** The fields of an action that sends one template message. Each action needs its own: core tells functions by identity. */
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

/** A message as the service returns it when it accepts it, before anything was sent. */
export const queuedMessage = {
  ...message,
  sample: { ...message.sample, status: 'queued', sent_at: null, delivered_at: null },
};

interface Recipient {
  /** E.164. */
  to: string;
  /** Whether this is Send Tests To, and not the person whom a live run writes to. */
  isTester: boolean;
}

/** Reads who gets the message: the customer, or in a test in the editor the person in Send Tests To. */
export const readRecipient = async (
  { meta }: Bundle,
  input: { to: string; test_recipient?: string | undefined },
  country: unknown,
): Promise<Recipient> => {
  const customer = await parsePhoneNumber(recipientField.label, input.to, country);
  // Zapier's own test tools leave `meta` out.
  if (!meta?.isLoadingSample || !input.test_recipient) return { to: customer, isTester: false };
  return { to: await parsePhoneNumber(testRecipientField.label, input.test_recipient, country), isTester: true };
};

/**
 * Returns the idempotency key of a message: the same for the same person's value of Send Only Once Per and the same
 * message, and any text that a header takes. Undefined without a value. `message` is what makes it another message,
 * such as its template and recipient.
 */
export const toIdempotencyKey = (value: string | undefined, ...message: string[]): string | undefined =>
  value &&
  createHash('sha256')
    .update(JSON.stringify([value, ...message]))
    .digest('hex');

/** Reads the form of one message: the body of the request, and the key against sending it twice. */
export const readMessage = async (
  z: ZObject,
  fields: ReturnType<typeof messageFields>,
  bundle: Bundle,
): Promise<{ body: BodyOf<'sendMessage'>; idempotencyKey: string | undefined }> => {
  const { channel, template, ...input } = readInput(fields, bundle.inputData);
  const country = input.default_country ?? bundle.authData.default_country;
  const { to, isTester } = await readRecipient(bundle, input, country);
  const variables = await readVariables(bundle, () => findTemplate(z, template));
  return {
    body: { channel, to, template, variables },
    idempotencyKey: toIdempotencyKey(input.deduplication_key, channel, template, to, ...(isTester ? ['test'] : [])),
  };
};

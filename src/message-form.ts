import { createHash } from 'node:crypto';
import type { BodyOf } from './api/endpoints';
import { channelField } from './channel-field';
import { templateField } from './choice-fields';
import { countryField } from './country-field';
import { readInput } from './input';
import { parsePhoneNumber } from './phone-number';
import { type Bundle, defineInputFields, type ZObject } from './platform';
import { learnVariables, readVariables, templateFields } from './template-fields';

/** Who gets a message. */
export const recipientField = {
  key: 'to',
  label: 'Phone Number',
  required: true,
  helpText: 'Any way of writing it is fine. Without a country code, it is read as one of your Default Country.',
} as const;

const deduplicationField = {
  key: 'deduplication_key',
  label: 'Deduplication Key',
  helpText:
    'Something that is different for every message, such as an order number. The same key never sends twice within 24 hours, also when a Zap is replayed.',
} as const;

const testerField = {
  key: 'test_recipient',
  label: 'Send Tests To',
  helpText: 'Your own phone number. A test in the editor sends the message there and not to the customer.',
} as const;

/** What an action asks for that sends one template message. Each action needs its own: core tells functions by identity. */
export const messageFields = () =>
  defineInputFields([
    channelField,
    templateField,
    (z: ZObject, bundle: Bundle) => templateFields(z, bundle),
    recipientField,
    countryField,
    deduplicationField,
    testerField,
  ]);

/** A key of the person's own as a header that any service takes. A test that goes elsewhere is another message. */
const toIdempotencyKey = (...parts: string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/** Reads the form of one message: the body of the send (specification §2), and the key against sending it twice. */
export const readMessage = async (
  z: ZObject,
  fields: ReturnType<typeof messageFields>,
  bundle: Bundle,
): Promise<{ body: BodyOf<'sendMessage'>; idempotencyKey: string | undefined }> => {
  const { channel, template, ...input } = readInput(fields, bundle.inputData);
  const country = input.default_country ?? bundle.authData.default_country;
  const customer = await parsePhoneNumber('Phone Number', input.to, country);
  // Zapier's own test tools leave `meta` out.
  const tester =
    bundle.meta?.isLoadingSample && input.test_recipient
      ? await parsePhoneNumber('Send Tests To', input.test_recipient, country)
      : undefined;
  const key = input.deduplication_key;
  const variables = readVariables(bundle, await learnVariables(z, bundle, async () => template));
  return {
    body: { channel, to: tester ?? customer, template, variables },
    idempotencyKey: key && (tester ? toIdempotencyKey(key, 'test', tester) : toIdempotencyKey(key)),
  };
};

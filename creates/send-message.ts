import { createHash } from 'node:crypto';
import { type CreatePerform, defineCreate, defineInputFields } from 'zapier-platform-core';
import { endpoints } from '../src/api/endpoints';
import { type Message, message } from '../src/api/resources';
import { call } from '../src/client';
import { countryField } from '../src/country-field';
import { readInput } from '../src/input';
import { parsePhoneNumber } from '../src/phone-number';

const inputFields = defineInputFields([
  {
    key: 'channel',
    label: 'Channel',
    required: true,
    helpText: 'The channel to send on, such as `whatsapp`.',
  },
  {
    key: 'template',
    label: 'Template',
    required: true,
    helpText: 'The name of an approved template of this channel, exactly as the messaging service shows it.',
  },
  {
    key: 'variables',
    label: 'Template Variables',
    dict: true,
    helpText: 'The name of each variable in the template on the left, the text to put there on the right.',
  },
  {
    key: 'to',
    label: 'Phone Number',
    required: true,
    helpText: 'Who gets the message. Any way of writing it is fine; without a country code, Default Country is used.',
  },
  countryField,
  {
    key: 'deduplication_key',
    label: 'Deduplication Key',
    helpText:
      'Map something that is different for every message, such as an order number. The same key never sends twice within 24 hours, also when a Zap is replayed.',
  },
  {
    key: 'test_recipient',
    label: 'Send Tests To',
    helpText:
      'Your own phone number. When you test this step in the editor, the message goes here and not to the customer.',
  },
]);

/** A key of the person's own as a header that any service accepts. A test that goes elsewhere is another message. */
const toIdempotencyKey = (...parts: string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');

const perform = (async (z, bundle) => {
  const { channel, template, variables, ...input } = readInput(inputFields, bundle.inputData);
  const country = input.default_country ?? bundle.authData.default_country;
  const customer = await parsePhoneNumber('Phone Number', input.to, country);
  const tester =
    bundle.meta?.isLoadingSample && input.test_recipient
      ? await parsePhoneNumber('Send Tests To', input.test_recipient, country)
      : undefined;
  const key = input.deduplication_key;
  return call(z, endpoints.sendMessage, {
    body: { channel, to: tester ?? customer, template, variables },
    idempotencyKey: key && (tester ? toIdempotencyKey(key, 'test', tester) : toIdempotencyKey(key)),
  });
}) satisfies CreatePerform<typeof inputFields, Message>;

export default defineCreate({
  key: 'send_message',
  noun: 'Message',
  display: {
    label: 'Send Template Message',
    description: 'Sends a template message to one phone number.',
  },
  operation: { inputFields, perform, sample: message.sample },
});

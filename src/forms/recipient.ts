/** Who gets a message: the customer, or a tester. */
import type { Bundle } from 'zapier-platform-core';
import { parsePhoneNumber } from '../formats/phone-number';

/** The person who gets the message. */
export const recipientField = {
  key: 'to',
  label: 'Phone Number',
  required: true,
  placeholder: '+12025550123',
  helpText: 'Enter one phone number in any format. If it has no plus and country code, Default Country applies.',
  group: 'recipient',
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

interface Recipient {
  /** E.164. */
  to: string;
  /** Whether `to` is the number in Send Tests To. */
  isTester: boolean;
  /** The label of the field that `to` comes from. */
  label: string;
}

/**
 * Returns who gets the message: the customer, or the number in Send Tests To during a test in the editor. Throws an
 * error when either number is invalid.
 */
export const readRecipient = async (
  { meta }: Bundle,
  input: { to: string; test_recipient?: string | undefined },
  country: unknown,
): Promise<Recipient> => {
  const customer = await parsePhoneNumber(recipientField.label, input.to, country);
  // Zapier's test tools leave out `meta`.
  if (!meta?.isLoadingSample || !input.test_recipient) {
    return { to: customer, isTester: false, label: recipientField.label };
  }
  const { label } = testRecipientField;
  return { to: await parsePhoneNumber(label, input.test_recipient, country), isTester: true, label };
};

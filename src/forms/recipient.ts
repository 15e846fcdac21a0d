/** Who gets a message: the customer, or a tester. */
import type { Bundle } from 'zapier-platform-core';
import { parsePhoneNumber } from '../formats/phone-number';
import { refuseLostValue } from './input';

/** The help text of a phone number in a form without the field Default Country. */
export const phoneNumberHelp =
  "Enter a phone number in any format. If it has no country code, your account's Default Country is used.";

/** The person who gets the message. */
export const recipientField = {
  key: 'to',
  label: 'Phone Number',
  required: true,
  placeholder: '+12025550123',
  helpText: 'Enter a phone number in any format. If it has no country code, Default Country is used.',
  group: 'recipient',
} as const;

/** The number that gets the message instead of the customer in tests in the Zap editor. */
export const testRecipientField = {
  key: 'test_recipient',
  label: 'Send Tests To',
  placeholder: '+12025550123',
  helpText: 'Enter your own phone number to get the tests in the editor yourself. If empty, tests go to the customer.',
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
  bundle: Bundle,
  input: { to: string; test_recipient?: string | undefined },
  country: unknown,
): Promise<Recipient> => {
  const customer = await parsePhoneNumber(recipientField.label, input.to, country);
  // Zapier's test tools leave out `meta`.
  if (!bundle.meta?.isLoadingSample) return { to: customer, isTester: false, label: recipientField.label };
  refuseLostValue(testRecipientField, bundle);
  if (!input.test_recipient) return { to: customer, isTester: false, label: recipientField.label };
  const { label } = testRecipientField;
  return { to: await parsePhoneNumber(label, input.test_recipient, country), isTester: true, label };
};

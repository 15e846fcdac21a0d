/** A phone number in E.164 with the leading plus. */
export const e164 = /^\+[1-9]\d{6,14}$/;

/**
 * Returns a phone number of the service in E.164, without separators; undefined for any other text. The id that a messaging
 * app has for a person, such as `US.13491208655302741918`, is no phone number, and neither are digits without a plus.
 */
export const readE164 = (text: string | null | undefined): string | undefined => {
  const [number] = /^\+[\d ().-]{7,40}$/.exec(text?.trim() ?? '') ?? [];
  const digits = number && `+${number.replace(/\D/g, '')}`;
  return digits && e164.test(digits) ? digits : undefined;
};

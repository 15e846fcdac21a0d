/**
 * Returns a text as people type phone numbers: ASCII digits, plain spaces and dashes, without invisible characters. Line
 * breaks and tabs stay, since they separate. So do footnote digits, such as `²`, since they aren't part of the number.
 */
const toAscii = (text: string): string =>
  text
    .replace(/\P{No}+/gu, (part) => part.normalize('NFKC'))
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replace(/\p{Cf}/gu, '')
    // The dashes of Japanese keyboards, and the minus of mathematics.
    .replace(/[\p{Pd}\u30fc\uff70\u2212]/gu, '-')
    .replace(/[\u00b7\u30fb\u2022]/g, ' ');

/**
 * Returns a text in ASCII digits and separators, without what surrounds a number: white space, `tel:`, and what
 * spreadsheets add. A plus comes first, also if it was in parentheses.
 */
export const cleanPhoneText = (text: string): string =>
  toAscii(text)
    .trim()
    .replace(/^(tel|sms|whatsapp|callto):(\/\/)?/i, '')
    .replace(/^\(\+/, '+(')
    // Spreadsheets add these to keep or make a number. An empty value after a number leaves a comma.
    .replace(/^'|[\s,;]+$/g, '')
    .replace(/^(\+?\d{7,})\.00?$/, '$1');

/** Whether a clean text has only the characters of a phone number, in an order that one can have. */
export const isPhoneText = (text: string): boolean => /^\+?(?:[\d ./-]|\([\d .-]+\))+$/.test(text);

/** Returns the digits in a text. */
export const digitsOf = (text: string): string => text.replace(/\D/g, '');

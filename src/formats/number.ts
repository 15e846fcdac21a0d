/** The maximum input length, above that of any number in a message. */
const maxLength = 40;

/** A space or apostrophe between groups of three digits. */
const groupSpace = /(?<=\d)[\s'’](?=\d{3}(?!\d))/g;

const plain = /^-?\d+(\.\d+)?$/;
const commaGroups = /^-?\d{1,3}(,\d{3})+\.\d+$|^-?\d{1,3}(,\d{3}){2,}$/;
const dotGroups = /^-?\d{1,3}(\.\d{3})+,\d+$|^-?\d{1,3}(\.\d{3}){2,}$/;
/** A comma that can't separate thousands, since other than three digits follow, or a zero or a fourth digit precedes. */
const decimalComma = /^-?(\d+,(\d{1,2}|\d{4,})|(0|\d{4,}),\d+)$/;

/**
 * Returns a number as the API takes it, such as `1250.00` for `1.250,00`. Decimals stay as they are. Returns undefined
 * for any other text, such as `1,250`, which could mean two numbers.
 */
export const readNumber = (text: string): string | undefined => {
  if (text.length > maxLength) return undefined;
  const number = text.replace(/^\+/, '').replace(groupSpace, '');
  if (plain.test(number)) return number;
  if (commaGroups.test(number)) return number.replaceAll(',', '');
  if (dotGroups.test(number)) return number.replaceAll('.', '').replace(',', '.');
  return decimalComma.test(number) ? number.replace(',', '.') : undefined;
};

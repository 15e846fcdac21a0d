/** The maximum input length, above that of any number in a message. */
const maxLength = 40;

/** Groups of three digits with a space or apostrophe between them. `12.50 100` is two numbers. */
const spaceGroups = /^-?\d{1,3}([\s'’]\d{3})+([.,]\d+)?$/;

const plain = /^-?\d+(\.\d+)?$/;
const commaGroups = /^-?\d{1,3}(,\d{3})+\.\d+$|^-?\d{1,3}(,\d{3}){2,}$/;
const dotGroups = /^-?\d{1,3}(\.\d{3})+,\d+$|^-?\d{1,3}(\.\d{3}){2,}$/;
/** A comma that can't separate thousands, since other than three digits follow, or a zero or a fourth digit precedes. */
const decimalComma = /^-?(\d+,(\d{1,2}|\d{4,})|(0|\d{4,}),\d+)$/;

/** Two digits with a comma between them, which may be two line items. */
const twoItems = /^\d,\d$/;

/** The digits that a number of JavaScript surely has. Zeros or nines before more of them show that those come from calculating. */
const certainDigits = 15;

/** Returns a text without the digits that calculating added to its number; any other text as it is. */
export const withoutNoise = (text: string): string => {
  const isNoisy =
    /^-?\d{1,15}\.\d{0,25}?(?:0{5}|9{5})\d{1,3}$/.test(text) && text.replace(/^[-0.]+|\./g, '').length > certainDigits;
  if (!isNoisy) return text;
  const rounded = String(Number(Number(text).toPrecision(certainDigits)));
  return rounded.includes('e') ? text : rounded;
};

/**
 * Returns a number as the API takes it, such as `1250.00` for `1.250,00`. Decimals stay as they are. Returns undefined
 * for any other text, such as `1,250`, which could mean two numbers.
 */
export const readNumber = (text: string): string | undefined => {
  if (text.length > maxLength) return undefined;
  const unsigned = text.replace(/^\+(?=\d)/, '');
  const number = spaceGroups.test(unsigned) ? unsigned.replace(/[\s'’]/g, '') : unsigned;
  if (plain.test(number)) return withoutNoise(number);
  if (commaGroups.test(number)) return number.replaceAll(',', '');
  if (dotGroups.test(number)) return number.replaceAll('.', '').replace(',', '.');
  return decimalComma.test(number) && !twoItems.test(number) ? number.replace(',', '.') : undefined;
};

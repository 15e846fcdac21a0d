/** Values that people map to a template's variables, and what they mean. */

/** What somebody maps to a template's variable, and how it must arrive in each zone on a channel; undefined must send nothing. */
export interface Value {
  text: string;
  means: (timeZone: string, channel: string) => string | undefined;
}

export const zones = ['America/New_York', 'Europe/Berlin', 'Asia/Kolkata'] as const;

const inZone =
  (ms: number, from: number, to: number) =>
  (timeZone: string): string =>
    new Date(ms).toLocaleString('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).slice(from, to);

const meaning = (text: string, means: string | undefined): Value => ({ text, means: () => means });
const same = (text: string): Value => meaning(text, text);
const unclear = (text: string): Value => meaning(text, undefined);
const evening = Date.UTC(2026, 5, 12, 21, 30);

/** Values by the format of a variable, from what spreadsheets, forms and other apps write. */
export const values: Record<string, readonly Value[]> = {
  text: [same('P-1'), same('7/11'), same('1.50'), same('a & b <c>')],
  time: [
    same('14:30'),
    meaning('2:30 pm', '14:30'),
    { text: '2026-06-12T21:30:00Z', means: inZone(evening, 11, 16) },
    { text: '2026-06-12T23:30:00+02:00', means: inZone(evening, 11, 16) },
    unclear('2025550123'),
  ],
  date: [
    same('2026-06-12'),
    meaning('June 12, 2026', '2026-06-12'),
    { text: '2026-06-12T21:30:00Z', means: inZone(evening, 0, 10) },
    unclear('06/07/2026'),
  ],
  number: [same('1250.50'), meaning('1.250,00', '1250.00'), meaning('12,5', '12.5'), unclear('1,250')],
  url: [same('https://shop.example.com/a?b=1'), unclear('shop.example.com')],
  image: [same('https://files.example.com/a/1.jpg')],
  document: [same('https://files.example.com/1042.pdf')],
};

/** Whether a value leaves a link that it ends a link to the same place. */
export const isLinkEnd = (value = ''): boolean => !/[\s#?]|^\/|:\/\/|%(?![\da-f]{2})/i.test(value);

/** Values that are no text for a person, or no line, for a variable that is a text. */
export const oddTexts: readonly Value[] = [
  unclear('<p>P-1&nbsp;<b>today</b></p>'),
  { text: 'P-1\n \t(today)', means: (_, channel) => (channel === 'sms' ? 'P-1\n \t(today)' : 'P-1 (today)') },
];

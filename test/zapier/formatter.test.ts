/** Formatter, as an example of a kind of steps: its form, its outputs, and what it does with any text. */
import fc from 'fast-check';
import { createZapier } from '../../zapier';
import { formatGuide } from '../../zapier/editor/guide';
import { findStepProblems } from '../../zapier/editor/problems';
import { type Step, stepAlone, toStep } from '../../zapier/kinds';

const { definition, startZapier } = createZapier({ version: '1.0.0', platformVersion: '19.1.0' });

const row = (record: object): Step =>
  toStep({ type: 'other', app: 'Sheets', event: 'New Row', json: JSON.stringify(record) });

/** What Formatter gives for the text of a row, or its error. */
const format = async (text: unknown, settings: object): Promise<unknown> => {
  const zapier = await startZapier({ address: 'http://127.0.0.1:9' });
  const step = stepAlone.parse({ type: 'formatter', id: 'formatter', input: '{{1.text}}', ...settings });
  const zap = zapier.zaps.add([row({ text }), step]);
  const run = await zapier.editor.run(zap, 1, true);
  await zapier.stop();
  const [result] = run?.steps ?? [];
  return result?.failure?.message ?? result?.output;
};

test.each([
  ['Noor Visser', 'first', '[:space:]', 'Noor'],
  ['  Noor   van der Visser ', 'last', '', 'Visser'],
  ['a,b,c', 'second', ',', 'b'],
  ['Ada', 'second', ' ', ''],
])('splits "%s" and gives the %s part', async (text, segment, separator, output) => {
  expect(await format(text, { transform: 'split', segment, separator })).toEqual({ output });
});

test.each([
  [['a', 'b, c'], '[:newline:]', 'a\nb, c'],
  [['a', 'b'], '', 'a,b'],
  [['a'], ' / ', 'a'],
  ['a', '[:newline:]', 'a'],
  [[], '[:newline:]', ''],
])('writes the line items %j with "%s" between them', async (items, separator, text) => {
  expect(await format(items, { transform: 'join', separator })).toEqual({ output: { text } });
});

test.each([
  ['2026-01-22', 'MM/DD/YYYY', 'America/New_York', '01/22/2026'],
  ['2026-01-22T00:30:00Z', 'MMMM D, YYYY', 'America/New_York', 'January 21, 2026'],
  ['2026-01-22T23:04:00+0200', 'HH:mm', '', '21:04'],
  ['2026-01-22T23:04:00Z', 'DD/MM/YYYY', 'Pacific/Auckland', '23/01/2026'],
])('formats %s as %s in "%s"', async (text, to, zone, output) => {
  expect(await format(text, { transform: 'date', format: to, zone })).toEqual({ output });
});

test.each(['', '1/2/2026', '2026-01-22T23:04', '2026-02-30', 'tomorrow', '2026-13-01'])(
  'refuses "%s", which may not be one moment',
  async (text) => {
    expect(await format(text, { transform: 'date', format: 'HH:mm' })).toMatch(/^Input: ".*" isn't a date such as/);
  },
);

test('refuses a time zone, a length and a transform that there is none of', async () => {
  expect(await format('2026-01-22T00:30:00Z', { transform: 'date', format: 'HH:mm', zone: 'Mars' })).toMatch(
    /^To Timezone:/,
  );
  expect(await format('text', { transform: 'truncate', length: 'ten' })).toMatch(/^Max Length must be a whole number/);
  expect(await format('text', { transform: 'reverse' })).toMatch(/^Transform has no such choice/);
});

test('a text is cut between characters, and the default value takes the place of an empty one alone', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme' }), fc.nat(50), async (text, length) => {
      const cut = await format(text, { transform: 'truncate', length: `${length}` });
      expect(cut).toEqual({ output: [...text].slice(0, length).join('') });
      const whole = await format(text, { transform: 'fallback', fallback: 'there' });
      expect(whole).toEqual({ output: text.trim() === '' ? 'there' : text });
    }),
    { numRuns: 30 },
  );
});

test('its form has the fields of its transform, and its guide says what to fill in', () => {
  const step = toStep({ type: 'formatter', transform: 'truncate', input: '{{1.text}}', separator: '{{9.x}}' });
  expect(findStepProblems(definition, step, [row({ text: 'a' })])).toEqual({
    length: 'Max Length is empty. Fill it in and try again.',
  });
  const zap = { id: 'zap-1', title: 'Names', steps: [row({}), step], isOn: false, seen: [] };
  expect(formatGuide(definition, 'Parcels', zap)).toContain(
    '2. Action: Formatter by Zapier, Transform\n   - Transform: Text: Truncate\n   - Input: [1. text]\n   - Max Length: (fill this in)',
  );
});

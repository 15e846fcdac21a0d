import { formatHelp, parseFlags, readNumberFlag } from '../../cli/command';
import { UsageError } from '../../cli/errors';
import { wrap } from '../../cli/text';

const command = {
  name: 'npm run demo',
  summary: `Does ${'a lot '.repeat(30)}and more.`,
  options: { count: { type: 'string', value: 'NUMBER', default: '3', help: 'How many.' } },
  examples: ['npm run demo -- --count 5'],
} as const;

test('shows what a command does, its options and examples, within 100 columns', () => {
  const help = formatHelp(command);
  expect(help).toContain('Does a lot');
  expect(help).toContain('\n  --count NUMBER            How many. Default: 3.\n  --help ');
  expect(help).toContain('  npm run demo -- --count 5');
  expect(Math.max(...help.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
});

test('reads options and their defaults', () => {
  expect(parseFlags(command, [])).toEqual({ count: '3' });
  expect(parseFlags(command, ['--count', '5'])).toEqual({ count: '5' });
});

test.each([
  [['--size', '5'], "Unknown option '--size'."],
  [['5'], "Unexpected argument '5'. Put options after two dashes."],
  [['--count'], "Option '--count <value>' argument missing."],
])('explains %j', (args, sentence) => {
  expect(() => parseFlags(command, args)).toThrow(new UsageError(sentence));
});

test.each(['', 'five', '0', '11', 'NaN', '1e3'])('refuses "%s" as a number from 1 to 10', (text) => {
  expect(() => readNumberFlag('count', text, { min: 1, max: 10 })).toThrow(UsageError);
});

test('wraps a value under its label, and breaks words that are too long', () => {
  const text = `${'word '.repeat(30)}${'x'.repeat(150)}`;
  const [first, ...others] = wrap(text, { label: 'Text', indent: 5, column: 10 }).split('\n');
  expect(first).toMatch(/^Text {6}word/);
  expect(Math.max(...others.map((line) => line.length))).toBe(100);
  expect([first?.slice(10), ...others].join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
});

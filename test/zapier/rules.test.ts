import { type Condition, checkRules, conditions, describeRule, takesText } from '../../zapier/fields/rules';

const passes = (condition: Condition, found: string, text: string): boolean | undefined =>
  checkRules([{ value: '{{1.value}}', condition, text }], [{ value: found }])[0]?.passes;

test.each<[Condition, string, string, boolean]>([
  ['(Text) Exactly matches', 'failed', 'failed', true],
  ['(Text) Exactly matches', 'failed later', 'failed', false],
  ['(Text) Does not exactly match', 'read', 'failed', true],
  ['(Text) Does not exactly match', 'failed', 'failed', false],
  ['(Text) Contains', 'Where is my parcel?', 'parcel', true],
  ['(Text) Contains', 'Hello', 'parcel', false],
  ['(Text) Contains', 'Yes please', 'yes', true],
  ['(Text) Contains', 'yes please', 'YES', true],
  ['(Text) Does not contain', 'Yes please', 'yes', false],
  ['(Text) Exactly matches', 'Yes', 'yes', false],
  ['(Text) Does not exactly match', 'Yes', 'yes', true],
  ['(Text) Does not contain', 'Hello', 'parcel', true],
  ['(Text) Does not contain', 'my parcel', 'parcel', false],
  ['Exists', 'x', '', true],
  ['Exists', ' ', '', false],
  ['Does not exist', '', '', true],
  ['Does not exist', 'x', '', false],
  ['(Boolean) Is true', 'true', '', true],
  ['(Boolean) Is true', 'True', '', true],
  ['(Boolean) Is true', 'false', '', false],
  ['(Boolean) Is true', '', '', false],
  ['(Boolean) Is false', 'false', '', true],
  ['(Boolean) Is false', '', '', false],
  ['(Number) Greater than', '10', '9', true],
  ['(Number) Greater than', '9', '9', false],
  ['(Number) Greater than', '', '-1', false],
  ['(Number) Less than', '9.5', '10', true],
  ['(Number) Less than', 'few', '10', false],
])('%s: "%s" and "%s" is %s', (condition, found, text, expected) => {
  expect(passes(condition, found, text)).toBe(expected);
});

test.each(conditions.filter(takesText))('%s does not pass without a text to compare with', (condition) => {
  for (const found of ['', 'x', '1']) {
    expect(checkRules([{ value: found, condition, text: '{{1.missing}}' }], [{}])[0]?.passes).toBe(false);
    expect(checkRules([{ value: found, condition, text: '{{1.blank}}' }], [{ blank: ' ' }])[0]?.passes).toBe(false);
  }
});

test('a rule compares the data of two steps, also when one gives a number or nothing', () => {
  const rule = { value: '{{1.count}}', condition: '(Number) Greater than', text: '{{2.limit}}' } as const;
  expect(checkRules([rule], [{ count: 3 }, { limit: 2 }])).toEqual([
    { passes: true, compared: '"3" (Number) Greater than "2"' },
  ]);
  expect(checkRules([{ ...rule, condition: 'Does not exist' }], [{}, undefined])).toEqual([
    { passes: true, compared: '"" Does not exist' },
  ]);
});

test('a rule that does not match says so', () => {
  expect(describeRule({ passes: true, compared: '"A" Exists' })).toBe('"A" Exists');
  expect(describeRule({ passes: false, compared: '"" Exists' })).toBe('"" Exists, which doesn\'t match');
});

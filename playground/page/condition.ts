import { type Rule, takesText } from '../../zapier/fields/rules';

const words: Record<Rule['condition'], string> = {
  '(Text) Exactly matches': 'is',
  '(Text) Does not exactly match': 'is not',
  '(Text) Contains': 'contains',
  '(Text) Does not contain': "doesn't contain",
  Exists: 'exists',
  'Does not exist': "doesn't exist",
  '(Number) Greater than': 'is more than',
  '(Number) Less than': 'is less than',
  '(Boolean) Is true': 'is true',
  '(Boolean) Is false': 'is false',
};

/** A rule in a few words, such as "Status is not failed". Its texts may hold references. */
export const describeCondition = ({ value, condition, text }: Rule): string =>
  [value, words[condition], takesText(condition) ? text : ''].filter(Boolean).join(' ');

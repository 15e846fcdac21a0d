import { type Rule, takesText } from '../../../zapier/fields/rules';

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

/** What a search says of itself, which reads better as a sentence. */
const found = /zap_search_was_found_status\}\}$/;
const foundWords: Partial<Record<Rule['condition'], string>> = {
  '(Boolean) Is true': 'Search found something',
  '(Boolean) Is false': 'Search found nothing',
};

/** A rule in a few words, such as "Status is not failed". Its texts may hold references. */
export const describeCondition = ({ value, condition, text }: Rule): string =>
  (found.test(value) && foundWords[condition]) ||
  [value, words[condition], takesText(condition) ? text : ''].filter(Boolean).join(' ');

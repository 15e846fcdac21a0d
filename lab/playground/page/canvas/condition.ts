import { conditionWords, type Rule, takesText } from '../../../zapier/fields/rules';

/** What a search says of itself, which reads better as a sentence. */
const found = /zap_search_was_found_status\}\}$/;
const foundWords: Partial<Record<Rule['condition'], string>> = {
  '(Boolean) Is true': 'Search found something',
  '(Boolean) Is false': 'Search found nothing',
};

/** A rule in a few words, such as "Status isn't failed". Its texts may hold references. */
export const describeCondition = ({ value, condition, text }: Rule): string =>
  (found.test(value) && foundWords[condition]) ||
  [value, conditionWords[condition][0], takesText(condition) ? text : ''].filter(Boolean).join(' ');

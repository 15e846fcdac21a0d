import { vocabulary } from '../../src/api/resources';
import { plain } from '../compare/names';
import { type CheckResult, leaving } from './check';

const unknownWord = /has the unknown word "(.*)" \(`(\w+)` in `vocabulary`/;

/**
 * Returns the result of a check without the unknown words of lists that the service speaks: it has more words than the
 * contract, and the app passes them on. Without any known word of a list, a step would miss all.
 */
export const settleWords = (row: CheckResult, spoken: ReadonlySet<string>): CheckResult => {
  if (row.outcome !== 'differs') return row;
  const isMore = (difference: string): boolean => {
    const [, word = '', list = ''] = unknownWord.exec(difference) ?? [];
    const [, words = []] = Object.entries(vocabulary).find(([name]) => name === list) ?? [];
    return spoken.has(list) && !words.some((each) => plain(each) === plain(word));
  };
  const open = row.differences.filter((each) => !isMore(each));
  return open.length > 0 ? leaving(row, open) : { ...row, outcome: 'copes' };
};

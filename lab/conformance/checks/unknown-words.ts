import { vocabulary } from '../../../src/api/resources';
import { isSuccess } from '../../../src/call/outcome';
import { plain } from '../compare/names';
import { compare, nothingFound } from '../compare/shape';
import type { ServiceResponse } from '../service-client';
import { type CheckResult, leaving } from './check';

const unknownWord = /has the unknown word "(.*)" \(`(\w+)` in `vocabulary`/;

/** Returns the lists of `vocabulary` of which the service sent a word. */
const wordsIn = (responses: readonly ServiceResponse[]): ReadonlySet<string> => {
  const found = nothingFound();
  for (const { endpoint, body } of responses.filter(isSuccess)) {
    compare(endpoint.response, body, '', { found });
  }
  return found.spoken;
};

/**
 * Returns the result of a check without the unknown words of lists that the service speaks: it has more words than the
 * contract, and the app passes them on. Without any known word of a list, a step would miss all.
 */
export const settleWords = (row: CheckResult, responses: readonly ServiceResponse[]): CheckResult => {
  if (row.outcome !== 'differs' || !row.differences.some((each) => unknownWord.test(each))) return row;
  const spoken = wordsIn(responses);
  const isMore = (difference: string): boolean => {
    const [, word = '', list = ''] = unknownWord.exec(difference) ?? [];
    const [, words = []] = Object.entries(vocabulary).find(([name]) => name === list) ?? [];
    return spoken.has(list) && !words.some((each) => plain(each) === plain(word));
  };
  const open = row.differences.filter((each) => !isMore(each));
  return open.length > 0 ? leaving(row, open) : { ...row, outcome: 'copes' };
};

/** Stops a step that would act on one of several records that match equally well. */
import { type List, type Reading, readList } from '../call/pages';
import { rankMatches } from '../text/match';
import { fail, halt } from './errors';

/** What to say when a field doesn't single out one record. */
export interface Ambiguity {
  label: string;
  /** What the records are, such as "campaigns". */
  plural: string;
  remedy: string;
}

/** Returns the error for several records that match equally well. */
export const severalMatch = ({ label, plural, remedy }: Ambiguity): Error =>
  halt(`${label}: several ${plural} match equally well, so the step can't tell which one you mean. ${remedy}`);

/** Returns the error for more records than a step reads, since an equally good match can be among the others. */
const tooManyMatch = ({ label, plural, remedy }: Ambiguity): Error =>
  halt(`${label}: too many ${plural} match to be sure of the right one. ${remedy}`);

/** Returns the error for a record that can't be read, since it can match equally well. */
const unreadableMatch = ({ label, plural }: Ambiguity): Error =>
  fail(
    `${label}: the messaging service returned ${plural} that can't be read, so the step can't be sure of the right one. Contact the messaging service's support.`,
    'unexpected_response',
  );

const maxRecords = 1_000;

/** Lists all records that match, each one once, as `readList` tells them apart. Throws an error when any can't be read. */
export const listMatches = async <T extends object>(
  list: List<T>,
  ambiguity: Ambiguity,
  keyOf?: (record: T) => string,
): Promise<T[]> => {
  const { records, gaps } = await readList(list, { limit: maxRecords, ...(keyOf && { keyOf }) });
  if (gaps.includes('unreadable')) throw unreadableMatch(ambiguity);
  // An equally good match can be on a page that wasn't read.
  if (gaps.includes('more')) throw tooManyMatch(ambiguity);
  return records;
};

/**
 * Throws an error for a search that found nothing, unless it has read everything. Zapier tells the owner of a Zap about
 * it, who would otherwise take silence for an empty list. `field` is the label of one that leaves fewer to read.
 */
export const requireAllRead = (plural: string, gaps: Reading<unknown>['gaps'], field = 'Channel'): void => {
  if (gaps.includes('more')) {
    throw fail(
      `The messaging service has more ${plural} than this search can read, and none of the newest ones match. Fill in ${field} or other fields, so that fewer have to be read.`,
      'too_many',
    );
  }
  if (gaps.includes('unreadable')) {
    throw fail(
      `The messaging service returned ${plural} that can't be read, and none of the others match, so the step can't tell whether any does. Contact the messaging service's support.`,
      'unexpected_response',
    );
  }
};

/** Returns the records whose name matches, the best match first. Throws an error when several match equally well. */
export const bestMatches = <T>(
  records: T[],
  name: string,
  nameOf: (record: T) => string | null | undefined,
  ambiguity: Ambiguity,
): T[] => {
  const matches = rankMatches(records, name, nameOf);
  const [best, next] = matches;
  if (best && best.rank === next?.rank) throw severalMatch(ambiguity);
  return matches.map(({ item }) => item);
};

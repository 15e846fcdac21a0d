/** Stops a step that would act on one of several records that match equally well. */
import { rankMatches } from '../messages/best-match';
import { fail, halt } from '../platform/errors';

/** What to say when a field doesn't single out one record. */
export interface Ambiguity {
  /** The label of the field. */
  label: string;
  /** What the records are, such as "campaigns". */
  plural: string;
  /** What to do about it. */
  remedy: string;
}

/** Returns the error for several records that match equally well. */
export const severalMatch = ({ label, plural, remedy }: Ambiguity): Error =>
  halt(`${label}: several ${plural} match equally well, so the step can't tell which one you mean. ${remedy}`);

/** Returns the error for more records than a step reads, since an equally good match can be among the others. */
export const tooManyMatch = ({ label, plural, remedy }: Ambiguity): Error =>
  halt(`${label}: too many ${plural} match to be sure of the right one. ${remedy}`);

/** Returns the error for a record that can't be read, since it can match equally well. */
export const unreadableMatch = ({ label, plural }: Ambiguity): Error =>
  fail(
    `${label}: the messaging service returned ${plural} that can't be read, so the step can't be sure of the right one. Contact the messaging service's support.`,
    'unexpected_response',
  );

/**
 * Throws an error for a search that found nothing, unless it has read everything. Zapier tells the owner of a Zap about
 * it, who would otherwise take silence for an empty list. `field` is the label of one that leaves fewer to read.
 */
export const requireAllRead = (
  plural: string,
  { isCut, isPartial }: { isCut: boolean; isPartial: boolean },
  field = 'Channel',
): void => {
  if (isCut) {
    throw fail(
      `The messaging service has more ${plural} than this search can read, and none of the newest ones match. Fill in more fields, such as ${field}, so that fewer have to be read.`,
      'too_many',
    );
  }
  if (isPartial) {
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

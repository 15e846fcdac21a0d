/** Records of a list, each with a line for a digest. */
import * as zod from 'zod/mini';
import { reachable, withReachability } from './same-person';
import { withText } from './text';

/** What each record of a list has besides its own fields. */
export const listedFields = { ...reachable, summary_line: zod.string(), complete: zod.boolean() };

type Listed<R> = R & zod.output<zod.ZodMiniObject<typeof listedFields>>;

/**
 * Returns the records with a line for each, and whether they are all that match. `leftOut` says that they aren't; the last
 * line then says so too, because a digest has the lines alone.
 */
export const withLines = <R extends object>(
  records: readonly R[],
  lineOf: (record: R) => string,
  leftOut: string | undefined,
): Listed<R>[] =>
  records.map((record, index) => {
    const isLast = index === records.length - 1;
    const note = isLast && leftOut ? ` (${leftOut})` : '';
    return { ...withReachability(withText(record)), summary_line: lineOf(record) + note, complete: !leftOut };
  });

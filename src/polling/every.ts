import type { lookUp } from '../http/client';
import { type Ambiguity, tooManyMatch, unreadableMatch } from './ambiguity';
import { readHistory, requestFor } from './history';
import type { Page } from './paginate';

/** The maximum number of records to read. */
const maxRecords = 1_000;

/**
 * Lists all records that match, each one once. `keyOf` tells records apart. `list` requests one page by the function that
 * it gets. Throws an error when there are too many to read.
 */
export const listEvery = async <T>(
  list: (page: { limit: number; after: string | undefined }, request: typeof lookUp) => Promise<Page<T> | undefined>,
  keyOf: (record: T) => string,
  ambiguity: Ambiguity,
): Promise<T[]> => {
  const { records, isComplete, isPartial } = await readHistory(
    async (query) => {
      const page = await list(query, requestFor(query));
      return page && { ...page, data: page.data.map((record) => ({ id: keyOf(record), record })) };
    },
    { limit: maxRecords },
  );
  if (isPartial) throw unreadableMatch(ambiguity);
  // An equally good match can be on a page that wasn't read.
  if (!isComplete) throw tooManyMatch(ambiguity);
  return [...new Map(records.map(({ id, record }) => [id, record])).values()];
};

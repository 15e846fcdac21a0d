import { pageSize } from '../api/endpoints';

/** One page of a list, and the cursor of the next one. */
export interface Page<T> {
  data: T[];
  next_cursor?: string | null | undefined;
}

/** Requests one page of a list. */
type List<T> = (page: { after: string | undefined; limit: number }) => Promise<Page<T> | undefined>;

/** The number of pages to read for one with records. */
const maxPages = 10;

/**
 * Returns the records of the first page that has any, since a filter can leave pages before it empty, and of the pages after
 * it while `goesOn` says so of the last record. A missing page ends the list.
 */
export const firstRecords = async <T>(list: List<T>, goesOn: (last: T) => boolean = () => false): Promise<T[]> => {
  const records: T[] = [];
  let after: string | undefined;
  for (let pages = 0; pages < maxPages; pages += 1) {
    const page = await list({ after, limit: pageSize.max });
    records.push(...(page?.data ?? []));
    const last = page?.data.at(-1) ?? records.at(-1);
    after = page?.next_cursor || undefined;
    if (!after || (last !== undefined && !goesOn(last))) break;
  }
  return records;
};

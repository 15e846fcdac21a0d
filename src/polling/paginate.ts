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

/** Returns the records of the first page that has any. A filter can leave pages before it empty. A missing page ends the list. */
export const firstRecords = async <T>(list: List<T>): Promise<T[]> => {
  let page = await list({ after: undefined, limit: pageSize.max });
  for (let pages = 1; page?.data.length === 0 && page.next_cursor && pages < maxPages; pages += 1) {
    page = await list({ after: page.next_cursor, limit: pageSize.max });
  }
  return page?.data ?? [];
};

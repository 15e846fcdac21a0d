import type { Bundle, ZObject } from 'zapier-platform-core';
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

/** Returns the first page with records from a cursor on. A filter can leave pages before it empty. */
const firstFilledPage = async <T>(list: List<T>, start?: string): Promise<Page<T>> => {
  let page = await list({ after: start, limit: pageSize.max });
  for (let pages = 1; page?.data.length === 0 && page.next_cursor && pages < maxPages; pages += 1) {
    page = await list({ after: page.next_cursor, limit: pageSize.max });
  }
  return page ?? { data: [] };
};

/** Returns the records of the first page that has any. A missing page ends the list. */
export const firstRecords = async <T>(list: List<T>): Promise<T[]> => (await firstFilledPage(list)).data;

/**
 * Returns one page of records for a trigger with `canPaginate`: the first page, or the one that Zapier requests by
 * number. Zapier stores the cursor between pages. Past the last page, it returns no records and makes no request.
 */
export const listPage = async <T>(z: ZObject, { meta }: Pick<Bundle, 'meta'>, list: List<T>): Promise<T[]> => {
  const start = meta?.page ? await z.cursor.get() : undefined;
  if (meta?.page && !start) return [];
  const { data, next_cursor } = await firstFilledPage(list, start);
  // Without a cursor store, as in Zapier's test tools, this page becomes the last one.
  await z.cursor.set(next_cursor ?? '').catch(() => null);
  return data;
};

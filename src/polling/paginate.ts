import type { Bundle, ZObject } from 'zapier-platform-core';
import { pageSize } from '../api/endpoints';

/** One page of a list, and the cursor of the next one. */
export interface Page<T> {
  data: T[];
  next_cursor?: string | null | undefined;
}

/**
 * Returns one page of records for a trigger with `canPaginate`: the first page, or the one that Zapier requests by
 * number. Zapier stores the cursor between pages. Past the last page, it returns no records and makes no request.
 */
export const listPage = async <T>(
  z: ZObject,
  { meta }: Pick<Bundle, 'meta'>,
  list: (page: { after: string | undefined; limit: number }) => Promise<Page<T>>,
): Promise<T[]> => {
  const after = meta?.page ? await z.cursor.get() : undefined;
  if (meta?.page && !after) return [];
  const { data, next_cursor } = await list({ after, limit: pageSize.max });
  // Without a cursor store, as in Zapier's test tools, this page becomes the last one.
  await z.cursor.set(next_cursor ?? '').catch(() => null);
  return data;
};

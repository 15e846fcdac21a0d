import type { Bundle, ZObject } from 'zapier-platform-core';
import { pageSize } from '../api/endpoints';

interface Page<T> {
  data: T[];
  next_cursor?: string | null | undefined;
}

/**
 * One page of a list for a trigger with `canPaginate`: the first one, or the one that Zapier asks for by number. Zapier
 * keeps the cursor between the pages. Past the last page it gives nothing, without a request.
 */
export const listPage = async <T>(
  z: ZObject,
  { meta }: Pick<Bundle, 'meta'>,
  list: (page: { after: string | undefined; limit: number }) => Promise<Page<T>>,
): Promise<T[]> => {
  const after = meta?.page ? await z.cursor.get() : undefined;
  if (meta?.page && !after) return [];
  const { data, next_cursor } = await list({ after, limit: pageSize.max });
  // Where Zapier's store is not to be had, as in its test tools, this page is still good and the last one.
  await z.cursor.set(next_cursor ?? '').catch(() => null);
  return data;
};

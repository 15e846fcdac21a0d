import { pageSize } from '../api/endpoints';
import { firstUnread } from './decode-list';

/** One page of a list, and the cursor of the next one. */
interface Page<T> {
  data: T[];
  next_cursor?: string | null | undefined;
}

/**
 * Returns the records of a list from the cursor `start` on, whether these are all of them, and the cursor to go on with.
 * `list` requests one page. Stops after `maxPages` requests, at a point in time (in ms), and at a cursor that comes again,
 * which would never end.
 */
export const readPages = async <T>(
  list: (page: { limit: number; after: string | undefined }) => Promise<Page<T>>,
  maxPages: number,
  { start, until = Number.POSITIVE_INFINITY }: { start?: string | undefined; until?: number } = {},
): Promise<{ records: T[]; isComplete: boolean; next: string | undefined }> => {
  const pages: T[][] = [];
  const cursors = new Set<string>();
  let isAnyPartial = false;
  let after = start;
  do {
    if (after) cursors.add(after);
    const page = await list({ limit: pageSize.max, after });
    isAnyPartial ||= firstUnread(page) !== undefined;
    pages.push(page.data);
    after = page.next_cursor || undefined;
  } while (after && !cursors.has(after) && pages.length < maxPages && Date.now() < until);
  const next = after && !cursors.has(after) ? after : undefined;
  return { records: pages.flat(), isComplete: !after && !isAnyPartial, next };
};

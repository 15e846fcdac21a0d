import { pageSize } from '../api/endpoints';
import type { Page } from './paginate';

interface History<T> {
  /** Newest first. */
  records: T[];
  /** All records that were read, also those outside the range. */
  seen: T[];
  /** Whether these are all records of the list. */
  isComplete: boolean;
}

/** The number of requests for one list: twice as many as the longest history needs. */
const maxPages = 10;

/**
 * Returns the newest records of a list with as few requests as possible: up to `limit`, only those after `since`, and only
 * those that `accepts` accepts. A missing page ends the list.
 */
export const readHistory = async <T extends { id: string; created_at?: string | null | undefined }>(
  fetchPage: (query: { limit: number; after: string | undefined }) => Promise<Page<T> | undefined>,
  { limit, since, accepts }: { limit: number; since?: Date | undefined; accepts?: (record: T) => boolean },
): Promise<History<T>> => {
  let records: T[] = [];
  let seen: T[] = [];
  const ids = new Set<string>();
  const cursors = new Set<string>();
  let after: string | undefined;
  for (let pages = 1; ; pages += 1) {
    const page = await fetchPage({
      limit: accepts ? pageSize.max : Math.min(limit - records.length, pageSize.max),
      after,
    });
    // A record without a valid time passes.
    const fresh = (page?.data ?? []).filter(({ id }) => !ids.has(id));
    const recent = fresh.filter(({ created_at }) => !(since && Date.parse(created_at ?? '') <= +since));
    const hasOlder = recent.length < fresh.length;
    records = records.concat(accepts ? recent.filter(accepts) : recent);
    seen = seen.concat(fresh);
    for (const { id } of fresh) ids.add(id);
    after = page?.next_cursor || undefined;
    if (records.length >= limit || hasOlder) {
      return { records: records.slice(0, limit), seen, isComplete: !hasOlder && !after && records.length <= limit };
    }
    // Without this, endless pages or repeated cursors would cause endless requests.
    if (!after || cursors.has(after) || pages === maxPages) return { records, seen, isComplete: !after };
    cursors.add(after);
  }
};

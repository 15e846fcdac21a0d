import { pageSize } from '../api/endpoints';
import { call, lookUp } from '../http/client';
import { firstUnread } from '../http/decode-list';
import type { Page } from './paginate';

interface History<T> {
  /** Newest first. */
  records: T[];
  /** All records that were read, also those outside the range. */
  seen: T[];
  /** Whether these are all records of the list. */
  isComplete: boolean;
  /** Whether records in the range may be missing: there are more than `limit`, or not every page was read. */
  isCut: boolean;
  /** Whether the list has records that can't be read and may be in the range. */
  isPartial: boolean;
}

/** The number of requests for a list: twice as many as it needs, and for a short one, enough for pages that are almost empty. */
const maxPagesFor = (limit: number): number => Math.max(10, Math.ceil((2 * limit) / pageSize.max));

/** Returns how to request a page. A first page may be missing. Without a later one, the list would look complete. */
export const requestFor = ({ after }: { after: string | undefined }): typeof lookUp => (after ? call : lookUp);

/**
 * Returns the newest records of a list with as few requests as possible: up to `limit`, and only those after `since`. A
 * missing page ends the list.
 */
export const readHistory = async <T extends { id: string; created_at?: string | null | undefined }>(
  fetchPage: (query: { limit: number; after: string | undefined }) => Promise<Page<T> | undefined>,
  { limit, since }: { limit: number; since?: Date | undefined },
): Promise<History<T>> => {
  let records: T[] = [];
  let seen: T[] = [];
  const ids = new Set<string>();
  const cursors = new Set<string>();
  const maxPages = maxPagesFor(limit);
  // Where a page has room, one more tells whether any that is left out lies in the range.
  const enough = since && limit < pageSize.max ? limit + 1 : limit;
  // A record without a valid time passes.
  const isRecent = ({ created_at }: T): boolean => !(since && Date.parse(created_at ?? '') <= +since);
  let isAnyPartial = false;
  let after: string | undefined;
  for (let pages = 1; ; pages += 1) {
    const page = await fetchPage({ limit: Math.min(enough - records.length, pageSize.max), after });
    const data = page?.data ?? [];
    const unread = firstUnread(page);
    // What the list has after an older record is older, too.
    isAnyPartial ||= unread !== undefined && data.slice(0, unread).every(isRecent);
    const fresh = data.filter(({ id }) => !ids.has(id));
    const recent = fresh.filter(isRecent);
    const hasOlder = recent.length < fresh.length;
    records = records.concat(recent);
    seen = seen.concat(fresh);
    for (const { id } of fresh) ids.add(id);
    const next = page?.next_cursor || undefined;
    // Without the cursors and the number of pages, a service could cause endless requests.
    const isLast = !next || cursors.has(next) || pages === maxPages;
    if (isLast || records.length >= enough || hasOlder) {
      const isCut = records.length > limit || Boolean(next && !hasOlder);
      const isComplete = !hasOlder && !isCut && !isAnyPartial;
      return { records: records.slice(0, limit), seen, isCut, isPartial: isAnyPartial, isComplete };
    }
    cursors.add(next);
    after = next;
  }
};

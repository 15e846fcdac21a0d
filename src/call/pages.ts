/** Reads lists of the service, newest first, and says what a reading may lack. */
import { pageSize } from '../api/endpoints';
import { asRecord } from '../api/json';
import { firstUnread } from './decode-response';

/** Requests one page of a list. Undefined when the service has no such list. */
export type List<T> = (page: {
  limit: number;
  after: string | undefined;
}) => Promise<{ data: T[]; next_cursor?: string | null | undefined } | undefined>;

interface Page<T> {
  records: T[];
  /** The place of the first record that is left out because it can't be read. */
  unread: number | undefined;
  /** The cursor of the next page. */
  next: string | undefined;
  /** Whether the list goes on, perhaps without a way to read the rest. */
  hasMore: boolean;
}

interface Walk {
  /** The cursor of the first page. By default, the list starts with the newest record. */
  start?: string | undefined;
  maxPages: number;
  /** Returns how many records the next page should have. By default, as many as possible. */
  size?: () => number;
}

/**
 * Requests the pages of a list one by one, as long as the caller goes on. Stops after `maxPages`, and at a cursor that comes
 * again, which would never end.
 */
export async function* pages<T>(
  list: List<T>,
  { start, maxPages, size = () => pageSize.max }: Walk,
): AsyncGenerator<Page<T>, void> {
  const cursors = new Set<string>();
  let after = start;
  for (let count = 1; count <= maxPages; count += 1) {
    if (after) cursors.add(after);
    const page = await list({ limit: Math.min(size(), pageSize.max), after });
    const cursor = page?.next_cursor || undefined;
    const next = cursor && !cursors.has(cursor) ? cursor : undefined;
    // A later page that is missing leaves its records out.
    const hasMore = cursor !== undefined || (!page && count > 1);
    yield { records: page?.data ?? [], unread: firstUnread(page), next, hasMore };
    if (!next) return;
    after = next;
  }
}

/** Why a reading may lack records: there are more than it read, some can't be read, or some are older than it's for. */
export type Gap = 'more' | 'unreadable' | 'older';

/** The records of a list, newest first. */
export interface Reading<T> {
  /** Each record once. */
  records: T[];
  /** The records, and those that were read although they are older or more than the reading is for. */
  seen: T[];
  /** The verdict: what it may lack, the most important first. Empty when it has the whole list. */
  gaps: readonly Gap[];
  /** The cursor to go on with; undefined when there is none. */
  next: string | undefined;
}

interface Range<T> {
  /** Returns what tells a record from the others. By default, its id, or all of it. */
  keyOf?: (record: T) => string;
  /** The maximum number of records. */
  limit?: number;
  /** Only records after this time. */
  since?: Date | undefined;
  start?: string | undefined;
  /** The maximum number of requests: by default, twice as many as `limit` takes, and enough for pages that are almost empty. */
  maxPages?: number;
  /** When to stop, in milliseconds since 1970. */
  until?: number;
}

const idOf = (record: object): string => String(asRecord(record).id ?? JSON.stringify(record));

const maxPagesFor = (limit: number): number => Math.max(10, Math.ceil((2 * limit) / pageSize.max));

/** Reads the newest records of a list with as few requests as possible. */
export const readList = async <T extends object>(
  list: List<T>,
  { keyOf = idOf, limit = Infinity, since, start, maxPages = maxPagesFor(limit), until = Infinity }: Range<T>,
): Promise<Reading<T>> => {
  // Where a page has room, one more tells whether any that is left out lies in the range.
  const enough = since && limit < pageSize.max ? limit + 1 : limit;
  // A record without a valid time passes.
  const isRecent = (record: T): boolean => !(since && Date.parse(String(asRecord(record).created_at)) <= +since);
  const seen = new Map<string, T>();
  const found = { more: false, unreadable: false, older: false };
  let records: T[] = [];
  let next: string | undefined;
  for await (const page of pages(list, { start, maxPages, size: () => enough - records.length })) {
    // What the list has after an older record is older, too.
    found.unreadable ||= page.unread !== undefined && page.records.slice(0, page.unread).every(isRecent);
    const fresh = page.records.filter((record) => !seen.has(keyOf(record)) && seen.set(keyOf(record), record));
    const recent = fresh.filter(isRecent);
    records = records.concat(recent);
    next = page.next;
    found.older = recent.length < fresh.length;
    found.more = records.length > limit || (page.hasMore && !found.older);
    if (found.older || records.length >= enough || Date.now() >= until) break;
  }
  const gaps = (['more', 'unreadable', 'older'] as const).filter((gap) => found[gap]);
  return { records: records.slice(0, limit), seen: [...seen.values()], gaps, next };
};

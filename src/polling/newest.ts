import { pageSize } from '../api/endpoints';

interface Page<T> {
  data: T[];
  next_cursor?: string | null | undefined;
}

interface Newest<T> {
  /** Newest first. */
  records: T[];
  /** Whether no older record was left out. */
  isComplete: boolean;
}

/**
 * Reads the newest records of a list with the fewest requests: up to `limit`, and only those after `since`. A page that
 * isn't there ends the list.
 */
export const readNewest = async <T extends { created_at?: string | null | undefined }>(
  fetchPage: (query: { limit: number; after: string | undefined }) => Promise<Page<T> | undefined>,
  { limit, since }: { limit: number; since?: Date | undefined },
): Promise<Newest<T>> => {
  const records: T[] = [];
  const cursors = new Set<string>();
  let after: string | undefined;
  for (;;) {
    const page = await fetchPage({ limit: Math.min(limit - records.length, pageSize.max), after });
    // A time that can't be read doesn't decide.
    const recent = (page?.data ?? []).filter(({ created_at }) => !(since && Date.parse(created_at ?? '') <= +since));
    const isOlderLeft = recent.length < (page?.data.length ?? 0);
    records.push(...recent);
    after = page?.next_cursor || undefined;
    if (records.length >= limit || isOlderLeft) {
      return { records: records.slice(0, limit), isComplete: !isOlderLeft && !after && records.length <= limit };
    }
    // A service that returns nothing, or repeats its cursors, would be asked forever.
    if (!after || cursors.has(after) || !page?.data.length) return { records, isComplete: !after };
    cursors.add(after);
  }
};

import { pageSize } from '../api/endpoints';

interface Page<T> {
  data: T[];
  next_cursor?: string | null | undefined;
}

interface Newest<T> {
  /** Newest first. */
  records: T[];
  /** Whether no older records exist in the range. */
  isComplete: boolean;
}

/**
 * Returns the newest records of a list with as few requests as possible: up to `limit`, and only those after `since`. A
 * missing page ends the list.
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
    // A record without a valid time passes.
    const recent = (page?.data ?? []).filter(({ created_at }) => !(since && Date.parse(created_at ?? '') <= +since));
    const isOlderLeft = recent.length < (page?.data.length ?? 0);
    records.push(...recent);
    after = page?.next_cursor || undefined;
    if (records.length >= limit || isOlderLeft) {
      return { records: records.slice(0, limit), isComplete: !isOlderLeft && !after && records.length <= limit };
    }
    // Without this, empty pages or repeated cursors would cause endless requests.
    if (!after || cursors.has(after) || !page?.data.length) return { records, isComplete: !after };
    cursors.add(after);
  }
};

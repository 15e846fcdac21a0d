import { pageSize } from './api/endpoints';

interface Page<T> {
  data: T[];
  next_cursor?: string | null | undefined;
}

/** The first `count` records of a list, with the fewest requests. A page that isn't there ends it. */
export const listFirst = async <T>(
  count: number,
  fetchPage: (query: { limit: number; after: string | undefined }) => Promise<Page<T> | undefined>,
): Promise<T[]> => {
  let records: T[] = [];
  const seen = new Set<string | undefined>();
  let after: string | undefined;
  // A service that returns nothing, or goes round in circles, would be asked for ever.
  while (records.length < count && !seen.has(after)) {
    seen.add(after);
    const page = await fetchPage({ limit: Math.min(count - records.length, pageSize.most), after });
    if (!page?.data.length) break;
    records = [...records, ...page.data];
    after = page.next_cursor || undefined;
  }
  return records.slice(0, count);
};

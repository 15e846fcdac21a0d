import type { Bundle, ZObject } from 'zapier-platform-core';
import { pageSize } from './api/endpoints';

interface Page<T> {
  data: T[];
  next_cursor?: string | null | undefined;
}

interface Dropdown<T> {
  /** One page of the API's list; `form` is what the person has filled in so far. */
  list: (z: ZObject, page: { after: string | undefined; limit: number }, form: Bundle['inputData']) => Promise<Page<T>>;
  /** What is chosen, and what the person sees. */
  choice: (item: T) => { id: string; name: string };
  sample: { id: string; name: string };
}

/** The operation of a hidden trigger behind a dropdown: one request a page, each row an `id` and a `name`. */
export const dropdown = <T>({ list, choice, sample }: Dropdown<T>) => ({
  type: 'polling' as const,
  canPaginate: true,
  perform: async (z: ZObject, bundle: Bundle) => {
    const after = bundle.meta?.page ? await z.cursor.get() : undefined;
    if (bundle.meta?.page && !after) return [];
    const { data, next_cursor } = await list(z, { after, limit: pageSize.most }, bundle.inputData);
    // Only a page that has a successor needs the cursor; the first page works wherever Zapier's store does not.
    if (next_cursor || after) await z.cursor.set(next_cursor ?? '');
    return data.map(choice);
  },
  sample,
});

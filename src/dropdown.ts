import type { Bundle, ZObject } from 'zapier-platform-core';
import { listPage } from './pages';

type Choice = { id: string; name: string };

interface Dropdown<T> {
  /** One page of the API's list. `form` is what the person has filled in so far. */
  list: (
    ...page: [z: ZObject, page: { after: string | undefined; limit: number }, form: Bundle['inputData']]
  ) => Promise<{
    data: T[];
    next_cursor?: string | null | undefined;
  }>;
  /** What is chosen, and what the person sees. */
  choice: (item: T) => Choice;
  sample: Choice;
}

/** Core refuses a list in which two rows have one id, such as a template in two languages. */
const withoutRepeats = (choices: Choice[]): Choice[] => [...new Map(choices.map((row) => [row.id, row])).values()];

/** The operation of a hidden trigger behind a dropdown: one request a page, each row an `id` and a `name`. */
export const dropdown = <T>({ list, choice, sample }: Dropdown<T>) => ({
  type: 'polling' as const,
  canPaginate: true,
  perform: async (z: ZObject, bundle: Bundle): Promise<Choice[]> => {
    const items = await listPage(z, bundle, (page) => list(z, page, bundle.inputData));
    return withoutRepeats(items.map(choice));
  },
  sample,
});

import {
  type Bundle,
  defineInputField,
  type InferInputData,
  type InputField,
  type ZObject,
} from 'zapier-platform-core';
import { readInput } from '../forms/input';
import { listPage } from './paginate';

type Choice = { id: string; name: string };

/** What a person types to narrow a dropdown down. */
export const searchField = defineInputField({ key: 'search', label: 'Search' });

interface Dropdown<T, F extends InputField[]> {
  /** What of the form, filled in so far, decides over the rows. */
  inputFields: F;
  /** One page of the API's list. */
  list: (
    ...ask: [z: ZObject, page: { after: string | undefined; limit: number }, form: InferInputData<F>]
  ) => Promise<{ data: T[]; next_cursor?: string | null | undefined }>;
  /** What is chosen, and what the person sees. */
  choice: (item: T) => Choice;
  sample: Choice;
}

/** Core refuses a list in which two rows have one id, such as a template in two languages. */
const withoutRepeats = (choices: Choice[]): Choice[] => {
  const rows = new Map<string, Choice>();
  for (const row of choices) if (!rows.has(row.id)) rows.set(row.id, row);
  return [...rows.values()];
};

/** The operation of a hidden trigger behind a dropdown: one request a page, each row an `id` and a `name`. */
export const dropdown = <T, const F extends InputField[]>({ inputFields, list, choice, sample }: Dropdown<T, F>) => ({
  type: 'polling' as const,
  canPaginate: true,
  inputFields,
  perform: async (z: ZObject, bundle: Bundle): Promise<Choice[]> => {
    const form = readInput(inputFields, bundle.inputData);
    return withoutRepeats((await listPage(z, bundle, (page) => list(z, page, form))).map(choice));
  },
  sample,
});

import { type Bundle, defineInputField, type InputField, type ZObject } from 'zapier-platform-core';
import { type InputOf, readInput } from '../forms/input';
import { listPage, type Page } from './paginate';

type Choice = { id: string; name: string };

/** The text that people type to search a dropdown. */
export const searchField = defineInputField({ key: 'search', label: 'Search' });

interface Dropdown<T, F extends InputField[]> {
  /** The fields of the form that filter the choices. */
  inputFields: F;
  /** Requests one page of records. */
  list: (z: ZObject, page: { after: string | undefined; limit: number }, input: InputOf<F>) => Promise<Page<T>>;
  /** Returns the value and the label of a record in the dropdown. */
  toChoice: (record: T) => Choice;
  /** An example of a record. */
  sample: T;
}

/** Returns the first choice with each id, because core rejects a list with two. */
const uniqueById = (choices: Choice[]): Choice[] => {
  const unique = new Map<string, Choice>();
  for (const choice of choices) if (!unique.has(choice.id)) unique.set(choice.id, choice);
  return [...unique.values()];
};

/** Returns the operation of a hidden trigger that fills a dropdown. It makes one request per page. */
export const dropdown = <T, const F extends InputField[]>({ inputFields, list, toChoice, sample }: Dropdown<T, F>) => ({
  type: 'polling' as const,
  canPaginate: true,
  inputFields,
  perform: async (z: ZObject, bundle: Bundle): Promise<Choice[]> => {
    const input = readInput(inputFields, bundle.inputData);
    return uniqueById((await listPage(z, bundle, (page) => list(z, page, input))).map(toChoice));
  },
  sample: toChoice(sample),
});

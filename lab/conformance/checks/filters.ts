import { readE164 } from '../../../src/api/e164';
import { type Endpoint, endpoints, nameOf, pageSize } from '../../../src/api/endpoints';
import { exists, withoutMissing } from '../../../src/api/missing';
import { vocabulary } from '../../../src/api/resources';
import * as wire from '../../../src/api/wire';
import { placeOf } from '../compare/place';
import { type AnyPage, type AnyRecord, idOf, readPage, requireSuccess } from '../compare/response';
import type { ServiceClient, ServiceResponse } from '../service-client';
import { type Check, Differs, Lacking, Missing, requireNone } from './check';
import { unknownId } from './fictional';
import { type Records, reads, returnsPages } from './records';

/** The values of a record that a filter compares, when they aren't in the field of the same name. */
const comparedValue: Record<string, (record: AnyRecord) => unknown> = {
  contact_id: ({ contact }) => Object(contact).id,
  tag: ({ tags }) => tags,
  query: ({ name, first_name }) => name ?? first_name,
};

const valuesOf = (filter: string, record: AnyRecord): string[] =>
  [comparedValue[filter]?.(record) ?? record[filter]]
    .flat()
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    // Steps ask for a phone number in E.164, however the service writes it.
    .map((value) => readE164(String(value)) ?? String(value));

/** Lists the values that records have for a filter. A comma would separate two values. */
const candidatesFor = (filter: string, { records }: AnyPage) =>
  records
    .flatMap((record) => valuesOf(filter, record).map((value) => ({ record, value })))
    .filter(({ value }) => !value.includes(','));

const filtersOf = (endpoint: Endpoint): string[] =>
  Object.keys(withoutMissing(nameOf(endpoint) ?? '', endpoint.query?.shape ?? {})).filter(
    (name) => name !== 'limit' && name !== 'after',
  );

/** Requests the newest records with a value. `limit` is the service's own when left out. */
type Find = (value: string, limit?: number) => Promise<ServiceResponse>;

/** Text search may look at more than the record shows, so only its empty result can be checked. */
const isExact = (filter: string): boolean => filter !== 'query';

const problemWithMatches = (filter: string, value: string, found: AnyRecord[]): string | undefined =>
  isExact(filter) && found.some((record) => !valuesOf(filter, record).includes(value))
    ? `\`${filter}\` returns records with another value`
    : undefined;

/** Filters by the value of a record. The result must have that record, and only records with the value. */
const problemWithValue = async (filter: string, page: AnyPage, find: Find): Promise<string | undefined> => {
  // The oldest record is the least likely to change in the meantime.
  const last = candidatesFor(filter, page).at(-1);
  if (!last) return undefined;
  const { record, value } = last;
  const found = readPage(await find(value, pageSize.max)).records;
  if (!found.some((each) => idOf(each) === idOf(record))) return `\`${filter}\` doesn't find a record with the value`;
  return problemWithMatches(filter, value, found);
};

/** Filters by a value that no record has. The result must be empty, or the service may refuse the value. */
const problemWithUnknown = async (filter: string, find: Find): Promise<string | undefined> => {
  const response = await find(unknownId);
  if ([400, 404, 422].includes(response.status)) return undefined;
  return readPage(response).records.length > 0 ? `\`${filter}\` returns records for an unknown value` : undefined;
};

/** Filters by each word of a vocabulary. Every record in the result must have it. */
const problemWithWords = async (filter: string, words: string[], find: Find): Promise<string | undefined> => {
  for (const word of words) {
    const problem = problemWithMatches(filter, word, readPage(await find(word)).records);
    if (problem) return problem;
  }
  return undefined;
};

/** The words that a filter takes, by our names; undefined when it takes any text. */
const wordsOf = ({ query }: Endpoint, filter: string): string[] | undefined => {
  const schema = query?.def.shape[filter];
  return schema && wire.wordsOf(schema)?.map(String);
};

const problemWith = async (service: ServiceClient, endpoint: Endpoint, filter: string, page: AnyPage) => {
  const find: Find = (value, limit) => service.request<Endpoint>(endpoint, { query: { [filter]: value, limit } });
  const words = wordsOf(endpoint, filter);
  try {
    const problem =
      (await problemWithValue(filter, page, find)) ??
      (words ? await problemWithWords(filter, words, find) : await problemWithUnknown(filter, find));
    if (!problem) return undefined;
    const text = `${problem}${placeOf(nameOf(endpoint) ?? '', [filter])}`;
    // The app removes the records that an ignored filter lets through.
    return { text, isTolerated: isExact(filter) && problem.includes(' returns records ') };
  } catch (error) {
    // A parameter that is refused says nothing about the others.
    if (error instanceof Differs) return { text: `\`${filter}\`: ${error.message}`, isTolerated: false };
    throw error;
  }
};

const checkFilters = async (service: ServiceClient, records: Records, endpoint: Endpoint): Promise<string> => {
  const page = readPage(await records.read(endpoint));
  if (page.records.length === 0) throw new Lacking('add a record to filter');
  const problems: { text: string; isTolerated: boolean }[] = [];
  for (const filter of filtersOf(endpoint)) {
    if (!(await problemWith(service, endpoint, filter, page))) continue;
    // A live record may have changed since the page was read.
    const current = readPage(await service.request<Endpoint>(endpoint, {}));
    const problem = await problemWith(service, endpoint, filter, current);
    if (problem) problems.push(problem);
  }
  const textsOf = (isTolerated: boolean) =>
    problems.filter((each) => each.isTolerated === isTolerated).map(({ text }) => text);
  requireNone(textsOf(false), textsOf(true));
  const untried = filtersOf(endpoint).filter((filter) => candidatesFor(filter, page).length === 0);
  const tried = filtersOf(endpoint).filter((filter) => !untried.includes(filter));
  if (tried.length === 0) throw new Lacking(`add a record with a value for ${untried.join(', ')}`);
  return `by ${tried.join(', ')}${untried.length > 0 ? `; no record has a value for ${untried.join(', ')}` : ''}`;
};

/** Returns the id of the newest message of these directions, or of any; undefined when there is none. */
const newestMessage = async (service: ServiceClient, direction?: readonly string[]): Promise<string | undefined> => {
  const response = await service.request<Endpoint>(endpoints.listMessages, { query: { direction, limit: 1 } });
  requireSuccess(response);
  const [found] = readPage(response).records;
  return found && idOf(found);
};

const checkTwoValues = async (service: ServiceClient): Promise<string> => {
  if (!exists('listMessages.direction')) throw new Missing('direction');
  const { direction: directions } = vocabulary;
  const each = await Promise.all(directions.map((direction) => newestMessage(service, [direction])));
  if (each.includes(undefined)) throw new Lacking('add a message of the other direction');
  const newest = await newestMessage(service);
  // In either order, since a service that reads only the first value may find the newest by it.
  const orders = [directions, directions.toReversed()];
  const found = await Promise.all(orders.map((order) => newestMessage(service, order)));
  if (found.some((one) => one !== newest)) throw new Differs("doesn't find both");
  return directions.join(' and ');
};

/** Checks that each filter of each list finds the records with a value and no others. */
export const filterChecks = (service: ServiceClient, records: Records): Check[] => [
  ...reads
    .filter(([, endpoint]) => returnsPages(endpoint) && filtersOf(endpoint).length > 0)
    .map(
      ([name, endpoint]): Check => ({
        name: `${name}, filtered`,
        run: () => checkFilters(service, records, endpoint),
      }),
    ),
  {
    name: 'a filter with two values and a comma',
    // The second try is for a message that arrived in the meantime.
    run: () => checkTwoValues(service).catch(() => checkTwoValues(service)),
  },
];

import { type Endpoint, endpoints, pageSize } from '../src/api/endpoints';
import { idOf, readPage } from './answers';
import { type Check, Differs, NotChecked, requireNone } from './check';
import { isPaged, type Records, reads } from './records';
import type { Service } from './service';

type AnyRecord = Record<string, unknown>;

/** Where a record has what a filter asks for, when that is not the field of the same name. */
const places: Record<string, string[]> = {
  contact_id: ['contact.id'],
  tag: ['tags.0'],
  query: ['name', 'first_name'],
};

const valueAt = (record: unknown, path: string): unknown =>
  path.split('.').reduce((value, key) => new Map<string, unknown>(Object.entries(value ?? {})).get(key), record);

const valueIn = (filter: string, record: AnyRecord): string | undefined => {
  const values = (places[filter] ?? [filter]).map((path) => valueAt(record, path));
  return values.find((value) => typeof value === 'string');
};

const filtersOf = ({ query }: Endpoint): string[] =>
  Object.keys(query?.shape ?? {}).filter((name) => name !== 'limit' && name !== 'after');

const find = async (service: Service, endpoint: Endpoint, filter: string, value: unknown): Promise<AnyRecord[]> => {
  const query = { [filter]: value, limit: pageSize.most };
  return readPage(await service.ask<Endpoint>(endpoint, { query })).records;
};

/** What is wrong with a filter when it is asked for the value of this record; undefined when nothing is. */
const problemWith = async (service: Service, endpoint: Endpoint, filter: string, record: AnyRecord) => {
  const value = valueIn(filter, record);
  const found = await find(service, endpoint, filter, value);
  if (!found.some((each) => idOf(each) === idOf(record))) return `\`${filter}\` does not find what has the value`;
  const isExact = !places[filter];
  return isExact && found.some((each) => valueIn(filter, each) !== value)
    ? `\`${filter}\` lets through what has another value`
    : undefined;
};

const tryFilters = async (service: Service, records: Records, endpoint: Endpoint): Promise<string> => {
  const known = readPage(await records.answer(endpoint)).records;
  const trials = filtersOf(endpoint).flatMap((filter) => {
    const record = known.find((each) => valueIn(filter, each));
    return record ? [{ filter, record }] : [];
  });
  if (trials.length === 0) throw new NotChecked('the workspace has nothing to filter');
  const problems: string[] = [];
  for (const { filter, record } of trials) {
    const problem = await problemWith(service, endpoint, filter, record);
    if (problem) problems.push(problem);
  }
  requireNone(problems);
  return `by ${trials.map(({ filter }) => filter).join(', ')}`;
};

const trySeveral = async (service: Service, records: Records): Promise<string> => {
  const known = readPage(await records.answer(endpoints.listMessages)).records;
  const statuses = [...new Set(known.map((message) => valueIn('status', message)))].slice(0, 2);
  if (statuses.length < 2) throw new NotChecked('the newest messages have all one status');
  const found = await find(service, endpoints.listMessages, 'status', statuses);
  const seen = new Set(found.map((message) => valueIn('status', message)));
  if (!statuses.every((status) => seen.has(status))) throw new Differs('does not find both');
  return statuses.join(' and ');
};

/** Whether each filter of each list finds what it is asked for. */
export const filterChecks = (service: Service, records: Records): Check[] => [
  ...reads
    .filter(([, endpoint]) => isPaged(endpoint) && filtersOf(endpoint).length > 0)
    .map(
      ([name, endpoint]): Check => ({
        name: `${name}, filtered`,
        basis: endpoint.basis,
        run: () => tryFilters(service, records, endpoint),
      }),
    ),
  { name: 'a filter of two values, with a comma', basis: 'assumed', run: () => trySeveral(service, records) },
];

import { type Endpoint, endpoints, pageSize } from '../../src/api/endpoints';
import { vocabulary } from '../../src/api/resources';
import { type AnyPage, idOf, readPage } from '../contract/response';
import type { Service } from '../service';
import { type Check, Differs, NotChecked, requireNone } from './check';
import { isPaged, type Records, reads } from './records';

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

/** What is wrong with a filter that is asked for a value of the page; undefined when nothing is. */
const problemWith = async (service: Service, endpoint: Endpoint, filter: string, { records }: AnyPage) => {
  // The last one is the least likely to change meanwhile.
  const record = records.findLast((each) => valueIn(filter, each)) ?? {};
  const value = valueIn(filter, record);
  const found = await find(service, endpoint, filter, value);
  if (!found.some((each) => idOf(each) === idOf(record))) return `\`${filter}\` does not find what has the value`;
  const isExact = !places[filter];
  return isExact && found.some((each) => valueIn(filter, each) !== value)
    ? `\`${filter}\` lets through what has another value`
    : undefined;
};

const tryFilters = async (service: Service, records: Records, endpoint: Endpoint): Promise<string> => {
  const page = readPage(await records.answer(endpoint));
  const filters = filtersOf(endpoint).filter((filter) => page.records.some((each) => valueIn(filter, each)));
  if (filters.length === 0) throw new NotChecked('the workspace has nothing to filter');
  const problems: string[] = [];
  for (const filter of filters) {
    if (!(await problemWith(service, endpoint, filter, page))) continue;
    // The service is alive: a value that has changed since the page was read is no problem of the filter.
    const present = readPage(await service.ask<Endpoint>(endpoint, {}));
    const problem = await problemWith(service, endpoint, filter, present);
    if (problem) problems.push(problem);
  }
  requireNone(problems);
  return `by ${filters.join(', ')}`;
};

/** The newest message of these directions, or of any; undefined when there is none. */
const newest = async (service: Service, direction?: readonly string[]): Promise<string | undefined> => {
  const query = { direction, limit: 1 };
  const [found] = readPage(await service.ask<Endpoint>(endpoints.listMessages, { query })).records;
  return found && idOf(found);
};

const trySeveral = async (service: Service): Promise<string> => {
  const { direction: directions } = vocabulary;
  const each = await Promise.all(directions.map((direction) => newest(service, [direction])));
  if (each.includes(undefined)) throw new NotChecked('the workspace has messages of one direction alone');
  const all = await newest(service);
  // In either order, since a service that takes the first value alone may find the newest by it.
  const orders = [directions, directions.toReversed()];
  const found = await Promise.all(orders.map((order) => newest(service, order)));
  if (found.some((one) => one !== all)) throw new Differs('does not find both');
  return directions.join(' and ');
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
  {
    name: 'a filter with two values and a comma',
    basis: 'assumed',
    // A message may have come meanwhile.
    run: () => trySeveral(service).catch(() => trySeveral(service)),
  },
];

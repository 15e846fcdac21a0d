import { type Endpoint, nameOf, pageSize } from '../../../src/api/endpoints';
import { wordsOf } from '../../../src/api/fields';
import { passesFilters } from '../../../src/api/filters';
import { withoutMissing } from '../../../src/api/missing';
import { type Check, Differs, type Findings, inHook, leaveOut, Skipped } from '../check';
import { unknownId } from '../own-records';
import { type Records, reads, returnsPages } from '../records';
import { type AnyRecord, idOf, readPage } from '../response';
import type { ServiceClient } from '../service-client';

/** Filters that look at more than one field of a record, or page. */
const others = new Set(['query', 'limit', 'after']);

/** Filters whose value isn't in the field of the same name. */
const valueIn: Record<string, (record: AnyRecord) => unknown> = {
  contact_id: ({ contact }) => Object(contact).id,
  tag: ({ tags }) => tags,
};

/** Returns the texts that a filter compares. A comma would separate two values. */
const valuesOf = (filter: string, record: AnyRecord): string[] =>
  [valueIn[filter]?.(record) ?? record[filter]]
    .flat()
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .map(String)
    .filter((value) => !value.includes(','));

const filtersOf = (endpoint: Endpoint): string[] =>
  Object.keys(withoutMissing(nameOf(endpoint) ?? '', endpoint.query?.def.shape ?? {})).filter(
    (name) => !others.has(name),
  );

/** Judges records that a filter let through although they don't have its value. The app looks at them again. */
const judgeStrangers = (
  filter: string,
  value: string,
  records: readonly AnyRecord[],
  todo: string,
  found: Findings,
): void => {
  const strangers = records.filter((record) => !passesFilters(record, { [filter]: [value] }));
  const unclear = records.filter((record) => !strangers.includes(record) && valuesOf(filter, record).length === 0);
  if (unclear.length > 0)
    found.differs(`\`${filter}\` returns records of which the app can't tell whether they have the value`, todo);
  if (strangers.length > 0) found.copes(`\`${filter}\` also returns records without the value`);
};

const checkFilter = async (
  service: ServiceClient,
  endpoint: Endpoint,
  filter: string,
  found: Findings,
): Promise<boolean> => {
  const name = nameOf(endpoint);
  if (!name) return false;
  const list = async (query: object) => readPage(await service.request(endpoint, { query })).records;
  const todo = `Send it in ${inHook(name, 'request')}, or ${leaveOut('filters', `${name}.${filter}`)}.`;
  const record = (await list({ limit: pageSize.max })).findLast((each) => valuesOf(filter, each).length > 0);
  const value = record && valuesOf(filter, record)[0];
  if (record && value !== undefined) {
    const matching = await list({ [filter]: [value], limit: pageSize.max });
    if (!matching.some((each) => idOf(each) === idOf(record)))
      found.differs(`\`${filter}\` doesn't find a record with the value`, todo);
    judgeStrangers(filter, value, matching, todo, found);
  }
  const schema = endpoint.query?.def.shape[filter];
  for (const other of (schema && wordsOf(schema)) ?? [unknownId]) {
    const response = await service.request(endpoint, { query: { [filter]: [other] } });
    // A service may refuse a value that nobody has.
    const isRefused = other === unknownId && [400, 404, 422].includes(response.status);
    if (!isRefused) judgeStrangers(filter, other, readPage(response).records, todo, found);
  }
  return value !== undefined;
};

const checkFilters = async (
  service: ServiceClient,
  records: Records,
  endpoint: Endpoint,
  found: Findings,
): Promise<string> => {
  if (readPage(await records.read(endpoint)).records.length === 0) throw new Skipped('add a record to filter');
  const [tried, untried]: [string[], string[]] = [[], []];
  for (const filter of filtersOf(endpoint)) {
    try {
      (await checkFilter(service, endpoint, filter, found)) ? tried.push(filter) : untried.push(filter);
    } catch (error) {
      // A parameter that is refused says nothing about the others.
      if (!(error instanceof Differs)) throw error;
      found.differs(`\`${filter}\`: ${error.message}`, error.todo);
    }
  }
  return `by ${tried.join(', ')}${untried.length > 0 ? `; no record has a value for ${untried.join(', ')}` : ''}`;
};

/** Checks the filters by which a Zap chooses people and their records: each finds those with the value, and no others. */
export const filterChecks = (service: ServiceClient, records: Records): Check[] =>
  reads
    .filter(([, endpoint]) => returnsPages(endpoint) && filtersOf(endpoint).length > 0)
    .map(([name, endpoint]) => ({
      name: `${name}, filtered`,
      run: (found) => checkFilters(service, records, endpoint, found),
    }));

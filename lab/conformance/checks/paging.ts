import { type Endpoint, nameOf, pageSize } from '../../../src/api/endpoints';
import { withoutMissing } from '../../../src/api/missing';
import type { EndpointName } from '../../../src/api/transport';
import { placeOf } from '../compare/place';
import { recordOf, resourceOf } from '../compare/resource';
import { type AnyPage, idOf, readPage } from '../compare/response';
import type { ServiceClient } from '../service-client';
import { type Check, Copes, Differs, Lacking, NotChecked } from './check';
import { type Records, reads, returnsPages } from './records';

type List = (query: { limit?: number; after?: string }) => Promise<AnyPage>;

/** Returns the lists of the endpoint, such as one for each conversation. */
const listsOf = async (service: ServiceClient, records: Records, endpoint: Endpoint): Promise<List[]> =>
  (await records.inputs(endpoint)).map((input): List => {
    return async (query) => readPage(await service.request<Endpoint>(endpoint, { ...input, query }));
  });

/** Finds a list with two records or more, and returns its first two. */
const findList = async (lists: readonly List[]) => {
  for (const list of lists) {
    const two = await list({ limit: 2 });
    if (two.records.length >= 2) return { list, two };
  }
  throw new Lacking('add records until there are two');
};

/** Throws unless the page after one has records, and others. `source` is where the contract says how to ask for it. */
const requireOthers = (page: AnyPage, next: AnyPage, source: string): void => {
  const seen = page.records.map(idOf);
  if (next.records.some((record) => seen.includes(idOf(record))))
    throw new Differs(`the next page repeats the page before${source}`);
  if (next.records.length === 0) throw new Differs('the next page is empty, but there are more records');
};

const requireNextPage = async (list: List, [first, two]: [AnyPage, AnyPage], source: string): Promise<void> => {
  if (!first.cursor) {
    throw new Differs(`has no cursor, but more records${first.beside}${placeOf('list', ['next_cursor'])}`);
  }
  const second = await list({ limit: 1, after: first.cursor });
  requireOthers(first, second, source);
  const [before, after] = [first, second].map(({ records }) => records.map(idOf)[0]);
  const [one, other] = two.records.map(idOf);
  if (one === before && other !== after) throw new Differs('the next page skips records');
};

/** Throws unless the newest records come first. A list by last activity would let a trigger miss new records. */
const requireOrder = ({ records }: AnyPage, endpoint: Endpoint): void => {
  const times = records.map(({ created_at }) => Date.parse(String(created_at))).filter((time) => !Number.isNaN(time));
  if (times.some((time, index) => time < (times[index + 1] ?? 0))) throw new Differs("isn't sorted newest first");
  const isUnclear = records.length > 1 && times.length < 2;
  if (isUnclear && 'created_at' in withoutMissing(resourceOf(endpoint), recordOf(endpoint)?.shape ?? {})) {
    throw new NotChecked('no record says when it was created, so the list may not have the newest first');
  }
};

/** Throws when the last page has a cursor: `Copes` when an empty page follows, and `Differs` when pages never end. */
const requireEnd = async (list: List, { records, cursor }: AnyPage): Promise<void> => {
  if (records.length >= pageSize.max || !cursor) return;
  const next = await list({ limit: pageSize.max, after: cursor });
  if (next.records.length > 0 || next.cursor) throw new Differs('has a cursor on its last page');
  throw new Copes('an empty page follows the last one');
};

/** Reads pages whose size the service fixes, although it has a limit. */
const checkUnlimited = async (endpoint: Endpoint, list: List, two: AnyPage, source: string): Promise<string> => {
  const { length } = two.records;
  const note = `returns ${length} records for a limit of 1 or 2`;
  requireOrder(two, endpoint);
  if (two.cursor) requireOthers(two, await list({ limit: 2, after: two.cursor }), source);
  throw new Copes(two.cursor ? note : `${note}, and no cursor`);
};

const checkPages = async (service: ServiceClient, records: Records, endpoint: Endpoint): Promise<string> => {
  const lists = await listsOf(service, records, endpoint);
  const source = placeOf(nameOf(endpoint) ?? '', ['after']);
  const { list, two } = await findList(lists);
  const first = await list({ limit: 1 });
  if (first.records.length > 1 || two.records.length > 2) return checkUnlimited(endpoint, list, two, source);
  await requireNextPage(list, [first, two], source);
  const largest = await list({ limit: pageSize.max });
  requireOrder(largest, endpoint);
  await requireEnd(list, largest);
  return `of 1, 2 and ${largest.records.length}`;
};

/** Checks that a list comes in pages of the requested size, newest first, with each record once. */
export const pagingCheck = (
  service: ServiceClient,
  records: Records,
  [name, endpoint]: readonly [EndpointName, Endpoint],
): Check => ({
  name: `${name}, in pages`,
  run: () => checkPages(service, records, endpoint),
});

/** Checks the pages of each list, except webhooks. A workspace often has none, and `--write` creates some. */
export const pagingChecks = (service: ServiceClient, records: Records): Check[] =>
  reads
    .filter(([name, endpoint]) => returnsPages(endpoint) && name !== 'listWebhooks')
    .map((each) => pagingCheck(service, records, each));

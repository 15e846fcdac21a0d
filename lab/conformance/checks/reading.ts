import { connectionTests } from '../../../src/api/adapter';
import { type AnyInput, type Endpoint, endpoints, type Part, pageSize } from '../../../src/api/endpoints';
import { exists, withoutMissing } from '../../../src/api/missing';
import type { EndpointName } from '../../../src/api/transport';
import { type Check, Differs, type Findings, inHook, leaveOut, NotChecked, Skipped } from '../check';
import { unknownId } from '../own-records';
import { isInPath, type Records, reads, returnsPages } from '../records';
import { type AnyPage, type AnyRecord, idOf, readPage, requireRefusal, requireSuccess } from '../response';
import type { ServiceClient } from '../service-client';
import { compareResponse, recordOf, resourceOf, type Words } from '../shape';

/** Fields without which a trigger never starts or a search finds nobody, and which no record of a list may lack. */
const needed: readonly [list: EndpointName, part: Part, field: string, consequence: string][] = [
  ['listMessages', 'message.source', 'source', 'New Outbound Message would never start'],
  ['listContacts', 'contact.consent', 'consent', 'Contact Opted Out would never start'],
  ['listContacts', 'contact.tags', 'tags', 'Find Contacts would find nobody by a tag'],
];

const requireNeeded = (name: EndpointName, records: readonly AnyRecord[], found: Findings): void => {
  for (const [list, part, field, consequence] of needed) {
    if (name !== list || !exists(part) || records.length === 0) continue;
    if (records.some((record) => record[field] !== undefined)) continue;
    const todo = `Read it in ${inHook(name, 'response')}, or ${leaveOut('fields', part)}.`;
    found.differs(`no record has \`${field}\`, so ${consequence}`, todo);
  }
};

/** Names the fields that no record of a list has, since forms and results offer them all the same. */
const absentIn = (endpoint: Endpoint, records: readonly AnyRecord[]): string => {
  const fields = Object.keys(withoutMissing(resourceOf(endpoint), recordOf(endpoint)?.def.shape ?? {}));
  const absent = fields.filter((field) => records.every((record) => record[field] === undefined));
  return absent.length > 0 ? `; no record has ${absent.join(', ')}` : '';
};

const read = async (
  records: Records,
  [name, endpoint]: readonly [EndpointName, Endpoint],
  found: Findings,
  words: Words,
) => {
  const response = await records.read(endpoint);
  requireSuccess(response);
  compareResponse(response, found, words);
  if (!recordOf(endpoint)) return `${response.status}`;
  const { records: all } = readPage(response);
  // Most workspaces have no webhook. With --write, another check lists new ones.
  if (all.length === 0 && name !== 'listWebhooks') throw new Skipped('add a record to look at');
  requireNeeded(name, all, found);
  return `${response.status}; records: ${all.length}${all.length > 0 ? absentIn(endpoint, all) : ''}`;
};

type List = (query: { limit: number; after?: string | undefined }) => Promise<AnyPage>;

/** Returns the first of the lists with two records or more, and its first two. */
const findList = async (service: ServiceClient, inputs: readonly AnyInput[], endpoint: Endpoint) => {
  for (const input of inputs) {
    const list: List = async (query) => readPage(await service.request(endpoint, { ...input, query }));
    const two = await list({ limit: 2 });
    if (two.records.length >= 2) return { list, two };
  }
  throw new Skipped('add records until there are two');
};

const requireOrder = ({ records }: AnyPage, endpoint: Endpoint, todo: string): void => {
  const times = records.map(({ created_at }) => Date.parse(String(created_at))).filter((time) => !Number.isNaN(time));
  if (times.some((time, index) => time < (times[index + 1] ?? 0)))
    throw new Differs("isn't sorted by `created_at` with the newest first, so a trigger would miss new records", todo);
  const hasTime = 'created_at' in withoutMissing(resourceOf(endpoint), recordOf(endpoint)?.def.shape ?? {});
  if (hasTime && records.length > 1 && times.length < 2)
    throw new NotChecked('no record says when it was created, so the list may not have the newest first');
};

const idsIn = ({ records }: AnyPage): string => records.map(idOf).join(' ');

const checkPages = async (
  service: ServiceClient,
  records: Records,
  [name, endpoint]: readonly [EndpointName, Endpoint],
  found: Findings,
) => {
  const { list, two } = await findList(service, await records.inputs(endpoint), endpoint);
  const todo = `Correct the pages of \`hooks.${name}\`: \`cursor\` or \`pageNumbers\` of the presets.`;
  const first = await list({ limit: 1 });
  const all = await list({ limit: pageSize.max });
  requireOrder(all, endpoint, `Send the service's parameter for the order in ${inHook(name, 'request')}.`);
  if (first.records.length > 1) found.copes(`returns ${first.records.length} records for a limit of 1`);
  if (!first.cursor && first.records.length === 1)
    throw new Differs('has more records, but no cursor for the next page', todo);
  if (first.cursor) {
    const second = await list({ limit: 1, after: first.cursor });
    const seen = new Set(first.records.map(idOf));
    if (second.records.length === 0) throw new Differs('the next page is empty, but there are more records', todo);
    if (second.records.some((record) => seen.has(idOf(record))))
      throw new Differs('the next page repeats the page before', todo);
    const isWhole = first.records.length === 1 && second.records.length === 1;
    if (isWhole && two.records.length === 2 && idsIn(two) !== `${idsIn(first)} ${idsIn(second)}`)
      throw new Differs('the next page skips records', todo);
  }
  if (all.cursor && all.records.length < pageSize.max) {
    const next = await list({ limit: pageSize.max, after: all.cursor });
    if (next.records.length > 0 && idsIn(next) === idsIn(all))
      throw new Differs('repeats its last page without an end', todo);
  }
  return `of 1 and ${all.records.length}`;
};

/** Checks each call that reads: its fields, its pages, and how it refuses a record that isn't there. */
export const readingChecks = (service: ServiceClient, records: Records, words: Words): Check[] => [
  ...reads.map((each): Check => ({ name: each[0], run: (found) => read(records, each, found, words) })),
  ...reads
    .filter(([name, endpoint]) => returnsPages(endpoint) && name !== 'listWebhooks')
    .map(
      (each): Check => ({ name: `${each[0]}, in pages`, run: (found) => checkPages(service, records, each, found) }),
    ),
  ...reads
    .filter(([, endpoint]) => isInPath(endpoint))
    .map(
      ([name, endpoint]): Check => ({
        name: `${name}, of an unknown record`,
        run: async () => requireRefusal(await service.request(endpoint, { id: unknownId }), 'not_found'),
      }),
    ),
  {
    name: 'a wrong token',
    run: async () =>
      requireRefusal(
        await service.request(connectionTests[0] ?? endpoints.getWorkspace, {}, unknownId),
        'invalid_token',
      ),
  },
];

/** Removes what a run created, and nothing else. */

import { type Endpoint, endpoints } from '../../src/api/endpoints';
import { asRecord } from '../../src/api/json';
import { isSuccess } from '../../src/call/outcome';
import { printable } from '../cli/text';
import {
  contactKind,
  idsIn,
  type Kind,
  listedId,
  markIn,
  markOf,
  type Owner,
  readBack,
  readList,
  webhookKind,
} from './own-records';
import { readPage } from './response';
import type { ServiceClient, ServiceRequest, ServiceResponse } from './service-client';

/** What a request created or may have created. */
interface Created {
  /** The email or address of the request. */
  label: string;
  /** What its response calls an id. */
  ids: string[];
}

/** Returns nothing for a refusal. Without a response, or after another failure, the work may be done. */
const createdBy = async (kind: Kind, request: ServiceRequest): Promise<Created[]> => {
  const response = await request.response.catch(() => undefined);
  const label = String(asRecord(request.input.body)[kind.label]);
  if (response && isSuccess(response)) return [{ label, ids: idsIn(response, kind.noun) }];
  const isRefusal = response && response.status >= 400 && response.status < 500 && response.status !== 408;
  return isRefusal ? [] : [{ label, ids: [] }];
};

/** The records of the run in a list. */
interface Listing {
  /** Their marks, and emails or addresses, by id. */
  own: Map<string, { mark: string; label: unknown }>;
  /** Whether a record that isn't here doesn't exist. */
  isComplete: boolean;
}

const search = async (service: ServiceClient, kind: Kind, labels: readonly string[]): Promise<Listing> => {
  const marks = labels.flatMap((label) => markIn(label) ?? []);
  const listing: Listing = { own: new Map(), isComplete: true };
  const queries = new Map(labels.flatMap(kind.queries).map((query) => [JSON.stringify(query), query]));
  for (const query of queries.values()) {
    const { records, isComplete } = await readList(service, kind.list, query).catch(() => {
      return { records: [], isComplete: false };
    });
    listing.isComplete &&= isComplete;
    for (const record of records) {
      const [id, mark] = [listedId(record), markOf(record, marks)];
      if (id !== undefined && mark !== undefined) listing.own.set(id, { mark, label: record[kind.label] });
    }
  }
  return listing;
};

/** Whether the service says that it removed the record. Some refuse with a 2xx. */
const saysRemoved = (response: ServiceResponse): boolean => {
  const { ok, success, deleted, error } = asRecord(response.body);
  return isSuccess(response) && ![ok, success, deleted].includes(false) && !error;
};

const remove = async (service: ServiceClient, kind: Kind, id: string): Promise<boolean> => {
  const endpoint: Endpoint = endpoints[kind.remove];
  return service.request(endpoint, { id }).then(saysRemoved, () => false);
};

/** Returns the ids that were listed before the run created the first record of the kind. */
const listedBefore = async (kind: Kind, requests: readonly ServiceRequest[]): Promise<Set<string>> => {
  const before = requests.slice(
    0,
    requests.findIndex(({ name }) => name === kind.create),
  );
  const lists = before.filter(({ name }) => name === kind.list);
  const pages = lists.map(async ({ response }) =>
    readPage(await response).records.flatMap((each) => listedId(each) ?? []),
  );
  const read = await Promise.allSettled(pages);
  return new Set(read.flatMap((each) => (each.status === 'fulfilled' ? each.value : [])));
};

const removedBy = async (kind: Kind, requests: readonly ServiceRequest[]): Promise<Set<string>> => {
  const removals = requests.filter(({ name }) => name === kind.remove);
  const ids = removals.map(async ({ input, response }) => {
    // A removal without a response shows in what can still be read.
    const isRemoved = await response.then(saysRemoved, () => true);
    return isRemoved && input.id !== undefined ? [input.id] : [];
  });
  return new Set((await Promise.all(ids)).flat());
};

/** Returns whose record each id is that the list shows, or a response has. */
const readOwners = async (
  service: ServiceClient,
  kind: Kind,
  all: readonly Created[],
  { own }: Listing,
  known: Set<string>,
): Promise<Map<string, Owner>> => {
  const given = all.flatMap(({ label, ids }) => ids.map((id) => [id, markIn(label)] as const));
  const owners = new Map<string, Owner>();
  const shown = [...own].map(([id, { mark }]) => [id, mark] as const);
  for (const [id, mark] of new Map([...given, ...shown])) {
    if (known.has(id)) owners.set(id, 'others');
    else owners.set(id, mark === undefined ? 'unknown' : await readBack(service, kind, id, mark));
  }
  return owners;
};

const describe = ({ noun }: Kind, { label, ids }: Created, owners: Map<string, Owner>): string => {
  const unread = ids.filter((id) => owners.get(id) === 'unknown');
  const id = unread.length > 0 ? `, with the ID ${unread.join(' or ')}` : '';
  return `${noun} ${label} (may exist${id})`;
};

const removeKind = async (
  kind: Kind,
  requests: readonly ServiceRequest[],
  service: ServiceClient,
): Promise<string[]> => {
  const creations = requests.filter(({ name }) => name === kind.create);
  const all = (await Promise.all(creations.map((each) => createdBy(kind, each)))).flat();
  if (all.length === 0) return [];
  const labels = [...new Set(all.map(({ label }) => label))];
  const before = await search(service, kind, labels);
  const [known, removed] = [await listedBefore(kind, requests), await removedBy(kind, requests)];
  const owners = await readOwners(service, kind, all, before, known);
  const ours = [...owners.keys()].filter((id) => owners.get(id) === 'run');
  const saidRemoved = new Map<string, boolean>();
  for (const id of ours) saidRemoved.set(id, await remove(service, kind, id));
  const after = ours.length > 0 ? await search(service, kind, labels) : before;
  // A service may say that it removed a record, and still show it.
  const shown = ours.length > 0 ? await readOwners(service, kind, all, after, known) : owners;
  const isGone = (id: string) =>
    !after.own.has(id) && shown.get(id) !== 'run' && (saidRemoved.get(id) || (before.own.has(id) && after.isComplete));
  const isShown = ({ ids }: Created) => ids.some((id) => removed.has(id) || ours.includes(id));
  // The same request may have created several, of which the list may show one.
  const isFound = (each: Created) => {
    const same = all.filter(({ label }) => label === each.label);
    return isShown(each) || [...before.own.values()].filter(({ label }) => label === each.label).length >= same.length;
  };
  const unclear = all.filter((each) => !isFound(each));
  // The list shows our mark in these, but not that they are ours alone.
  const changed = [...before.own.keys()].filter((id) => !ours.includes(id) && after.own.has(id));
  return [
    ...ours.filter((id) => !isGone(id)).map((id) => `${kind.noun} ${id}`),
    ...changed.map((id) => `${kind.noun} ${id}${known.has(id) ? ' (existed before, and the service changed it)' : ''}`),
    ...unclear.map((each) => describe(kind, each, owners)),
  ];
};

/**
 * Removes everything that the requests of a run created, if it can be read back with the mark of its request. Returns what
 * is left or may exist, such as `contact con_7Hq2Zr` or `webhook https://example.com/hooks/1 (may exist)`.
 */
export const removeCreated = async (requests: readonly ServiceRequest[], service: ServiceClient): Promise<string[]> => {
  const left: string[] = [];
  for (const kind of [contactKind, webhookKind]) left.push(...(await removeKind(kind, requests, service)));
  return [...new Set(left)];
};

/** Returns what a person has to remove, as a sentence. */
export const formatLeft = (left: readonly string[]): string =>
  `Remove what is left yourself: ${printable(left.join(', '))}.`;

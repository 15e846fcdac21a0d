/** Removes what a run created. */
import { printable } from '../cli/text';
import { type Endpoint, type EndpointName, endpoints } from '../src/api/endpoints';
import { fieldsOf } from '../src/api/object';
import { fromWire } from '../src/api/translate';
import { idOf, readPage } from './compare/response';
import type { ServiceClient, ServiceRequest, ServiceResponse } from './service-client';

/** A kind of record that a run creates. */
interface Kind {
  noun: string;
  create: EndpointName;
  list: EndpointName;
  remove: EndpointName;
  /** The field with a value that no other record has. */
  mark: string;
  /** Whether the list has all records, without a filter that the service may not have. */
  listsAll: boolean;
  /** The queries of the list that find records by their marks. */
  queries: (marks: string[]) => object[];
}

const kinds: readonly Kind[] = [
  {
    noun: 'contact',
    create: 'createContact',
    list: 'listContacts',
    remove: 'deleteContact',
    mark: 'email',
    listsAll: false,
    queries: (marks) => marks.map((email) => ({ email: [email] })),
  },
  {
    noun: 'webhook',
    create: 'createWebhook',
    list: 'listWebhooks',
    remove: 'deleteWebhook',
    mark: 'url',
    listsAll: true,
    queries: () => [{}],
  },
];

const isText = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number';

const isSuccess = ({ status }: ServiceResponse): boolean => status >= 200 && status < 300;

/** Whether a field is the id of the record: `id`, or such as `contact_id` and `contactId`. */
const isOwnId = (name: string, noun: string): boolean =>
  ['id', 'uuid', `${noun}id`, `${noun}uuid`].includes(name.replace(/[_-]/g, '').toLowerCase());

const ownIdOf = (fields: Readonly<Record<string, unknown>>, noun: string): string | undefined => {
  const [, id] = Object.entries(fields).find(([name, value]) => isOwnId(name, noun) && isText(value)) ?? [];
  const found = isText(fields.id) ? fields.id : id;
  return isText(found) ? String(found) : undefined;
};

/** The maximum depth at which a response has the id. */
const maxDepth = 5;

/** Returns the objects in a response, nearest to the top first. What is in a list may be records that were there before. */
const objectsIn = (body: unknown): Readonly<Record<string, unknown>>[] => {
  const levels = [[fieldsOf(body)]];
  while (levels.length < maxDepth) {
    levels.push((levels.at(-1) ?? []).flatMap((fields) => Object.values(fields).map(fieldsOf)));
  }
  return levels.flat();
};

/** Returns the id of what a request created, whatever its envelope; undefined without any. An envelope may have its own. */
const findId = ({ endpoint, body, sent }: ServiceResponse, noun: string, mark: string | undefined) => {
  const objects = [fieldsOf(fromWire(endpoint.response, body, sent)), ...objectsIn(body)];
  const ours = objects.filter((fields) => mark !== undefined && Object.values(fields).includes(mark));
  const named = objects.map((fields) => fieldsOf(fields[noun]));
  return [...ours, ...named, ...objects].map((fields) => ownIdOf(fields, noun)).find((id) => id !== undefined);
};

/** What a request created or may have created. */
interface Created {
  mark: string | undefined;
  id: string | undefined;
  /** Whether the service said that it created it. */
  isCertain: boolean;
}

/** Returns nothing for a refusal. Without a response, or after another failure, the work may be done. */
const createdBy = async ({ noun, mark: field }: Kind, request: ServiceRequest): Promise<Created[]> => {
  const response = await request.response.catch(() => undefined);
  const given = fieldsOf(request.input.body)[field];
  const mark = typeof given === 'string' ? given : undefined;
  if (!response) return [{ mark, id: undefined, isCertain: false }];
  if (isSuccess(response)) return [{ mark, id: findId(response, noun, mark), isCertain: true }];
  const isRefusal = response.status >= 400 && response.status < 500 && response.status !== 408;
  return isRefusal ? [] : [{ mark, id: undefined, isCertain: false }];
};

/** The records of a list, by id. */
interface Listing {
  marks: Map<string, unknown>;
  /** Whether a record that isn't here doesn't exist. */
  isComplete: boolean;
}

const maxPages = 20;

/** Adds all records that match the query. Returns whether all could be read. */
const readAll = async (
  service: ServiceClient,
  kind: Kind,
  query: object,
  marks: Listing['marks'],
): Promise<boolean> => {
  const endpoint: Endpoint = endpoints[kind.list];
  let after: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const { records, cursor } = readPage(
      await service.request(endpoint, { query: { ...query, ...(after !== undefined && { after }) } }),
    );
    for (const record of records) marks.set(idOf(record), record[kind.mark]);
    if (!cursor) return true;
    after = cursor;
  }
  return false;
};

const search = async (service: ServiceClient, kind: Kind, marks: string[]): Promise<Listing> => {
  const listing: Listing = { marks: new Map(), isComplete: true };
  for (const query of kind.queries(marks)) {
    const isRead = await readAll(service, kind, query, listing.marks).catch(() => false);
    listing.isComplete &&= isRead;
  }
  return listing;
};

/** Whether the service says that it removed the record. Some refuse with a 2xx. */
const saysRemoved = (response: ServiceResponse): boolean => {
  const { ok, success, deleted, error } = fieldsOf(response.body);
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
  const pages = lists.map(({ response }) => response.then((list) => readPage(list).records.map(idOf)).catch(() => []));
  return new Set((await Promise.all(pages)).flat());
};

const removedBy = async (kind: Kind, requests: readonly ServiceRequest[]): Promise<Set<string>> => {
  const removals = requests.filter(({ name }) => name === kind.remove);
  const ids = removals.map(async ({ input, response }) => {
    const isRemoved = await response.then(saysRemoved, () => false);
    return isRemoved && input.id !== undefined ? [input.id] : [];
  });
  return new Set((await Promise.all(ids)).flat());
};

const describe = ({ noun }: Kind, { mark, isCertain }: Created): string =>
  `${noun} ${mark ?? 'without an ID in the response'}${isCertain ? '' : ' (may exist)'}`;

/** What to remove, and what may exist without an id to remove it by. */
interface Found {
  ids: Set<string>;
  unclear: Created[];
}

/** What the service lists by its mark is certain. The id in a response may be that of something else. */
const sortOut = (kind: Kind, all: Created[], known: Set<string>, removed: Set<string>, before: Listing): Found => {
  const ours = all.flatMap(({ mark }) => mark ?? []);
  const listed = [...before.marks].filter(([id, mark]) => ours.some((each) => each === mark) && !known.has(id));
  const others = all.filter(({ mark }) => !listed.some(([, each]) => each === mark));
  const isRemoved = ({ id }: Created) => id !== undefined && removed.has(id);
  // A list that shows what the run created would show the others too.
  const isProven =
    kind.listsAll &&
    before.isComplete &&
    (listed.length > 0 || others.every((each) => !each.isCertain || isRemoved(each)));
  const open = others.filter((each) => !isRemoved(each) && !(isProven && each.mark !== undefined));
  const isUsable = ({ id }: Created) => id !== undefined && !known.has(id);
  const again = [...removed].filter((id) => before.marks.has(id) && !known.has(id));
  return {
    ids: new Set([...listed.map(([id]) => id), ...again, ...open.filter(isUsable).flatMap(({ id }) => id ?? [])]),
    unclear: open.filter((each) => !isUsable(each)),
  };
};

const removeKind = async (
  kind: Kind,
  requests: readonly ServiceRequest[],
  service: ServiceClient,
): Promise<string[]> => {
  const creations = requests.filter(({ name }) => name === kind.create);
  const all = (await Promise.all(creations.map((each) => createdBy(kind, each)))).flat();
  if (all.length === 0) return [];
  const marks = [...new Set(all.flatMap(({ mark }) => mark ?? []))];
  const before = await search(service, kind, marks);
  const known = await listedBefore(kind, requests);
  const { ids, unclear } = sortOut(kind, all, known, await removedBy(kind, requests), before);
  const saidRemoved = new Map<string, boolean>();
  for (const id of ids) saidRemoved.set(id, await remove(service, kind, id));
  const after = ids.size > 0 ? await search(service, kind, marks) : before;
  const isGone = (id: string): boolean =>
    !after.marks.has(id) && (saidRemoved.get(id) || (before.marks.has(id) && after.isComplete));
  const left = [...ids].filter((id) => !isGone(id)).map((id) => `${kind.noun} ${id}`);
  return [...left, ...unclear.map((each) => describe(kind, each))];
};

/**
 * Removes everything that the requests of a run created. Returns what is left or may exist, such as `contact con_7Hq2Zr`
 * or `webhook https://example.com/hooks/1 (may exist)`.
 */
export const removeCreated = async (requests: readonly ServiceRequest[], service: ServiceClient): Promise<string[]> => {
  const left: string[] = [];
  for (const kind of kinds) left.push(...(await removeKind(kind, requests, service)));
  return [...new Set(left)];
};

/** Returns what a person has to remove, as a sentence. */
export const formatLeft = (left: readonly string[]): string =>
  `Remove what is left yourself: ${printable(left.join(', '))}.`;

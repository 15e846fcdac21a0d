/** The records that a run creates, and how to tell them from those of others. */
import { randomInt, randomUUID } from 'node:crypto';
import { type Endpoint, endpoints } from '../../src/api/endpoints';
import { asRecord } from '../../src/api/json';
import { exists } from '../../src/api/missing';
import type { EndpointName } from '../../src/api/transport';
import { isSuccess } from '../../src/call/outcome';
import { pages } from '../../src/call/pages';
import { type AnyRecord, readPage } from './response';
import type { ServiceClient, ServiceResponse } from './service-client';

/** A kind of record that a run creates. */
export interface Kind {
  noun: string;
  create: EndpointName;
  list: EndpointName;
  /** The call that reads one record; the list shows it without such a call. */
  get?: EndpointName;
  remove: EndpointName;
  /** The field of the request by which a person finds the record. */
  label: string;
  /** The queries of the list that find the record of a request. */
  queries: (label: string) => object[];
}

export const contactKind: Kind = {
  noun: 'contact',
  create: 'createContact',
  list: 'listContacts',
  get: 'getContact',
  remove: 'deleteContact',
  label: 'email',
  queries: (email) => [{ email: [email] }],
};

export const webhookKind: Kind = {
  noun: 'webhook',
  create: 'createWebhook',
  list: 'listWebhooks',
  remove: 'deleteWebhook',
  label: 'url',
  queries: () => [{}],
};

/** Returns a text that no record of others has. */
export const newMark = (): string => `conformance-check-${randomUUID()}`;

const markPattern = /conformance-check-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/;

/** Returns the mark in the address or email of a request; undefined when it has none. */
export const markIn = (label: unknown): string | undefined =>
  typeof label === 'string' ? markPattern.exec(label)?.[0] : undefined;

const isId = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number';

/** Whether a field is the id of the record: `id`, or such as `contact_id` and `contactId`. */
const isOwnId = (name: string, noun: string): boolean =>
  ['id', 'uuid', `${noun}id`, `${noun}uuid`].includes(name.replace(/[_-]/g, '').toLowerCase());

const idsOf = (fields: Readonly<Record<string, unknown>>, noun: string): string[] =>
  Object.entries(fields).flatMap(([name, value]) => (isOwnId(name, noun) && isId(value) ? [String(value)] : []));

/** The maximum depth at which a response has the record. */
const maxDepth = 5;

/** Returns the objects in a body, nearest to the top first. What is in a list may be records of others. */
const objectsIn = (body: unknown): Readonly<Record<string, unknown>>[] => {
  const levels = [[asRecord(body)]];
  while (levels.length < maxDepth) {
    levels.push((levels.at(-1) ?? []).flatMap((fields) => Object.values(fields).map(asRecord)));
  }
  return levels.flat();
};

const recordsIn = ({ body }: ServiceResponse) => objectsIn(body);

/** Returns every id in a response that may be the one of the record, whatever its envelope. */
export const idsIn = (response: ServiceResponse, noun: string): string[] => [
  ...new Set(recordsIn(response).flatMap((fields) => idsOf(fields, noun))),
];

/** Whether a record has the mark in one of its texts, or in one of its attributes. A record inside it is another one. */
const carries = (record: Readonly<Record<string, unknown>>, mark: string): boolean => {
  const attributes = Object.values(record)
    .map(asRecord)
    .filter((fields) => !Object.keys(fields).some((name) => /id$/i.test(name)));
  return [record, ...attributes].some((fields) =>
    Object.values(fields).some((value) => typeof value === 'string' && value.includes(mark)),
  );
};

/** Returns the id of a listed record. Its name isn't enough, because others may have the same. */
export const listedId = ({ id }: AnyRecord): string | undefined => (isId(id) ? String(id) : undefined);

/** Returns the first of these marks that a listed record has. */
export const markOf = (record: AnyRecord, marks: readonly string[]): string | undefined =>
  marks.find((mark) => carries(record, mark));

/** The number of pages after which a list counts as too long to read. */
const maxPages = 20;

/** Returns the records that match a query, and whether these are all. Rejects when the list can't be read. */
export const readList = async (service: ServiceClient, name: EndpointName, query: object) => {
  const endpoint: Endpoint = endpoints[name];
  const list = async ({ after }: { after: string | undefined }) => {
    const page = readPage(
      await service.request(endpoint, { query: { ...query, ...(after !== undefined && { after }) } }),
    );
    return { data: page.records, next_cursor: page.cursor };
  };
  const found: AnyRecord[] = [];
  let isComplete = true;
  for await (const { records, hasMore } of pages(list, { maxPages })) {
    found.push(...records);
    isComplete = !hasMore;
  }
  return { records: found, isComplete };
};

/** Whose record an id names: one of this run, one of others, or one that the service doesn't show. */
export type Owner = 'run' | 'others' | 'unknown';

const ownerByGet = async (service: ServiceClient, { noun }: Kind, get: EndpointName, id: string, mark: string) => {
  const endpoint: Endpoint = endpoints[get];
  const response = await service.request(endpoint, { id });
  if (!isSuccess(response)) return 'unknown';
  const own = recordsIn(response).filter((record) => carries(record, mark));
  const ids = own.flatMap((record) => idsOf(record, noun));
  return own.length > 0 && (ids.length === 0 || ids.includes(id)) ? 'run' : 'others';
};

const ownerByList = async (service: ServiceClient, { list }: Kind, id: string, mark: string) => {
  const { records } = await readList(service, list, {});
  const found = records.find((record) => listedId(record) === id);
  if (!found) return 'unknown';
  return carries(found, mark) ? 'run' : 'others';
};

/**
 * Reads a record back, because the id in a response may be that of something else, such as a job. Only what is the run's
 * own may be changed or removed.
 */
export const readBack = (service: ServiceClient, kind: Kind, id: string, mark: string): Promise<Owner> => {
  const { get } = kind;
  const owner = get && exists(get) ? ownerByGet(service, kind, get, id, mark) : ownerByList(service, kind, id, mark);
  return owner.catch(() => 'unknown');
};

/** An id, a word and a token that no service knows. */
export const unknownId = newMark();

const numberCount = 1000;
let next = randomInt(numberCount);

/** Returns another phone number each time. They belong to nobody: Ofcom reserves this range for fiction. */
export const fictionalPhone = (): string => {
  next = (next + 1) % numberCount;
  return `+447700900${String(next).padStart(3, '0')}`;
};

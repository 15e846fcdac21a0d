/** What many services have instead of what the contract says, for `service.ts`. Bodies are parsed JSON. */
import type { ConnectionValues } from './connection';
import { asRecord } from './json';
import type { Authorize, Call, CallHook, Hooks, HttpResponse, ParsedDelivery, Signature } from './transport';

/** A record of the service, by its own names. */
export type Fields = Readonly<Record<string, unknown>>;

/** The token in the header `Authorization`, as the specification says. */
export const bearer: Authorize = (token) => ({ headers: { authorization: `Bearer ${token}` } });

/** The token in the named header, after a word such as `Token` if one is given. */
export const inHeader =
  (name: string, start = ''): Authorize =>
  (token) => ({ headers: { [name]: start + token } });

/** The token as the password of HTTP's Basic authentication. `user` chooses the name from the fields of the connection. */
export const basic =
  (user: (connection: ConnectionValues) => string): Authorize =>
  (token, connection) => ({ headers: { authorization: `Basic ${btoa(`${user(connection)}:${token}`)}` } });

/** The token in the query of every request. */
export const inQuery =
  (name: string): Authorize =>
  (token) => ({ query: { [name]: token } });

/** Returns the value at a path such as `meta.next`; the value itself for an empty path. */
export const valueAt = (value: unknown, path: string): unknown =>
  path === '' ? value : path.split('.').reduce((inner, key) => asRecord(inner)[key], value);

/** How a service counts the pages of a list: by a part of the query, and by what a page says of the next one. */
interface Pages {
  query: (page: { limit: number; after: string | undefined }) => Fields;
  /** Returns the cursor of the next page; undefined when there is none. `count` is the number of records in this one. */
  next: (body: unknown, page: { limit: number; after: string | undefined; count: number }) => unknown;
}

/** Pages by a cursor at the path `next`. A link is taken for the value that it has for `after`. */
export const cursor = ({ limit = 'limit', after = 'after', next = 'next_cursor' }): Pages => ({
  query: (page) => ({ [limit]: page.limit, [after]: page.after }),
  next: (body) => {
    const value = valueAt(body, next);
    const link =
      typeof value === 'string' && /^(https?:\/)?\//.test(value) ? URL.parse(value, 'https://localhost') : null;
    return link ? link.searchParams.get(after) : value;
  },
});

/**
 * Pages by a number. The path `total` has the number of all records, or `pages` that of all pages. Without either, a full
 * page has another one after it. `fixed` is the size of a service that has no parameter for it. A cursor has the size, since
 * the next request may ask for another.
 */
export const pageNumbers = ({ page = 'page', size = 'per_page', total = '', pages = '', fixed = 0 }): Pages => {
  const read = (after: string | undefined, limit: number): number[] =>
    (after ?? `1/${fixed || limit}`).split('/').map(Number);
  return {
    query: ({ limit, after }) => {
      const [number, length] = read(after, limit);
      return { [page]: number, ...(fixed === 0 && { [size]: length }) };
    },
    next: (body, { limit, after, count }) => {
      const [number = 1, length = limit] = read(after, limit);
      const last = Number(valueAt(body, pages || total)) / (pages ? 1 : length);
      const isLast = pages || total ? !(number < last) : count < length;
      return isLast ? undefined : `${number + 1}/${length}`;
    },
  };
};

const pageOf = ({ query: { limit, after } }: Call) => ({
  limit: Number(limit ?? 20),
  after: after === undefined ? undefined : String(after),
});

/**
 * A list: its records at the path `items`, how each is read, and which filters the service takes, by their names. The app
 * itself filters by the others. A record that reads as undefined, such as a note among messages, is left out.
 */
export const list = (
  pages: Pages,
  items: string,
  read: (record: Fields) => unknown,
  filters: (query: Fields) => Fields = () => ({}),
): CallHook => ({
  request: (call) => {
    const { limit: _, after: __, ...query } = call.query;
    return { query: { ...filters(query), ...pages.query(pageOf(call)) } };
  },
  response: (body, call) => {
    const found = [valueAt(body, items) ?? []].flat();
    const next = pages.next(body, { ...pageOf(call), count: found.length });
    const data = found.map((each) => read(asRecord(each))).filter((each) => each !== undefined);
    return { data, next_cursor: next ?? null };
  },
});

/** What was sent, with the ID of the record, for a service that responds with an ID or with nothing. */
export const echo =
  (id = 'id'): NonNullable<CallHook['response']> =>
  (body, call) => ({ ...asRecord(call.body), id: valueAt(body, id) ?? call.parameters.id });

/** Whether a service responded with nothing to an update, so that the contact has what was sent. */
export const isEmptyUpdate = (body: unknown, { name }: Call): boolean => name === 'updateContact' && body === undefined;

/** One record at the path `item`, and how it's read. */
export const one = (read: (record: Fields) => unknown, item = ''): Pick<CallHook, 'response'> => ({
  response: (body, call) => (isEmptyUpdate(body, call) ? echo()(body, call) : read(asRecord(valueAt(body, item)))),
});

/** The calls of contacts at a path, which `read` and `write` as the service has them. */
export const contactCalls = (
  path: string,
  all: CallHook,
  read: (record: Fields) => unknown,
  write: (contact: Fields) => unknown,
) => {
  const request = ({ body }: Call) => ({ body: write(asRecord(body)) });
  return {
    listContacts: { path, ...all },
    createContact: { path, request, ...one(read) },
    getContact: { path: `${path}/{id}`, ...one(read) },
    updateContact: { path: `${path}/{id}`, request, ...one(read) },
    deleteContact: { path: `${path}/{id}` },
  };
};

/** The calls of webhooks at a path. */
export const webhookCalls = (path: string, all: CallHook, read: (record: Fields) => unknown) => ({
  createWebhook: { path, ...one(read) },
  listWebhooks: { path, ...all },
  deleteWebhook: { path: `${path}/{id}` },
});

/** Returns a time in seconds or milliseconds since 1970 as ISO 8601; any other value as it is. */
export const fromEpoch = (time: unknown): unknown => {
  const number = typeof time === 'string' && /^\d{9,14}$/.test(time) ? Number(time) : time;
  if (typeof number !== 'number' || !(number >= 0 && number < 1e14)) return time;
  return new Date(number < 1e11 ? number * 1000 : number).toISOString().replace('.000', '');
};

/** Returns the name of a template together with its language, for a service that wants the language in the send. */
export const withLanguage = (name: unknown, language: unknown): string => `${name}:${language}`;

/** Returns the name of a template and its language. */
export const splitLanguage = (template: unknown): { name: string; language: string } => {
  const [, name = String(template), language = ''] = /^(.*):([\w-]*)$/s.exec(String(template)) ?? [];
  return { name, language };
};

/**
 * A send whose service takes the name of a template and its language apart. A response that names the template without its
 * language is about the template that was sent.
 */
export const sendInLanguage = (
  write: (call: Call, template: ReturnType<typeof splitLanguage>) => Partial<Call>,
  read: (record: Fields) => unknown,
): Pick<CallHook, 'request' | 'response'> => ({
  request: (call) => write(call, splitLanguage(asRecord(call.body).template)),
  response: (body, call) => {
    const [record, sent] = [asRecord(read(asRecord(body))), asRecord(call.body).template];
    const isSame = record.template === splitLanguage(sent).name;
    return isSame ? { ...record, template: sent } : record;
  },
});

/** The headers of a delivery, as in https://www.standardwebhooks.com. */
export const deliveryHeaders = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
} as const;

/** Signatures as in https://www.standardwebhooks.com. */
export const standardWebhooks: Signature = {
  key: 'base64',
  encoding: 'base64',
  verify: ({ headers, content }) => {
    const { id, timestamp, signature: name } = deliveryHeaders;
    // A dot would make it unclear where the parts begin.
    if (!/^\d{1,15}$/.test(headers[timestamp] ?? '')) return undefined;
    const signatures = (headers[name] ?? '').split(' ').flatMap((each) => /^v1,(.*)$/.exec(each)?.slice(1) ?? []);
    return { text: `${headers[id] ?? ''}.${headers[timestamp]}.${content}`, signatures };
  },
};

/** A service that is as the contract says, such as the sandbox. */
export const contract: {
  prefix: string;
  authorize: Authorize;
  hooks: Hooks;
  request: (call: Call) => Call;
  response: (given: HttpResponse, call: Call) => HttpResponse;
  delivery: (given: ParsedDelivery) => unknown;
  signature: Signature;
} = {
  prefix: '/v1',
  authorize: bearer,
  hooks: {},
  request: (call) => call,
  response: (given) => given,
  delivery: ({ body }) => body,
  signature: standardWebhooks,
};

/** A signature in hex of the time and the body in one header, such as `t=1781171000,v1=…`, with the secret as it is. */
export const timedSignature = (header: string, hash = 'v1'): Signature => ({
  key: 'utf8',
  encoding: 'hex',
  verify: ({ headers, content }) => {
    const parts = new Map((headers[header] ?? '').split(',').map((part) => [part.split('=')[0], part.split('=')[1]]));
    const [time, given] = [parts.get('t'), parts.get(hash)];
    return time && given && /^\d{1,15}$/.test(time) ? { text: `${time}.${content}`, signatures: [given] } : undefined;
  },
});

const fileTypes = ['image', 'video', 'document'];

/** Renames the variables of a text so that no two components share one, since each counts from 1. */
const named = (text: unknown, start: string): unknown =>
  typeof text === 'string' ? text.replace(/\{\{(\w+)\}\}/g, `{{${start}$1}}`) : text;

/** Returns the texts and variables of a WhatsApp template for its `components`. A header's file is a variable. */
export const readComponents = (components: unknown) => {
  const all = [components ?? []].flat().map(asRecord);
  const find = (type: string): Fields => all.find((each) => String(each.type).toLowerCase() === type) ?? {};
  const [header, buttons] = [find('header'), [find('buttons').buttons ?? []].flat().map(asRecord)];
  const type = String(header.format ?? '').toLowerCase();
  return {
    header: type ? { type, text: named(header.text, 'header_') ?? null } : null,
    body: find('body').text,
    footer: find('footer').text ?? null,
    buttons: buttons.map((each, index) => ({
      type: String(each.type).toLowerCase(),
      text: each.text,
      url: named(each.url, `button_${index}_`) ?? null,
    })),
    variables: fileTypes.includes(type)
      ? [{ name: `header_${type}`, label: `Header ${type}`, format: type, required: true }]
      : [],
  };
};

const isNumber = (name: string): boolean => /^\d+$/.test(name);

/** Returns a parameter of a component, with its name unless that is only a number. */
const parameterOf = (part: string, name: string, value: unknown): Fields =>
  part === 'header' && fileTypes.includes(name)
    ? { type: name, [name]: { link: value } }
    : { type: 'text', ...(!isNumber(name) && { parameter_name: name }), text: value };

/** Returns the `components` of a WhatsApp message with these variables, whose names are those of `readComponents`. */
export const writeComponents = (variables: unknown): Fields[] => {
  const inOrder = Object.entries(asRecord(variables)).toSorted(([one], [other]) =>
    one.localeCompare(other, 'en', { numeric: true }),
  );
  const parts = Map.groupBy(inOrder, ([name]) => /^(header|button_\d+)_/.exec(name)?.[1] ?? 'body');
  return [...parts].map(([part, values]) => {
    const [type, index] = part.split('_');
    const parameters = values.map(([name, value]) =>
      parameterOf(part, part === 'body' ? name : name.slice(part.length + 1), value),
    );
    return { type, ...(index !== undefined && { sub_type: 'url', index }), parameters };
  });
};

/** Which operation of a service does what a call of the contract does. */
import { type Endpoint, pathPrefix } from '../../src/api/endpoints';
import type { Operation } from './operations';

/** Words that APIs use for the same thing. The first is ours, in the singular. */
const synonyms = [
  ['message', 'msg'],
  ['template', 'message-template'],
  ['contact', 'person', 'people', 'customer', 'subscriber'],
  ['conversation', 'chat', 'thread'],
  ['campaign', 'broadcast'],
  ['webhook', 'hook', 'subscription', 'webhook-endpoint', 'webhook-subscription'],
  ['channel', 'inbox', 'sender'],
  ['trigger', 'start', 'launch', 'send'],
];

/** Returns a word of a path in the singular, in small letters with hyphens: `message-template` for `MessageTemplates.json`. */
const singular = (word: string): string =>
  word
    .replace(/\.json$/, '')
    .replace(/(?<=[a-z])(?=[A-Z])|_/g, '-')
    .toLowerCase()
    .replace(/(?<=x)es$|(?<=[a-z])s$/, '');

/** Returns our word for one of a path, in the singular, and `{}` for a parameter. */
const toOurWord = (word: string): string => {
  if (word.startsWith('{')) return '{}';
  const [ours] = synonyms.find((each) => each.includes(singular(word))) ?? [];
  return ours ?? singular(word);
};

type Call = Pick<Endpoint, 'method' | 'path'>;

const partsOf = (path: string): string[] => path.split('/').slice(1);

const tailOf = ({ path }: Call): string[] => partsOf(path.slice(pathPrefix.length)).map(toOurWord);

/** Returns the start of a path that has these words after it; undefined for any other path. */
const startOf = (path: string, tail: readonly string[]): string | undefined => {
  const parts = partsOf(path);
  const start = parts.slice(0, parts.length - tail.length);
  const isMatch = parts.slice(start.length).map(toOurWord).join('/') === tail.join('/');
  return isMatch && parts.length >= tail.length ? start.map((part) => `/${part}`).join('') : undefined;
};

/** Whether a method does what another does: both change, read or remove a record. */
const isLike = (one: string, other: string): boolean =>
  one === other || [one, other].every((method) => ['POST', 'PUT', 'PATCH'].includes(method));

/**
 * Returns the starts that most calls have, such as `/v2/accounts/{account_id}`, the shortest first. There are several when a
 * file has the calls in two versions, for example, and none when it has no such call.
 */
export const findPrefixes = (wanted: readonly Call[], operations: readonly Operation[]): string[] => {
  const starts = wanted.flatMap((call) =>
    operations.flatMap(({ method, path }) => (method === call.method ? (startOf(path, tailOf(call)) ?? []) : [])),
  );
  const counts = [...Map.groupBy(starts, (start) => start)].map(([start, all]) => ({ start, count: all.length }));
  const most = Math.max(...counts.map(({ count }) => count));
  const found = counts.filter(({ count }) => count === most).map(({ start }) => start);
  return found.toSorted((one, other) => one.length - other.length);
};

/** How an operation is found for a call. */
export interface Match {
  /** The operation; undefined when none is certain. */
  operation: Operation | undefined;
  /** The operations that may be meant, the likeliest first. */
  candidates: readonly Operation[];
}

/**
 * Finds the operation for a call. It's certain when only one has the method and ends with the path of the call, once the
 * names of resources are ours, and nothing between the prefix and that names another record.
 */
export const findOperation = (call: Call, operations: readonly Operation[], prefixes: readonly string[]): Match => {
  const tail = tailOf(call);
  const candidates = operations
    .filter((each) => isLike(each.method, call.method) && startOf(each.path, tail) !== undefined)
    .toSorted((one, other) => one.path.length - other.path.length);
  const isOwn = ({ method, path }: Operation): boolean => {
    const start = startOf(path, tail) ?? '';
    const isNear = (prefix: string) =>
      prefix.startsWith(start) || (start.startsWith(prefix) && !start.slice(prefix.length).includes('{'));
    return method === call.method && prefixes.some(isNear);
  };
  const [only, ...others] = candidates.filter(isOwn);
  return { operation: others.length === 0 ? only : undefined, candidates };
};

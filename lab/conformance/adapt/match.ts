/** Which operation of a service does what a call of the contract does. */
import { type Endpoint, pathPrefix } from '../../../src/api/endpoints';
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

/** Whether a word of a path only groups what our calls have. Another one, such as `email`, may have other records. */
const isGroup = (word: string): boolean => ['whatsapp', 'messaging', ...synonyms.flat()].includes(singular(word));

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

/** Returns a start without the words at its end that only group calls: `/v2` for `/v2/contact`. */
const withoutGroups = (start: string): string => {
  const parts = partsOf(start);
  const last = parts.findLastIndex((part) => !isGroup(part));
  return parts
    .slice(0, last + 1)
    .map((part) => `/${part}`)
    .join('');
};

/**
 * Returns where the paths of the calls start, such as `/v2/accounts/{account_id}`: where most of them do, or above it if others
 * do. There are several when a file has the calls in two versions, for example, and none when it has no such call.
 */
export const findPrefixes = (wanted: readonly Call[], operations: readonly Operation[]): string[] => {
  const starts = wanted
    .flatMap((call) =>
      operations.filter(({ method }) => method === call.method).map(({ path }) => startOf(path, tailOf(call))),
    )
    .flatMap((start) => (start === undefined ? [] : [withoutGroups(start)]));
  const counts = [...Map.groupBy(starts, (start) => start)].map(([start, all]) => ({ start, count: all.length }));
  const most = Math.max(...counts.map(({ count }) => count));
  const found = counts.filter(({ count }) => count === most).map(({ start }) => start);
  const isAbove = (start: string, other: string) => other === start || other.startsWith(`${start}/`);
  const tops = found.map((each) => starts.filter((start) => isAbove(start, each)).toSorted(byLength)[0] ?? each);
  return [...new Set(tops)].toSorted(byLength);
};

const byLength = (one: string, other: string): number => one.length - other.length;

/** How an operation is found for a call. */
export interface Match {
  /** The operation; undefined when none is certain. */
  operation: Operation | undefined;
  /** The operations that may be meant, the likeliest first. */
  candidates: readonly Operation[];
}

/**
 * Finds the operation for a call. It's certain when only one has the method and ends with the path of the call, once the
 * names of resources are ours, and what is between the prefix and that only groups calls. A webhook must also be
 * removable there: an operation without that may configure the only webhook of an account.
 */
export const findOperation = (call: Call, operations: readonly Operation[], prefixes: readonly string[]): Match => {
  const tail = tailOf(call);
  const candidates = operations
    .filter((each) => isLike(each.method, call.method) && startOf(each.path, tail) !== undefined)
    .toSorted((one, other) => byLength(one.path, other.path));
  const between = ({ path }: Operation): string[] | undefined => {
    const start = startOf(path, tail) ?? '';
    const prefix = prefixes.find((each) => start === each || start.startsWith(`${each}/`));
    const rest = prefix === undefined ? undefined : partsOf(start.slice(prefix.length));
    return rest?.some((part) => part.startsWith('{')) ? undefined : rest;
  };
  const isRemovable = ({ path }: Operation): boolean =>
    operations.some(
      (each) => each.method === 'DELETE' && startOf(each.path, ['webhook', '{}']) === startOf(path, tail),
    );
  const [only, ...others] = candidates.filter((each) => each.method === call.method && between(each));
  const isCertain = only && others.length === 0 && between(only)?.every(isGroup);
  return { operation: isCertain && (tail[0] !== 'webhook' || isRemovable(only)) ? only : undefined, candidates };
};

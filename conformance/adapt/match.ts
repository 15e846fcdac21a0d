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
  ['workspace', 'account', 'organization'],
  ['channel', 'inbox', 'sender'],
  ['trigger', 'start', 'launch', 'send'],
];

/** Returns a word of a path in the singular, in small letters with hyphens: `message-template` for `MessageTemplates`. */
const singular = (word: string): string =>
  word
    .replace(/(?<=[a-z])(?=[A-Z])|_/g, '-')
    .toLowerCase()
    .replace(/(?<=x)es$|(?<=[a-z])s$/, '');

/** Returns our word for one of a path, in the singular. */
const toOurWord = (word: string): string => {
  const [ours] = synonyms.find((each) => each.includes(singular(word))) ?? [];
  return ours ?? singular(word);
};

/** Returns the parts of a path without the prefix: words, and `{}` for each parameter. */
const partsOf = (path: string): string[] =>
  path
    .split('/')
    .filter((part) => part !== '')
    .map((part) => (part.startsWith('{') ? '{}' : part));

const wordsOf = (path: string): string => partsOf(path).map(toOurWord).join('/');

type Call = Pick<Endpoint, 'method' | 'path'>;

/** How an operation is found for a call. */
export interface Match {
  /** The operation; undefined when none is certain. */
  operation: Operation | undefined;
  /** The operations that are equally good, when there are several. */
  undecided: readonly Operation[];
  /** The operations that may be meant, the likeliest first. */
  candidates: readonly Operation[];
}

/** Whether a method does what another does: both change, read or remove a record. */
const isLike = (one: string, other: string): boolean =>
  one === other || [one, other].every((method) => ['POST', 'PUT', 'PATCH'].includes(method));

const byLength = (one: Operation, other: Operation): number => one.path.length - other.path.length;

/**
 * Finds the operation for a call. It's certain when there is one prefix, and only one operation has the method, the prefix and then the path of the call, once
 * the names of resources are ours.
 */
export const findOperation = (
  { method, path }: Call,
  operations: readonly Operation[],
  prefix: string | undefined,
): Match => {
  const wanted = wordsOf(path.slice(pathPrefix.length));
  const equal = operations.filter(
    (each) =>
      prefix !== undefined &&
      each.method === method &&
      each.path.startsWith(`${prefix}/`) &&
      wordsOf(each.path.slice(prefix.length)) === wanted,
  );
  const candidates = operations.filter(
    (each) => isLike(each.method, method) && `/${wordsOf(each.path)}`.endsWith(`/${wanted}`),
  );
  const [only, ...others] = equal;
  return {
    operation: others.length === 0 ? only : undefined,
    undecided: others.length === 0 ? [] : equal,
    candidates: candidates.toSorted(byLength),
  };
};

/** The words of the records in the paths of the contract. What comes before them is a prefix. */
const isRecord = (word: string): boolean =>
  ['message', 'template', 'contact', 'conversation', 'campaign', 'webhook', 'channel'].includes(toOurWord(word));

/** Returns every start of a path, from the empty one to the first record. */
const startsOf = ({ path }: Operation): string[] => {
  const parts = path.split('/');
  const record = parts.findIndex(isRecord);
  return parts.slice(0, record < 0 ? undefined : record).map((_, index) => parts.slice(0, index + 1).join('/'));
};

/**
 * Returns the starts, such as `/v2/accounts/{account_id}`, with which most calls of the contract have an operation. There are
 * several when a file has the calls in two versions, for example, and none when it has no such call.
 */
export const findPrefixes = (wanted: readonly Call[], operations: readonly Operation[]): string[] => {
  const counts = [...new Set(operations.flatMap(startsOf))].map((prefix) => ({
    prefix,
    count: wanted.filter((each) => findOperation(each, operations, prefix).operation).length,
  }));
  const most = Math.max(1, ...counts.map(({ count }) => count));
  return counts.filter(({ count }) => count === most).map(({ prefix }) => prefix);
};

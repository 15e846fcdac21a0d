/** The edits of the contract that follow from an OpenAPI file, and the questions that it leaves. */
import { calls, type Endpoint, pathPrefix } from '../../src/api/endpoints';
import { isMissing, nameOnWire } from '../../src/api/wire';
import { plain } from '../compare/names';
import { declarationOf } from '../compare/place';
import { resourceOf } from '../compare/resource';
import { type Comparison, compare, type Rename } from '../compare/shape';
import { changedFiles, type EditedFile, editNames, literal, readContract } from '../edits';
import { exampleOf, propertiesOf, turns, unknownText } from './example';
import { findOperation, findPrefixes } from './match';
import type { Operation } from './operations';

/** A call of the contract with its operation. */
interface Found {
  name: string;
  endpoint: Endpoint;
  operation: Operation;
}

/** What is known of the service, and what a person has to answer. */
export interface Plan {
  /** A line for each call of the contract. */
  calls: string[];
  questions: string[];
  edits: EditedFile[];
}

const nameOf = ({ method, path }: Operation): string => `${method} ${path}`;
const maxShown = 4;
const list = (items: readonly string[]): string =>
  [...items.slice(0, maxShown), ...(items.length > maxShown ? ['…'] : [])].join(', ');
const quoted = (names: readonly string[]): string => list(names.map((name) => `\`${name}\``));

const replaceLine = (files: EditedFile[], from: string, to: string): void => {
  const line = files.flatMap(({ lines }) => lines).find((each) => each.from === from);
  if (line && from !== to) line.to[0] = to;
};

/** The part of a prefix that all accounts share. What comes before a variable belongs to the address of an account. */
const sharedPrefix = (prefix: string): string => prefix.slice(prefix.lastIndexOf('}') + 1);

/** Returns the path of an operation after the prefix, as the contract writes it. */
const pathAfter = ({ path }: Operation, prefix: string): string =>
  path.slice(prefix.length).replaceAll(/\{[^}]*\}/g, '{id}');

/** Whether a path is nothing but a path: whole segments of plain characters, none of which leads elsewhere. */
const isPlainPath = (path: string): boolean =>
  path.length <= 300 && /^(\/(?!\.{1,2}(\/|$))([\w.~:@+=,-]+|\{id\}))*$/.test(path);

/** Edits the paths that are plain. */
const editPaths = (files: EditedFile[], found: readonly Found[], prefix: string): void => {
  const own = sharedPrefix(prefix);
  if (!isPlainPath(own)) return;
  const prefixLine = (value: string) => `export const pathPrefix = ${literal(value)};`;
  replaceLine(files, prefixLine(pathPrefix), prefixLine(own));
  for (const { name, endpoint, operation } of found) {
    const theirs = pathAfter(operation, prefix);
    const line = (path: string) => `  ${name}: endpoint('${endpoint.method}', ${literal(path)}, {`;
    if (isPlainPath(theirs)) replaceLine(files, line(endpoint.path.slice(pathPrefix.length)), line(theirs));
  }
};

/** Asks about the paths that an edit doesn't take over. */
const pathQuestions = (found: readonly Found[], prefix: string): string[] => {
  const own = sharedPrefix(prefix);
  if (!isPlainPath(own))
    return [`The start of every path has unusual characters: ${own}. Edit \`pathPrefix\` by hand.`];
  return found
    .filter(({ operation }) => !isPlainPath(pathAfter(operation, prefix)))
    .map(
      ({ name, operation }) => `The path of \`${name}\` has unusual characters: ${nameOf(operation)}. Edit it by hand.`,
    );
};

const prefixQuestions = (prefixes: readonly string[]): string[] => {
  const [prefix = '', ...others] = prefixes;
  if (others.length > 0)
    return [
      `The file has the same calls under ${prefixes.join(' and ')}. Leave one in the file, and run the command again.`,
    ];
  return prefix.includes('{')
    ? [
        `Every path starts with ${prefix}. API Base URL then has this part, with the values of the account in it. Or see "Fields of the connection".`,
      ]
    : [];
};

/** Whether a field has its name in another spelling, or is the envelope of all lists. The rest is for a person. */
const isSafe = ({ declaration: { name, path }, theirs }: Rename): boolean =>
  name === 'list' || plain(path.at(-1) ?? '') === plain(theirs);

/** Compares bodies that fit the file's schema with the contract. */
const compareResponses = ({ endpoint, operation: { response } }: Found): Comparison[] => {
  if (!response || endpoint.status === 204) return [];
  const bodies = Array.from({ length: turns }, (_, turn) => exampleOf(response, turn));
  const comparisons = bodies.map((body) => compare(endpoint.response, body, resourceOf(endpoint)));
  return comparisons.map((each) => ({ ...each, renames: each.renames.filter(isSafe) }));
};

/** The differences of the responses that no edit settles, by the first call that has them. */
const responseQuestions = (responses: readonly { name: string; comparisons: readonly Comparison[] }[]): string[] => {
  const all = responses.flatMap(({ comparisons }) => comparisons);
  const settled = all.flatMap(({ renames, respelled }) => [
    ...renames.map(({ theirs }) => `; there is \`${theirs}\``),
    ...respelled.map(({ theirs }) => `unknown word "${theirs}"`),
    `unknown word "${unknownText}"`,
  ]);
  const open = responses.flatMap(({ name, comparisons }) =>
    [...new Set(comparisons.flatMap((each) => [...each.differences]))]
      .filter((each) => !settled.some((part) => each.includes(part)))
      .map((each): [string, string] => [each.replace('`data[].', '`'), `\`${name}\`: ${each}`]),
  );
  return [...new Map(open.toReversed()).values()].toReversed();
};

/** Other names of the parameters of every list. */
const pageNames = {
  limit: ['page_size', 'per_page', 'size', 'count', 'max_results'],
  after: ['cursor', 'page_token', 'next_token', 'starting_after', 'next_cursor'],
};

/** What a service that has neither cursor counts by, with the example of it. */
const countedBy = [
  ['page', '"Page numbers"'],
  ['offset', '"Offsets"'],
] as const;

const find = (names: readonly string[], wanted: readonly string[]): string[] =>
  names.filter((name) => wanted.some((each) => plain(each) === plain(name)));

/** Finds what the service calls a parameter of its lists; undefined unless all lists agree. */
const findPageName = (lists: readonly Found[], key: keyof typeof pageNames): Rename | undefined => {
  const names = lists.map(({ operation: { query } }) => find(query, [key, ...pageNames[key]]));
  const [[theirs] = []] = names;
  const areSame = theirs !== undefined && names.every((each) => each.length === 1 && each[0] === theirs);
  return areSame && theirs !== key ? { declaration: declarationOf('listQuery', [key]), theirs } : undefined;
};

const findPageNames = (lists: readonly Found[]): Rename[] =>
  (['limit', 'after'] as const).flatMap((key) => findPageName(lists, key) ?? []);

const pageQuestion = ({ name, operation: { query } }: Found): string[] => {
  if (find(query, ['after', ...pageNames.after]).length > 0) return [];
  const [, example = '"The cursor"'] = countedBy.find(([word]) => find(query, [word]).length > 0) ?? [];
  return [`\`${name}\` has no cursor in its query${query.length > 0 ? ` (${list(query)})` : ''}. See ${example}.`];
};

const shapeOf = (schema: unknown): Readonly<Record<string, Parameters<typeof isMissing>[0]>> =>
  Object(schema).shape ?? {};

/** What a call sends that the operation doesn't name. */
const sendQuestions = ({ name, endpoint, operation }: Found): string[] => {
  const lacking = (schema: unknown, theirs: readonly string[]) =>
    Object.entries(shapeOf(schema))
      .filter(([key, field]) => field && !isMissing(field) && find(theirs, [nameOnWire(key, field)]).length === 0)
      .map(([key]) => key)
      .filter((key) => key !== 'limit' && key !== 'after');
  const bodyNames = Object.keys(propertiesOf(operation.body));
  const [body, query] = [lacking(endpoint.body, bodyNames), lacking(endpoint.query, operation.query)];
  const there = bodyNames.length > 0 ? `; there is ${quoted(bodyNames)}` : '';
  return [
    ...(body.length > 0 ? [`\`${name}\` sends ${quoted(body)}, which its body doesn't have${there}.`] : []),
    ...(query.length > 0
      ? [`\`${name}\` filters by ${quoted(query)}, which its query doesn't have. See "A filter that doesn't exist".`]
      : []),
  ];
};

const describeMissing = (name: string, { method, path }: Endpoint, candidates: readonly Operation[]): string =>
  candidates.length > 0
    ? `\`${name}\` may be ${candidates.slice(0, maxShown).map(nameOf).join(' or ')}. See "A method" and "A path".`
    : `\`${name}\` has no match for ${method} ${path}. Find its call, or add it to \`missing\`. See "Calls that don't exist".`;

/** A call with its operation, and what the responses of that show. */
interface Compared extends Found {
  comparisons: readonly Comparison[];
}

const compareFound = (each: Found): Compared => ({ ...each, comparisons: compareResponses(each) });

const isList = ({ endpoint: { query } }: Found): boolean => query !== undefined && Object.hasOwn(query.shape, 'after');

/** Leaves the edits that are the same in both, so that none depends on which of two operations is meant. */
const keepSame = (files: readonly EditedFile[], others: readonly EditedFile[]): EditedFile[] =>
  files.map(({ file, lines }, index) => ({
    file,
    lines: lines.map(({ from, to }, line) => ({
      from,
      to: others[index]?.lines[line]?.to.join('\n') === to.join('\n') ? to : [from],
    })),
  }));

const unreadQuestion = (unread: readonly string[]): string[] =>
  unread.length > 0
    ? [`The file refers to what isn't in it, which isn't downloaded: ${list(unread)}. Add these parts to the file.`]
    : [];

/**
 * Compares the operations of a service with the contract below `root`. `unread` are the references of its file that lead
 * nowhere.
 */
export const planAdaptation = (
  root: string,
  operations: readonly Operation[],
  unread: readonly string[] = [],
): Plan => {
  const prefixes = findPrefixes(
    calls.map(([, endpoint]) => endpoint),
    operations,
  );
  // With two, each call has two operations.
  const prefix = prefixes.length === 1 ? prefixes[0] : undefined;
  const matches = calls.map(([name, endpoint]) => ({ name, endpoint, ...findOperation(endpoint, operations, prefix) }));
  const found = matches.flatMap(({ operation, ...each }) => (operation ? [{ ...each, operation }] : []));
  const undecided = matches.flatMap(({ undecided: all, ...each }) => all.map((operation) => ({ ...each, operation })));
  const [responses, others] = [found.map(compareFound), undecided.map(compareFound)];
  const edit = (known: readonly Compared[]): EditedFile[] => {
    const files = readContract(root);
    if (prefix !== undefined) editPaths(files, found, prefix);
    editNames(
      files,
      known.flatMap(({ comparisons }) => comparisons),
      findPageNames(known.filter(isList)),
    );
    return files;
  };
  const lists = found.filter(isList);
  return {
    calls: matches.map(({ name, operation }) => `  ${name.padEnd(26)}${operation ? nameOf(operation) : '?'}`),
    questions: [
      ...unreadQuestion(unread),
      ...prefixQuestions(prefixes),
      ...(prefix === undefined ? [] : pathQuestions(found, prefix)),
      ...matches.flatMap(({ name, endpoint, operation, candidates }) =>
        operation ? [] : [describeMissing(name, endpoint, candidates)],
      ),
      ...lists.flatMap(pageQuestion),
      ...found.flatMap(sendQuestions),
      ...responseQuestions(responses),
    ],
    edits: changedFiles(keepSame(edit(responses), edit([...responses, ...others]))),
  };
};

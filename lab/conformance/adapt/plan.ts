/** The edits of the contract that follow from an OpenAPI file, and the questions that it leaves. */
import { calls, type Endpoint, headers, pathPrefix } from '../../../src/api/endpoints';
import type { EndpointName } from '../../../src/api/transport';
import { isMissing } from '../../../src/api/wire';
import { plain } from '../compare/names';
import { changedFiles, type EditedFile, literal, readContract } from '../edits';
import { findOperation, findPrefixes } from './match';
import { type Description, type Operation, propertiesOf, type SecurityScheme } from './operations';

/** A call of the contract with its operation. */
interface Found {
  name: EndpointName;
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

/** Replaces a line that nobody has edited yet. */
const replaceLine = (files: EditedFile[], from: string, ...to: string[]): void => {
  const line = files.flatMap(({ lines }) => lines).find((each) => each.from === from);
  if (line) line.to.splice(0, 1, ...to);
};

/** The part of a prefix that all accounts share. What comes before a variable belongs to the address of an account. */
const sharedPrefix = (prefix: string): string => prefix.slice(prefix.lastIndexOf('}') + 1);

/** Whether a path is nothing but a path: whole segments of plain characters, none of which leads elsewhere. */
const isPlainPath = (path: string): boolean =>
  path.length <= 300 && /^(\/(?!\.{1,2}(\/|$))([\w.~:@+=,-]+|\{id\}(\.json)?))*$/.test(path);

/** Returns the path of an operation as a hook has it, below the API Base URL. */
const pathOf = ({ operation: { path } }: Found, prefix: string): string =>
  path.slice(prefix.length - sharedPrefix(prefix).length).replaceAll(/\{[^}]*\}/g, '{id}');

/** Edits the prefix, and the paths that it doesn't explain, as far as they are plain. */
const editPaths = (files: EditedFile[], found: readonly Found[], prefix: string): void => {
  const own = sharedPrefix(prefix);
  if (!isPlainPath(own) || found.length === 0) return;
  replaceLine(files, "export const prefix: string = '/v1';", `export const prefix: string = ${literal(own)};`);
  const others = found.filter((each) => {
    const path = pathOf(each, prefix);
    return isPlainPath(path) && path !== own + each.endpoint.path.slice(pathPrefix.length);
  });
  if (others.length === 0) return;
  const entries = others.map((each) => `  ${each.name}: { path: ${literal(pathOf(each, prefix))} },`);
  replaceLine(files, 'export const hooks: Hooks = {};', 'export const hooks: Hooks = {', ...entries, '};');
};

const prefixQuestions = (found: readonly Found[], prefix: string): string[] => {
  const own = sharedPrefix(prefix);
  if (!isPlainPath(own)) return [`The start of every path has unusual characters: ${own}. Edit \`prefix\` by hand.`];
  const unusual = found.filter((each) => !isPlainPath(pathOf(each, prefix)));
  const isPart = prefix.includes('{');
  const part = `Every path starts with ${prefix}. API Base URL then has this part, with the values of the account in it. Or see "Fields of the connection".`;
  return [
    ...(isPart ? [part] : []),
    ...unusual.map(
      ({ name, operation }) => `The path of \`${name}\` has unusual characters: ${nameOf(operation)}. Edit it by hand.`,
    ),
  ];
};

const isName = (name: unknown): name is string => typeof name === 'string' && /^[\w-]{1,60}$/.test(name);

/** Returns the preset for a way to authorize, and its code; undefined for one that a person has to complete. */
const presetOf = ({ type, in: place, name }: SecurityScheme) => {
  const preset = { header: 'inHeader', query: 'inQuery' }[place ?? ''];
  const isCertain = type === 'apiKey' && preset && isName(name) && plain(name) !== 'authorization';
  return isCertain ? { preset, code: `${preset}(${literal(name)})` } : undefined;
};

const isBearer = ({ type, scheme }: SecurityScheme): boolean => type === 'http' && scheme?.toLowerCase() === 'bearer';

/** What a person has to write, by a way to authorize. */
const authorizationQuestion = ({ type, scheme, name }: SecurityScheme): string => {
  if (type === 'http' && scheme === 'basic')
    return 'Basic authentication needs a user: `basic(({ user }) => user)`. See "Fields of the connection".';
  if (type === 'apiKey' && plain(name ?? '') === 'authorization')
    return 'The key is in the header Authorization, perhaps after a word. See "Authorization".';
  return 'The file has no way to authorize that the contract knows. See "Authorization" and "Limits".';
};

/** Edits how requests are authorized. Returns what a person has to answer. */
const editAuthorization = (files: EditedFile[], { schemes }: Description): string[] => {
  const [one] = schemes;
  if (!one || schemes.some(isBearer)) return [];
  const presets = [...new Map(schemes.map(presetOf).map((each) => [each?.code, each])).values()];
  const [first] = presets;
  if (presets.length > 1) return ['The file has several ways to authorize. Choose one. See "Authorization".'];
  if (!first) return [authorizationQuestion(one)];
  replaceLine(files, "import { bearer } from './presets';", `import { ${first.preset} } from './presets';`);
  replaceLine(
    files,
    'export const authorize: Authorize = bearer;',
    `export const authorize: Authorize = ${first.code};`,
  );
  return [];
};

/** Edits what the file says of idempotency keys: if no call that may send has a header for them, the service ignores them. */
const editKeys = (files: EditedFile[], found: readonly Found[], { operations }: Description): void => {
  const send = found.find(({ name }) => name === 'sendMessage');
  const sends = send ? [send.operation] : operations.filter(({ method }) => method === 'POST');
  const takesKeys = sends.some((each) => each.headers.some((name) => plain(name) === plain(headers.idempotencyKey)));
  if (takesKeys || sends.length === 0 || found.length === 0) return;
  const start = 'export const keepsIdempotencyKeys: boolean = ';
  replaceLine(files, `${start}true;`, `${start}false;`);
};

const find = (names: readonly string[], wanted: readonly string[]): string[] =>
  names.filter((name) => wanted.some((each) => plain(each) === plain(name)));

const pageQuestion = ({ name, endpoint, operation: { query } }: Found): string[] => {
  const isList = endpoint.query !== undefined && Object.hasOwn(endpoint.query.shape, 'after');
  if (!isList || find(query, ['after']).length > 0) return [];
  return [`\`${name}\` has no \`after\` in its query${query.length > 0 ? ` (${list(query)})` : ''}. See "Pages".`];
};

const shapeOf = (schema: unknown): Readonly<Record<string, Parameters<typeof isMissing>[0]>> =>
  Object(schema).shape ?? {};

/** What a call sends that the operation doesn't name. */
const sendQuestions = ({ name, endpoint, operation }: Found): string[] => {
  const lacking = (schema: unknown, theirs: readonly string[]) =>
    Object.entries(shapeOf(schema))
      .filter(([key, field]) => field && !isMissing(field) && find(theirs, [key]).length === 0)
      .map(([key]) => key)
      .filter((key) => key !== 'limit' && key !== 'after');
  const bodyNames = propertiesOf(operation.body);
  const [body, query] = [lacking(endpoint.body, bodyNames), lacking(endpoint.query, operation.query)];
  const there = bodyNames.length > 0 ? `; there is ${quoted(bodyNames)}` : '';
  const { bodyType } = operation;
  return [
    ...(bodyType ? [`\`${name}\` takes ${bodyType} instead of JSON. See "Calls" for \`request\`.`] : []),
    ...(body.length > 0
      ? [`\`${name}\` sends ${quoted(body)}, which its body doesn't have${there}. See "Calls" for \`request\`.`]
      : []),
    ...(query.length > 0
      ? [`\`${name}\` filters by ${quoted(query)}, which its query doesn't have. See "What the service lacks".`]
      : []),
  ];
};

/** Asks about each call that may be one of several operations, and at once about those that are like none. */
const unmatchedQuestions = (matches: readonly { name: string; candidates: readonly Operation[] }[]): string[] => {
  const none = matches.filter(({ candidates }) => candidates.length === 0).map(({ name }) => `\`${name}\``);
  return [
    ...matches.flatMap(({ name, candidates }) =>
      candidates.length > 0
        ? [`\`${name}\` may be ${candidates.slice(0, maxShown).map(nameOf).join(' or ')}. See "Calls".`]
        : [],
    ),
    ...(none.length > 0
      ? [
          `The file has nothing like ${none.join(', ')}. Find each call, or add it to \`missing\`. See "What the service lacks".`,
        ]
      : []),
  ];
};

const unreadQuestion = (unread: readonly string[]): string[] =>
  unread.length > 0
    ? [`The file refers to what isn't in it, which isn't downloaded: ${list(unread)}. Add these parts to the file.`]
    : [];

/** Compares a service with the contract below `root`. `unread` are the references of its file that lead nowhere. */
export const planAdaptation = (root: string, service: Description, unread: readonly string[] = []): Plan => {
  const { operations } = service;
  const prefixes = findPrefixes(
    calls.map(([, endpoint]) => endpoint),
    operations,
  );
  const [prefix = ''] = prefixes;
  const matches = calls.map(([name, endpoint]) => ({
    name,
    endpoint,
    ...findOperation(endpoint, operations, prefixes),
  }));
  const found = matches.flatMap(({ operation, ...each }) => (operation ? [{ ...each, operation }] : []));
  const files = readContract(root);
  editPaths(files, found, prefix);
  editKeys(files, found, service);
  const aboutTokens = editAuthorization(files, service);
  return {
    calls: matches.map(({ name, operation }) => `  ${name.padEnd(26)}${operation ? nameOf(operation) : '?'}`),
    questions: [
      ...unreadQuestion(unread),
      ...aboutTokens,
      ...prefixQuestions(found, prefix),
      ...unmatchedQuestions(matches.filter(({ operation }) => !operation)),
      ...found.flatMap(pageQuestion),
      ...found.flatMap(sendQuestions),
    ],
    edits: changedFiles(files),
  };
};

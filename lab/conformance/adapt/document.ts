/** An OpenAPI file with the files beside it that it refers to. Nothing is requested from elsewhere. */
import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fieldsOf } from '../../../src/api/object';
import { errorMessage, UsageError } from '../../cli/errors';
import { readJson } from '../json';

/** Larger than the largest published files. */
const maxBytes = 20 * 1024 * 1024;
const maxFiles = 1000;
/** A reference may lead to another one. */
const maxHops = 20;

const parse = async (file: string): Promise<unknown> => {
  const stats = statSync(file);
  if (!stats.isFile() || stats.size > maxBytes) throw new Error("It isn't a file, or has more than 20 MB.");
  const text = readFileSync(file, 'utf8');
  const value = readJson(text);
  if (value !== text) return value;
  const { parseYaml } = await import('@redocly/openapi-core');
  return parseYaml(text);
};

/** Splits a reference in a file into the file that it leads to and the place in it; undefined when it leads to a host. */
const locate = (reference: string, file: string) => {
  const [path = '', pointer = ''] = reference.split('#', 2);
  if (/^(\w[\w+.-]*:|[/\\]{2})/.test(path)) return undefined;
  return { file: path ? resolve(dirname(file), path) : file, pointer };
};

const referenceOf = (value: unknown): string | undefined => {
  const { $ref } = fieldsOf(value);
  return typeof $ref === 'string' ? $ref : undefined;
};

/** Returns every value within a value. YAML may hold one at several places. */
const valuesIn = (value: unknown): Set<unknown> => {
  const found = new Set([value]);
  for (const each of found) {
    if (typeof each === 'object' && each !== null) for (const inner of Object.values(each)) found.add(inner);
  }
  return found;
};

/** Reads a file and those that it refers to, by path. Only the first one has to exist. */
const readFiles = async (first: string): Promise<Map<string, unknown>> => {
  const documents = new Map([[first, await parse(first)]]);
  for (const [file, document] of documents) {
    const references = [...valuesIn(document)].flatMap((each) => referenceOf(each) ?? []);
    for (const path of new Set(references.flatMap((each) => locate(each, file)?.file ?? []))) {
      if (documents.size < maxFiles && !documents.has(path))
        documents.set(path, await parse(path).catch(() => undefined));
    }
  }
  return documents;
};

const valueAt = (document: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((value: unknown, key) => (Object.hasOwn(Object(value), key) ? Object(value)[key] : undefined), document);

/** What an OpenAPI file describes. */
export interface Document {
  /** The file with a value at the place of each reference, which may hold itself. */
  content: unknown;
  /** The references that lead to a host, or to nothing. An empty object is at their places. */
  unread: readonly string[];
}

const resolveReferences = (documents: ReadonlyMap<string, unknown>, first: string): Document => {
  const unread = new Set<string>();
  const copies = new Map<object, unknown>();
  const follow = (value: unknown, file: string, hops = 0): { value: unknown; file: string } => {
    const reference = referenceOf(value);
    if (reference === undefined) return { value, file };
    const place = hops < maxHops ? locate(reference, file) : undefined;
    const target = place && valueAt(documents.get(place.file), place.pointer);
    if (place && target !== undefined) return follow(target, place.file, hops + 1);
    unread.add(reference);
    return { value: {}, file };
  };
  const copy = (given: unknown, from: string): unknown => {
    const { value, file } = follow(given, from);
    if (typeof value !== 'object' || value === null) return value;
    if (copies.has(value)) return copies.get(value);
    const made: Record<string, unknown> | unknown[] = Array.isArray(value) ? [] : Object.create(null);
    copies.set(value, made);
    for (const [key, each] of Object.entries(value)) Object.assign(made, { [key]: copy(each, file) });
    return made;
  };
  return { content: copy(documents.get(first), first), unread: [...unread] };
};

/** Reads an OpenAPI file in JSON or YAML. Throws `UsageError` when it can't be read. */
export const readDocument = async (file: string): Promise<Document> => {
  try {
    const path = resolve(file);
    return resolveReferences(await readFiles(path), path);
  } catch (error) {
    throw new UsageError(`${file} can't be read: ${errorMessage(error).split('\n', 1)}`);
  }
};

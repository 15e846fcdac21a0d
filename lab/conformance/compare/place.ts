/** Where `src/api` declares what a check is about, by name. */
import type * as z from 'zod/mini';
import * as endpointsFile from '../../../src/api/endpoints';
import * as errors from '../../../src/api/errors';
import * as events from '../../../src/api/events';
import * as resources from '../../../src/api/resources';
import * as service from '../../../src/api/service';
import { wordsOf } from '../../../src/api/wire';

const files: [file: string, names: readonly string[]][] = [
  ['resources', Object.keys(resources)],
  ['endpoints', [...Object.keys(endpointsFile.endpoints), 'listQuery', ...Object.keys(endpointsFile)]],
  ['errors', Object.keys(errors)],
  ['events', Object.keys(events)],
  ['service', Object.keys(service)],
];

const fileOf = (name: string): string => {
  const [file] = files.find(([, names]) => names.includes(name)) ?? [];
  return file ? `src/api/${file}.ts` : 'src/api';
};

const nouns = new Map(
  Object.entries(resources).flatMap(([name, each]) => ('noun' in Object(each) ? [[name, Object(each).noun]] : [])),
);

/** The declaration that a field belongs to. A contact shares its fields with requests. The envelope and the page of every list are declared once. */
const ownerOf = (name: string, [field]: readonly string[]): string => {
  if (/^contact$|^(create|update)Contact$/.test(name) && Object.hasOwn(resources.personFields, field ?? ''))
    return 'personFields';
  if (nouns.has(name) && (field === 'data' || field === 'next_cursor')) return 'list';
  return field === 'limit' || field === 'after' ? 'listQuery' : name;
};

/** A declaration of `src/api`: its name, its file, and the path of a field in it by our names. */
export interface Declaration {
  name: string;
  file: string;
  path: readonly string[];
}

/** Returns where `src/api` declares a field. `owner` is the name of a declaration, and `path` leads to the field in it. */
export const declarationOf = (owner: string, path: readonly string[] = []): Declaration => {
  const [first, ...inner] = path;
  if (nouns.has(owner) && first === 'data' && inner.length > 0) return declarationOf(owner, inner);
  const name = ownerOf(owner, path);
  return { name, file: fileOf(name), path };
};

/** Returns where `src/api` declares a field, such as ``(`text` of a message, src/api/resources.ts)`` with a space in front. */
export const placeOf = (owner: string, path: readonly string[] = []): string => {
  const { name, file, path: inside } = declarationOf(owner, path);
  const noun = nouns.get(name);
  const within = noun ? `of a ${String(noun).toLowerCase()}` : `in \`${name}\``;
  return ` (${inside.length > 0 ? `\`${inside.join('.')}\` ${within}` : `\`${name}\``}, ${file})`;
};

/** The place at the end of a difference. */
export const placePattern = / \(([^()]*src\/api[^()]*)\)$/;

/** Returns the words of a difference without its place. */
export const withoutPlace = (difference: string): string => difference.replace(placePattern, '');

const vocabularies = Object.entries(resources.vocabulary);

/** Returns the name of the list of words that a text takes; undefined when it takes none of `vocabulary`. */
export const vocabularyOf = (schema: z.core.$ZodType): string | undefined => {
  const words = wordsOf(schema);
  return vocabularies.find(([, each]) => each === words)?.[0];
};

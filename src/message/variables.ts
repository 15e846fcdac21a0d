/** The variables of a template: which ones its texts have, and what each is called. */
import * as zod from 'zod/mini';
import { type FieldLabels, toLabel } from '../api/labels';
import type { Template } from '../api/resources';
import { foldCase, toOneLine } from '../text/fold';

/** What the service says about a variable. */
export type DescribedVariable = NonNullable<Template['variables']>[number];

/** The prefix in the key of each variable's field. */
export const variablePrefix = 'variable_';

/** What a form keeps about a variable. Zapier passes it to the step with the field. */
export const variableMeta = zod.object({
  format: zod.string(),
  label: zod.string(),
  required: zod.boolean(),
  channel: zod.optional(zod.string()),
});
export type VariableMeta = zod.output<typeof variableMeta>;

/** A variable of any version of a template. */
export interface Variable {
  name: string;
  label: string;
  format: string;
  required: boolean;
  example: string | undefined;
  /** What the versions call it. */
  labels: string[];
  /** The versions that have it. */
  versions: Template[];
  /** Whether the versions want its value in different formats, so that it can't be converted for all of them. */
  isMixed: boolean;
  /** The links whose end it is, each up to its place. */
  links: string[];
  /** The words around each of its other places, such as `Your order [Variable 1] has`, unless one place and its name say enough. */
  words: string[];
}

export type Variables = ReadonlyMap<string, Variable>;

const maxLabel = 64;

/** The number of characters of a text that are read, several times those of any message. */
const maxText = 20_000;

/** A place for a value in a text, by the name of its variable. */
const place = /\{\{([^{}]+)\}\}/g;

const isNumber = (name: string): boolean => /^\d+$/.test(name);

/** Returns the label of a variable: the service's, or else the words of its name. */
export const labelOfVariable = ({ name, label }: Pick<DescribedVariable, 'name' | 'label'>): string =>
  (label || (isNumber(name) ? `Variable ${name}` : toLabel(name.replace(/(\p{Ll})(\p{Lu})/gu, '$1_$2')))).slice(
    0,
    maxLabel,
  );

/** A place for a value in a template. */
interface Placeholder {
  name: string;
  text: string;
  start: number;
  end: number;
  /** The link that goes on with the value, up to the place. */
  link: string | undefined;
}

/** A place, where a link begins, also without https, and what ends one, such as a space or a letter of a script without spaces. */
const placeOrLink =
  /\{\{([^{}]+)\}\}|(https?:\/\/|(?<![a-z\d.@-])(?:[a-z\d-]+\.){1,9}[a-z]{2,}\/)|[\s"<>\u0e00-\u0eff\u2e80-\u9fff\uff00-\uff60]+/gi;

/** Returns the first place of each variable in a text, and the first one at the end of a link. */
const placesIn = (text: string): Iterable<Placeholder> => {
  const places = new Map<string, Placeholder>();
  let linkStart: number | undefined;
  for (const { 0: whole, 1: inside, 2: beginning, index: start } of text.matchAll(placeOrLink)) {
    if (inside === undefined) linkStart = beginning ? (linkStart ?? start) : undefined;
    const name = inside?.trim();
    const link = linkStart === undefined ? undefined : text.slice(linkStart, start);
    const key = `${link !== undefined} ${name}`;
    if (name && !places.has(key)) places.set(key, { name, text, start, end: start + whole.length, link });
  }
  return places.values();
};

/** Returns the places in all texts of a version, at any depth, since a list of parts would forget one. */
const placesOf = ({ variables: _, ...version }: Template): Placeholder[] => {
  const places: Placeholder[] = [];
  const parts: unknown[] = [version];
  while (parts.length > 0) {
    const part = parts.pop();
    if (typeof part === 'string') for (const each of placesIn(part)) places.push(each);
    if (typeof part === 'object') for (const inner of Object.values(part ?? {}).reverse()) parts.push(inner);
  }
  return places;
};

/** Returns the variables of a version: those that the service describes, then the others of its texts, which are required. */
const variablesOfVersion = (version: Template): DescribedVariable[] => {
  const described = version.variables ?? [];
  const names = new Set(described.map(({ name }) => name));
  const others = new Set(placesOf(version).flatMap(({ name }) => (names.has(name) ? [] : name)));
  return [...described, ...[...others].map((name) => ({ name }))];
};

/** Whether nothing shows which variables a version has: the service gives neither its text nor a list. */
const isUnknown = (version: Template): boolean =>
  !version.variables && typeof version.body !== 'string' && placesOf(version).length === 0;

/** Returns a text with labels in place of its variables, on one line or on its own lines. */
export const withLabels = (text: string | null | undefined, labelOf: (name: string) => string): string =>
  (text ?? '')
    .slice(0, maxText)
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .replace(place, (_, name: string) => `[${labelOf(name.trim())}]`);

/** Returns the text of a version's body as one line, with labels in place of variables. */
export const bodyOf = ({ body, variables }: Template): string => {
  const described = new Map((variables ?? []).map((each) => [each.name, each]));
  return withLabels(body, (name) => labelOfVariable(described.get(name) ?? { name }));
};

/** The number of characters on each side of a variable that show where it is. */
const maxWords = 40;

/** The number of places that a help text has room for. */
const maxPlaces = 5;

const wordsAround = ({ text, start, end }: Placeholder): string =>
  toOneLine(withLabels(text.slice(Math.max(0, start - maxWords), end + maxWords), (name) => labelOfVariable({ name })));

/** The formats of whole addresses, which the end of a link isn't. */
const linkFormats = ['url', 'image', 'video', 'document'];

const mergeUses = (
  name: string,
  uses: readonly (DescribedVariable & { version: Template })[],
  places: readonly Placeholder[],
): Variable => {
  const labels = [...new Set(uses.map(labelOfVariable))];
  const versions = uses.map(({ version }) => version);
  const [format = 'text', ...otherFormats] = new Set(uses.map((use) => use.format ?? 'text'));
  const isOnlyNumber = isNumber(name) && !uses.some(({ label }) => label);
  const links = [...new Set(places.flatMap(({ link }) => link ?? []))];
  const others = places.filter(({ link }) => link === undefined);
  const isOnlyLinkEnd = links.length > 0 && others.length === 0;
  const isShown = isOnlyNumber || places.length > versions.length;
  return {
    name,
    label: labels.join(' / ').slice(0, maxLabel),
    labels,
    versions,
    example: uses.find(({ example }) => example)?.example ?? undefined,
    format: otherFormats.length > 0 || (isOnlyLinkEnd && linkFormats.includes(format)) ? 'text' : format,
    required: uses.some(({ required }) => required !== false),
    isMixed: otherFormats.length > 0,
    links,
    words: isShown ? [...new Set(others.slice(0, maxPlaces).map(wordsAround))] : [],
  };
};

const withDistinctLabels = (variables: readonly Variable[]): Variable[] => {
  const byLabel = Map.groupBy(variables, ({ label }) => label);
  return variables.map((each) => {
    if (byLabel.get(each.label)?.length === 1) return each;
    const name = ` (${each.name})`;
    return { ...each, label: toOneLine(each.label, Math.max(1, maxLabel - name.length)) + name };
  });
};

/**
 * Returns the variables of all versions, since the service chooses the version: each is required if one version requires it,
 * and has a format if all agree on it. Undefined when nothing shows which variables a version has.
 */
export const variablesOf = (versions: readonly Template[]): Variables | undefined => {
  if (versions.some(isUnknown)) return undefined;
  const uses = versions.flatMap((version) => variablesOfVersion(version).map((each) => ({ ...each, version })));
  const places = Map.groupBy(versions.flatMap(placesOf), ({ name }) => name);
  const merged = [...Map.groupBy(uses, ({ name }) => name)].map(([name, each]) =>
    mergeUses(name, each, places.get(name) ?? []),
  );
  return new Map(withDistinctLabels(merged).map((each) => [each.name, each]));
};

/** Returns what a form calls the variables, by their fields in a request. */
export const labelsOf = (variables: Variables): FieldLabels =>
  Object.fromEntries([...variables].map(([name, { label }]) => [`variables.${name}`, label]));

/**
 * Returns a function that finds the names of the variables that a text can mean, by name or by label: a name means itself,
 * and several variables may share a label.
 */
export const nameFinder = (variables: Variables): ((text: string) => readonly string[]) => {
  const texts = [...variables.values()].flatMap(({ name, label, labels }) =>
    [name, toLabel(name), label, ...labels].map((text) => ({ text: foldCase(text), name })),
  );
  const groups = Map.groupBy(texts, ({ text }) => text);
  return (text) => {
    if (variables.has(text)) return [text];
    return [...new Set(groups.get(foldCase(text))?.map(({ name }) => name))];
  };
};

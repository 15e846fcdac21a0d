/**
 * What the versions of a template have in common. A template is a name on a channel, in one language or several, and the
 * service chooses the language for each contact.
 */
import { passesFilters } from '../api/filters';
import type { Template } from '../api/resources';
import { toOneLine } from '../formats/text';
import { labelOfVariable, metaOfVariable, type Variable, type VariableMeta } from './variable-meta';

/** Whether a version can be sent. */
export const isApproved = (version: Template): boolean => passesFilters(version, { status: 'approved' });

/** Returns the versions on a channel. A service may leave out the channel of a version, or ignore the filter. */
export const onChannel = (versions: readonly Template[], channel: string): Template[] =>
  versions.filter((each) => (each.channel ?? channel) === channel).map((each) => ({ ...each, channel }));

/** Returns each version once, in an order that doesn't depend on the order of the list. */
export const inOrder = (versions: readonly Template[]): Template[] => {
  const byKey = new Map(
    versions.map((each) => [JSON.stringify([each.language ?? '', each.body ?? '', each.variables ?? []]), each]),
  );
  return [...byKey].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, each]) => each);
};

const compareNames = (one: Template | undefined, other: Template | undefined): number =>
  (one?.name ?? '').localeCompare(other?.name ?? '', 'en');

/** Returns the versions of each template, in the order of their names. */
export const groupVersions = (versions: readonly Template[]): Template[][] => {
  const groups = Map.groupBy(versions, ({ name, channel }) => JSON.stringify([name, channel ?? null]));
  return [...groups.values()].map(inOrder).toSorted(([one], [other]) => compareNames(one, other));
};

/** Returns the languages of the versions, each once. A service may leave out the language. */
export const languagesOf = (versions: readonly Template[]): string[] => [
  ...new Set(versions.flatMap(({ language }) => toOneLine(language ?? '') || [])),
];

/** Whether a version has variables that it doesn't list. Without its text, nothing shows that it has none. */
const hasUnlistedVariables = ({ body, variables }: Template): boolean => !variables && (body?.includes('{{') ?? true);

/** A variable of any version. */
export interface SharedVariable extends VariableMeta {
  name: string;
  example: string | undefined;
  /** What the versions call it. */
  labels: string[];
  /** The languages that have it. */
  languages: string[];
  /** Whether the versions want its value in different formats, so that it can't be converted for all of them. */
  isMixed: boolean;
}

/** The length of a field's label. */
const maxLabel = 64;

/** Adds a variable's name to its label when another variable has the same label. */
const tellApart = (variables: readonly SharedVariable[]): SharedVariable[] => {
  const byLabel = Map.groupBy(variables, ({ label }) => label);
  return variables.map((each) => {
    if (byLabel.get(each.label)?.length === 1) return each;
    const name = ` (${each.name})`;
    return { ...each, label: cut(each.label, Math.max(1, maxLabel - name.length)) + name };
  });
};

const shareVariable = (name: string, uses: (Variable & { version: Template })[]): SharedVariable => {
  const labels = [...new Set(uses.map(labelOfVariable))];
  const formats = new Set(uses.map((use) => metaOfVariable(use).format));
  const [format = 'text', other] = formats;
  return {
    name,
    label: labels.join(' / ').slice(0, maxLabel),
    labels,
    languages: languagesOf(uses.map(({ version }) => version)),
    example: uses.find(({ example }) => example)?.example ?? undefined,
    format: other === undefined ? format : 'text',
    required: uses.some((use) => metaOfVariable(use).required),
    isMixed: other !== undefined,
  };
};

/**
 * Returns the variables of all versions: each is required if one version requires it, and has a format if all agree on it.
 * Undefined when a version doesn't list its variables.
 */
export const sharedVariables = (versions: readonly Template[]): SharedVariable[] | undefined => {
  if (versions.some(hasUnlistedVariables)) return undefined;
  const uses = versions.flatMap((version) => (version.variables ?? []).map((variable) => ({ ...variable, version })));
  return tellApart([...Map.groupBy(uses, ({ name }) => name)].map(([name, each]) => shareVariable(name, each)));
};

/** The number of characters of a text that are read. Services allow less. */
const maxText = 5_000;

/** Returns the text of a version as one line, with labels in place of variables. */
export const templateText = ({ body, variables }: Template, shared: readonly SharedVariable[] = []): string => {
  const own = (variables ?? []).map((each) => [each.name, labelOfVariable(each)] as const);
  const labels = new Map([...own, ...shared.map(({ name, label }) => [name, label] as const)]);
  return (body ?? '')
    .slice(0, maxText)
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .replace(/\{\{([^{}]+)\}\}/g, (_, name: string) => `[${labels.get(name.trim()) ?? name.trim()}]`);
};

/** Returns the start of a text, with an ellipsis if it's longer than `max` characters. */
export const cut = (text: string, max: number): string => {
  const characters = [...text.slice(0, 2 * max + 2)];
  return characters.length > max ? `${characters.slice(0, max - 1).join('')}…` : text;
};

/** The number of characters of all texts in the label of a template. */
const maxLabelTexts = 120;

/** Returns what a person chooses a template by: its name, its languages, and how its texts begin. */
export const labelOfTemplate = (versions: readonly Template[]): string => {
  const [first] = versions;
  const languages = languagesOf(versions).join(', ');
  const texts = [...new Set(versions.map((each) => toOneLine(templateText(each))).filter(Boolean))];
  const shown = texts.map((text) => cut(text, Math.max(12, Math.floor(maxLabelTexts / texts.length))));
  const name = `${first?.name ?? ''}${languages && ` (${languages})`}`;
  return shown.length > 0 ? `${name}: ${shown.join(' / ')}` : name;
};

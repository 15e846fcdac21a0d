/**
 * A template, its versions and its variables. A template is a name on a channel, in one language or several, and the service
 * chooses the language for each contact.
 */
import type { ZObject } from 'zapier-platform-core';
import * as zod from 'zod/mini';
import { endpoints, exists } from '../api/endpoints';
import { passesFilters } from '../api/filters';
import { toLabel } from '../api/labels';
import type { Template } from '../api/resources';
import { toOneLine } from '../formats/text';
import { call } from '../http/client';
import { readPages } from '../http/read-pages';
import { halt, quote } from '../platform/errors';

/** What identifies a template for a person. The service chooses the language. */
export interface TemplateKey {
  name: string;
  channel: string;
}

const templateMeta = zod.object({ template: zod.string(), channel: zod.string() });

/** Returns what a form keeps about the template of a field. Zapier passes it to the step with the field. */
export const metaOfTemplate = ({ name, channel }: TemplateKey): zod.output<typeof templateMeta> => ({
  template: name,
  channel,
});

/** Whether any field of a form is for a template. Forms for a template that is mapped aren't. */
export const isOfTemplate = (fields: Record<string, unknown> = {}): boolean =>
  Object.values(fields).some((meta) => templateMeta.safeParse(meta).success);

/** Whether any field of a form is for another template than `key`, or for another channel. */
export const isOfAnotherTemplate = (fields: Record<string, unknown> = {}, key: TemplateKey | undefined): boolean =>
  Object.values(fields).some((meta) => {
    const { data } = templateMeta.safeParse(meta);
    return data !== undefined && (data.template !== key?.name || data.channel !== key.channel);
  });

export type Variable = NonNullable<Template['variables']>[number];

/** The prefix in the key of each variable's field. */
export const variablePrefix = 'variable_';

/** A variable's details in a form. Zapier passes them to the step with the field, which saves a request. */
export const variableMeta = zod.object({ format: zod.string(), label: zod.string(), required: zod.boolean() });
export type VariableMeta = zod.output<typeof variableMeta>;

/** Returns the label of a variable. Some templates number their variables instead of naming them. */
export const labelOfVariable = ({ name, label }: Variable): string =>
  (label || (/^\d+$/.test(name) ? `Variable ${name}` : toLabel(name))).slice(0, 64);

/** Returns the details that the form keeps about a variable. */
export const metaOfVariable = (variable: Variable): VariableMeta => ({
  format: variable.format ?? 'text',
  label: labelOfVariable(variable),
  required: variable.required ?? false,
});

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
const withDistinctLabels = (variables: readonly SharedVariable[]): SharedVariable[] => {
  const byLabel = Map.groupBy(variables, ({ label }) => label);
  return variables.map((each) => {
    if (byLabel.get(each.label)?.length === 1) return each;
    const name = ` (${each.name})`;
    return { ...each, label: toOneLine(each.label, Math.max(1, maxLabel - name.length)) + name };
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
  return withDistinctLabels(
    [...Map.groupBy(uses, ({ name }) => name)].map(([name, each]) => shareVariable(name, each)),
  );
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

/** The number of characters of all texts in the label of a template. */
const maxLabelTexts = 120;

/** Returns what a person chooses a template by: its name, its languages, and how its texts begin. */
export const labelOfTemplate = (versions: readonly Template[]): string => {
  const [first] = versions;
  const languages = languagesOf(versions).join(', ');
  const texts = [...new Set(versions.map((each) => toOneLine(templateText(each))).filter(Boolean))];
  const shown = texts.map((text) => toOneLine(text, Math.max(12, Math.floor(maxLabelTexts / texts.length))));
  const name = `${first?.name ?? ''}${languages && ` (${languages})`}`;
  return shown.length > 0 ? `${name}: ${shown.join(' / ')}` : name;
};

/** The number of pages to read. A service that ignores the filter lists all of its templates. */
const maxPages = 50;

/**
 * Returns every version of the template, also those that aren't approved; undefined when the service has no call for it.
 * `label` is what the form calls the field that the template comes from. Throws when not every version can be read, since
 * a message would then go out wrong.
 */
export const listVersions = async (z: ZObject, key: TemplateKey, label: string): Promise<Template[] | undefined> => {
  if (!exists('listTemplates')) return undefined;
  const { records, isComplete } = await readPages(
    (page) => call(z, endpoints.listTemplates, { query: { ...key, ...page }, labels: { name: label, channel: label } }),
    maxPages,
  );
  // A service may ignore the filters.
  if (isComplete) return onChannel(records, key.channel).filter(({ name }) => name === key.name);
  throw halt(
    `${label}: the messaging service lists too many templates to find every text of ${quote(key.name)}, so nothing was sent. Choose another ${label.toLowerCase()}.`,
  );
};

/**
 * Returns the versions of the template that can be sent, at least one; undefined when the service has no call for it.
 * Throws an error that names the field by its `label` when there is none, or when not every version can be read.
 */
export const readTemplate = async (z: ZObject, key: TemplateKey, label: string): Promise<Template[] | undefined> => {
  const versions = await listVersions(z, key, label);
  const approved = versions?.filter(isApproved);
  if (!approved || approved.length > 0) return approved && inOrder(approved);
  const [name, channel] = [quote(key.name), quote(key.channel)];
  const another = `so nothing was sent. Choose another ${label.toLowerCase()}`;
  if (versions?.length === 0) {
    throw halt(`${label}: the channel ${channel} has no template ${name} (capital letters count), ${another}.`);
  }
  throw halt(
    `${label}: the template ${name} isn't approved on the channel ${channel}, ${another}, or wait for the approval.`,
  );
};

/**
 * A template and its versions: what identifies it, how it's read and what a list calls it. A template is a name on a channel,
 * in one language or several, and the service chooses the language for each contact.
 */

import type { Bundle, ZObject } from 'zapier-platform-core';
import * as zod from 'zod/mini';
import { endpoints } from '../api/endpoints';
import { passesFilters } from '../api/filters';
import { exists } from '../api/missing';
import { type Template, template } from '../api/resources';
import { call } from '../call/call';
import { readList } from '../call/pages';
import { readChosen } from '../step/chosen';
import { halt, quote } from '../step/errors';
import { memory } from '../step/memory';
import { toOneLine } from '../text/fold';
import { bodyOf } from './variables';

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

const templatesOf = (fields: Record<string, unknown> = {}): zod.output<typeof templateMeta>[] =>
  Object.values(fields).flatMap((meta) => templateMeta.safeParse(meta).data ?? []);

/** Whether a form has fields of this template. Forms for a template that is mapped have none. */
export const isOfTemplate = (fields: Record<string, unknown> | undefined, key: TemplateKey | undefined): boolean =>
  templatesOf(fields).some(({ template, channel }) => template === key?.name && channel === key.channel);

/** Whether a form has fields of another template, or of this one on another channel. */
export const isOfAnotherTemplate = (
  fields: Record<string, unknown> | undefined,
  key: TemplateKey | undefined,
): boolean => templatesOf(fields).some(({ template, channel }) => template !== key?.name || channel !== key.channel);

/** Whether a version can be sent. */
export const isApproved = (version: Template): boolean => passesFilters(version, { status: 'approved' });

/** Returns the versions on a channel. A service may leave out the channel of a version, or ignore the filter. */
export const onChannel = (versions: readonly Template[], channel: string): Template[] =>
  versions.filter((each) => (each.channel ?? channel) === channel).map((each) => ({ ...each, channel }));

/** Returns each version once, in an order that doesn't depend on the order of the list. */
export const inOrder = (versions: readonly Template[]): Template[] => {
  const keyOf = ({ language, header, body, footer, buttons, variables }: Template): string =>
    JSON.stringify([language ?? '', body ?? '', variables ?? [], header ?? null, footer ?? '', buttons ?? []]);
  const byKey = new Map(versions.map((each) => [keyOf(each), each]));
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

/** Returns the categories of the versions, each once, such as "marketing". */
export const categoriesOf = (versions: readonly Template[]): string[] => [
  ...new Set(versions.flatMap(({ category }) => toOneLine(category ?? '', 40) || [])),
];

const maxLabelTexts = 120;

const headerNames = new Map([
  ['image', 'a picture'],
  ['video', 'a video'],
  ['document', 'a document'],
  ['location', 'a location'],
]);

/** Returns what a version shows above its text, such as "a document"; undefined for a text or nothing. */
export const shownAbove = ({ header }: Template): string | undefined => {
  const type = header?.type;
  return type && type !== 'text' ? (headerNames.get(type) ?? toOneLine(type, 40)) : undefined;
};

/** Returns what a person chooses a template by: its name, category, languages and file, and how its texts begin. */
export const labelOfTemplate = (versions: readonly Template[]): string => {
  const [first] = versions;
  const files = new Set(versions.flatMap((each) => shownAbove(each) ?? []));
  const details = [
    ...categoriesOf(versions),
    ...languagesOf(versions),
    ...[...files].map((file) => `with ${file}`),
  ].join(', ');
  const texts = [...new Set(versions.map((each) => toOneLine(bodyOf(each))).filter(Boolean))];
  const shown = texts.map((text) => toOneLine(text, Math.max(12, Math.floor(maxLabelTexts / texts.length))));
  const name = `${first?.name ?? ''}${details && ` (${details})`}`;
  return shown.length > 0 ? `${name}: ${shown.join(' / ')}` : name;
};

/** The number of pages to read. A service that ignores the filter lists all of its templates. */
const maxPages = 50;

/** What the form calls the field that a template comes from. Only beside Template is there a Channel. */
type Source = 'Template' | 'Campaign';

const listOnChannel = async (z: ZObject, key: TemplateKey, label: Source): Promise<Template[]> => {
  const { records, gaps } = await readList(
    (page) => call(z, endpoints.listTemplates, { query: { ...key, ...page }, labels: { name: label, channel: label } }),
    { keyOf: (version) => JSON.stringify(version), maxPages },
  );
  // A service may ignore the filters.
  if (gaps.length === 0) return onChannel(records, key.channel).filter(({ name }) => name === key.name);
  throw halt(
    `${label}: there are too many templates to read every language of ${quote(key.name)}, so nothing was sent. Choose another ${label.toLowerCase()}.`,
  );
};

const requireApproved = (versions: readonly Template[], key: TemplateKey, label: Source): Template[] => {
  const approved = versions.filter(isApproved);
  if (approved.length > 0) return inOrder(approved);
  const [name, channel] = [quote(key.name), quote(key.channel)];
  const another = `so nothing was sent. Choose another ${label.toLowerCase()}`;
  if (versions.length === 0) {
    throw halt(`${label}: the channel ${channel} has no template ${name} (capital letters count), ${another}.`);
  }
  throw halt(
    `${label}: the template ${name} isn't approved on the channel ${channel}, ${another}, or wait for the approval.`,
  );
};

/**
 * Returns every version of the template, also those that aren't approved; undefined when the service has no call for it. Each
 * has the key of the channel, whose name may be in the form. Throws when not every version can be read, since a message would
 * then go out wrong.
 */
export const listVersions = async (z: ZObject, key: TemplateKey, label: Source): Promise<Template[] | undefined> => {
  if (!exists('listTemplates')) return undefined;
  const versions = await listOnChannel(z, key, label);
  if (versions.length > 0 || label === 'Campaign') return versions;
  const { channel = key.channel } = await readChosen(z, { channel: key.channel });
  return channel === key.channel ? versions : listOnChannel(z, { ...key, channel }, label);
};

/** How long a template is remembered, in seconds. */
const ttl = 5 * 60;

const remembered = zod.array(template.schema).check(zod.minLength(1));

/**
 * Returns the versions of the template that can be sent, at least one; undefined when the service has no call for it.
 * Throws an error that names the field by its `label` when there is none, or when not every version can be read. Makes one
 * request, unless Zapier's cache has the template from the last five minutes. In a test of the editor, a person may just
 * have changed the template.
 */
export const readTemplate = async (
  z: ZObject,
  bundle: Bundle,
  key: TemplateKey,
  label: Source,
): Promise<Template[] | undefined> => {
  const { known, remember } = await memory(z, bundle, 'template', key.name, key.channel);
  const inCache = remembered.safeParse(known);
  if (inCache.success && !bundle.meta?.isLoadingSample) return inCache.data;
  const versions = await listVersions(z, key, label);
  const approved = versions && requireApproved(versions, key, label);
  if (approved) await remember(approved, ttl);
  return approved;
};

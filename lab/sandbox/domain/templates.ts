import * as z from 'zod/mini';
import { vocabulary } from '../../../src/api/resources';
import { ApiError, type FieldProblem, requireNone } from '../engine/api-error';
import type { WorkspaceContext } from '../store/context';
import { readDocument } from '../store/records';
import { type Attachment, fileNameOf } from './files';

type Format = (typeof vocabulary.variableFormat)[number];

const templateVariable = z.object({
  name: z.string(),
  format: z.enum(vocabulary.variableFormat),
  required: z.boolean(),
});

const templateDocument = z.object({
  language: z.nullish(z.string()),
  status: z.string(),
  header: z.nullish(z.object({ type: z.string(), text: z.nullish(z.string()) })),
  body: z.string(),
  buttons: z.nullish(z.array(z.object({ type: z.string(), text: z.string(), url: z.nullish(z.string()) }))),
  variables: z.nullish(z.array(templateVariable)),
});
type Document = z.output<typeof templateDocument>;
type Version = Document & { variables: z.output<typeof templateVariable>[] };

const named = /\{\{(\w+)\}\}/g;

/** Returns a template with every variable: those that it lists, and those that only its texts have. */
const withVariables = (document: Document): Version => {
  const listed = document.variables ?? [];
  const texts = [document.header?.text, document.body, ...(document.buttons ?? []).map(({ url }) => url)];
  const found = texts.flatMap((text) => [...(text ?? '').matchAll(named)].map(([, name = '']) => name));
  const unlisted = new Set(found.filter((name) => !listed.some((each) => each.name === name)));
  const added = [...unlisted].map((name) => ({ name, format: 'text' as const, required: true }));
  return { ...document, variables: [...listed, ...added] };
};

const webAddress = z.string().check(z.refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)));

const fileAddress = z.string().check(z.refine((text) => URL.canParse(text) && new URL(text).protocol === 'https:'));

const formats: Record<Format, { schema: z.ZodMiniType; message: string }> = {
  text: { schema: z.string().check(z.maxLength(1024)), message: 'must be at most 1024 characters' },
  time: { schema: z.iso.time({ precision: -1 }), message: 'must be a time of day such as 14:30' },
  date: { schema: z.iso.date(), message: 'must be a date such as 2026-06-11' },
  number: { schema: z.string().check(z.regex(/^-?\d+(\.\d+)?$/)), message: 'must be a number such as 12.50' },
  url: { schema: webAddress, message: 'must be a web address such as https://example.com' },
  image: { schema: fileAddress, message: 'must be the https address of an image' },
  video: { schema: fileAddress, message: 'must be the https address of a video' },
  document: { schema: fileAddress, message: 'must be the https address of a document' },
};

const isGiven = (value: string | undefined): value is string => value !== undefined && value !== '';

/** A variable of another language may be there too, since a send doesn't say which language it's for. */
const invalidVariables = (
  chosen: Version,
  versions: readonly Version[],
  values: Record<string, string>,
): FieldProblem[] => {
  const known = new Set(versions.flatMap(({ variables }) => variables.map(({ name }) => name)));
  const unknown = Object.keys(values).filter((name) => !known.has(name));
  return [
    ...unknown.map((name) => ({ field: `variables.${name}`, message: 'is not a variable of this template' })),
    ...chosen.variables.flatMap(({ name, format }) => {
      const value = values[name];
      return !isGiven(value) || formats[format].schema.safeParse(value).success
        ? []
        : [{ field: `variables.${name}`, message: formats[format].message }];
    }),
  ];
};

/** Replaces each placeholder once. Braces in a value stay as they are. */
const fillTemplate = (body: string, values: Record<string, string>): string =>
  body.replace(named, (_, name: string) => values[name] ?? '');

/** Which template, for a contact with this language if it's known. */
interface Wanted {
  channel: string;
  template: string;
  language?: string | null | undefined;
}

/** Returns the text of a message: the header's, if that is a text, and the body's. */
const textOf = ({ header, body }: Version, values: Record<string, string>): string =>
  [header?.text, body].flatMap((text) => (text ? [fillTemplate(text, values)] : [])).join('\n');

/** What a header may show besides a text. */
const files = ['image', 'video', 'document'];

/** Returns the file that the header shows, if it has one: the value of the variable of its kind. */
const attachmentsOf = ({ header, variables }: Version, values: Record<string, string>): Attachment[] =>
  variables
    .filter(({ format }) => files.includes(format) && format === header?.type)
    .flatMap(({ name }) => values[name] || [])
    .slice(0, 1)
    .map((url) => ({ type: header?.type ?? '', name: fileNameOf(url), url }));

/** Returns the ID of a template in a language. */
export const templateId = (channel: string, name: string, language: string): string => `${channel}/${name}/${language}`;

const versionRow = z.object({ document: z.string() });

const versionsOf = (context: WorkspaceContext, { channel, template }: Wanted): Version[] => {
  const rows = context.database.all(
    versionRow,
    // By the index of IDs, since a large shop has thousands of templates.
    `SELECT document FROM records WHERE kind = 'template' AND workspace = ?
      AND id BETWEEN ? AND ? AND document ->> 'name' = ? AND document ->> 'channel' = ? ORDER BY seq`,
    context.workspaceId,
    templateId(channel, template, ''),
    templateId(channel, template, '\u{10ffff}'),
    template,
    channel,
  );
  return rows.map(({ document }) => withVariables(templateDocument.parse(JSON.parse(document))));
};

const approvedVersions = (context: WorkspaceContext, wanted: Wanted): Version[] => {
  const { channel, template } = wanted;
  const versions = versionsOf(context, wanted);
  if (versions.length === 0) {
    const message = `There is no template "${template}" on the channel ${channel}.`;
    throw new ApiError('template_not_found', message, { field: 'template' });
  }
  const approved = versions.filter(({ status }) => status === 'approved');
  if (approved.length > 0) return approved;
  throw new ApiError('template_not_approved', `The template "${template}" is not approved.`, { field: 'template' });
};

/** Returns the texts of a template's quick replies, in every language. */
export const quickRepliesOf = (context: WorkspaceContext, wanted: Wanted): string[] =>
  versionsOf(context, wanted)
    .flatMap(({ buttons }) => buttons ?? [])
    .filter(({ type }) => type === 'quick_reply')
    .map(({ text }) => text);

const withLanguage = z.object({ language: z.nullish(z.string()) });

/** Whether a version is for a language, such as `pt` for `pt-BR`. */
const isIn = (version: Version, language: string | null | undefined): boolean => {
  const [own, wanted] = [version.language, language].map((each) => each?.toLowerCase().split(/[-_]/)[0]);
  return own !== undefined && own === wanted;
};

/** Returns the version in the contact's language, else in the workspace's, else the only one; undefined if it's another. */
const findVersion = (context: WorkspaceContext, wanted: Wanted, versions: readonly Version[]): Version | undefined => {
  const workspace = readDocument(context, 'workspace', context.workspaceId, withLanguage);
  const [only, ...others] = versions;
  const found = [wanted.language, workspace.language].flatMap((language) => [
    ...versions.filter((each) => each.language === language),
    ...versions.filter((each) => isIn(each, language)),
  ]);
  return found[0] ?? (others.length === 0 ? only : undefined);
};

const chooseVersion = (context: WorkspaceContext, wanted: Wanted, versions: readonly Version[]): Version => {
  const chosen = findVersion(context, wanted, versions);
  if (chosen) return chosen;
  const message = `The template "${wanted.template}" has no version in the language of the contact or of the workspace.`;
  throw new ApiError('template_not_found', message, { field: 'template' });
};

/** What a message of a template has. */
interface Rendered {
  text: string;
  attachments: Attachment[];
  /** By name. */
  variables: Record<string, string>;
}

const render = (version: Version, variables: Record<string, string>): Rendered => ({
  text: textOf(version, variables),
  attachments: attachmentsOf(version, variables),
  variables,
});

type Filled = Wanted & { variables: Record<string, string> };

/**
 * Returns what a message of a template has, in the version for a contact: the text and the file of the header, with the
 * variables filled in. Throws a 422 when the channel has no such template, when no version of it is approved or for the
 * contact, and when variables are missing, unknown or invalid.
 */
export const renderTemplate = (context: WorkspaceContext, { variables, ...wanted }: Filled): Rendered => {
  const versions = approvedVersions(context, wanted);
  const chosen = chooseVersion(context, wanted, versions);
  const missing = chosen.variables.filter(({ name, required }) => required && !isGiven(variables[name]));
  requireNone(
    missing.map(({ name }) => ({ field: `variables.${name}`, message: 'is required by the template' })),
    'template_variables_missing',
  );
  requireNone(invalidVariables(chosen, versions, variables));
  return render(chosen, variables);
};

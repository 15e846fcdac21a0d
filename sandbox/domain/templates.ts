import * as z from 'zod/mini';
import { vocabulary } from '../../src/api/resources';
import { ApiError, type FieldProblem, requireNone } from '../engine/api-error';
import type { WorkspaceContext } from '../store/context';
import { findDocument } from '../store/records';

type Format = (typeof vocabulary.variableFormat)[number];

const templateVariable = z.object({
  name: z.string(),
  format: z.enum(vocabulary.variableFormat),
  required: z.boolean(),
});
type TemplateVariable = z.output<typeof templateVariable>;

const templateDocument = z.object({
  channel: z.string(),
  status: z.string(),
  body: z.string(),
  variables: z.array(templateVariable),
});

const webAddress = z.string().check(z.refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)));

const formats: Record<Format, { schema: z.ZodMiniType; message: string }> = {
  text: { schema: z.string().check(z.maxLength(1024)), message: 'must be at most 1024 characters' },
  time: { schema: z.iso.time({ precision: -1 }), message: 'must be a time of day such as 14:30' },
  date: { schema: z.iso.date(), message: 'must be a date such as 2026-06-11' },
  number: { schema: z.string().check(z.regex(/^-?\d+(\.\d+)?$/)), message: 'must be a number such as 12.50' },
  url: { schema: webAddress, message: 'must be a web address such as https://example.com' },
};

const isGiven = (value: string | undefined): value is string => value !== undefined && value !== '';

const invalidVariables = (known: TemplateVariable[], values: Record<string, string>): FieldProblem[] => [
  ...Object.keys(values)
    .filter((name) => known.every((variable) => variable.name !== name))
    .map((name) => ({ field: `variables.${name}`, message: 'is not a variable of this template' })),
  ...known.flatMap(({ name, format }) => {
    const value = values[name];
    return !isGiven(value) || formats[format].schema.safeParse(value).success
      ? []
      : [{ field: `variables.${name}`, message: formats[format].message }];
  }),
];

/** Replaces each placeholder once. Braces in a value stay as they are. */
const fillTemplate = (body: string, values: Record<string, string>): string =>
  body.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');

/**
 * Returns the text of a template with the variables filled in. Throws a 422 when the channel has no such template, when
 * it isn't approved, and when variables are missing, unknown or invalid.
 */
export const renderTemplate = (
  context: WorkspaceContext,
  { channel, template, variables }: { channel: string; template: string; variables: Record<string, string> },
): string => {
  const found = findDocument(context, 'template', template, templateDocument);
  if (found?.channel !== channel) {
    const message = `There is no template "${template}" on the channel ${channel}.`;
    throw new ApiError('template_not_found', message, { field: 'template' });
  }
  if (found.status !== 'approved') {
    throw new ApiError('template_not_approved', `The template "${template}" is not approved.`, { field: 'template' });
  }
  const missing = found.variables.filter(({ name, required }) => required && !isGiven(variables[name]));
  requireNone(
    missing.map(({ name }) => ({ field: `variables.${name}`, message: 'is required by the template' })),
    'template_variables_missing',
  );
  requireNone(invalidVariables(found.variables, variables));
  return fillTemplate(found.body, variables);
};

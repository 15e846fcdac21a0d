/** A message as a phone shows it: what a template has around its text too. */
import * as z from 'zod/mini';
import type { Message, Template } from '../../../src/api/resources';
import { type DescribedVariable, labelOfVariable } from '../../../src/message/variables';

/** A variable of a text, with the value as the service gets it. */
interface FilledVariable {
  label: string;
  value: string;
  /** Why the step would refuse the value. */
  problem?: string | undefined;
}

/** A part of a text. */
export type TextPart = string | FilledVariable;

/** A button below a message. */
export interface MessageButton {
  type: string;
  text: string;
  /** Where a link leads. */
  url: TextPart[];
}

/** The message in one language. */
export interface WholeMessage {
  language: string;
  /** A text, or the address of a picture, a video or a document. */
  header: { type: string; parts: TextPart[] } | undefined;
  body: TextPart[];
  footer: string;
  buttons: MessageButton[];
}

/** Returns what a variable has. */
export type ReadValue = (variable: DescribedVariable) => Pick<FilledVariable, 'value' | 'problem'>;

/** Fills in a template. */
export const fillTemplate = (template: Template, readValue: ReadValue): WholeMessage => {
  const { language, header, body, footer, buttons, variables } = template;
  const known = new Map(variables?.map((variable) => [variable.name, variable]));
  const fill = (name: string): FilledVariable => {
    const variable = known.get(name) ?? { name };
    return { label: labelOfVariable(variable), ...readValue(variable) };
  };
  const fillText = (text: string): TextPart[] =>
    text.split(/\{\{([^{}]{1,100})\}\}/).map((part, index) => (index % 2 === 0 ? part : fill(part.trim())));
  // The file of a header is a variable that is in no text.
  const file = header?.type === 'text' ? undefined : variables?.find(({ format }) => format === header?.type);
  return {
    language: language ?? '',
    header: header
      ? { type: header.type ?? 'text', parts: file ? [fill(file.name)] : fillText(header.text ?? '') }
      : undefined,
    body: fillText(body ?? ''),
    footer: footer ?? '',
    buttons: (buttons ?? []).map(({ type, text, url }) => ({
      type: type ?? '',
      text: text ?? '',
      url: fillText(url ?? ''),
    })),
  };
};

/** A text as the customer reads it. */
export const readParts = (parts: readonly TextPart[]): string =>
  parts.map((part) => (typeof part === 'string' ? part : part.value)).join('');

/** The text of a message as the service has it: that of its header above that of its body. */
const textOf = ({ header, body }: WholeMessage): string =>
  [header?.type === 'text' ? readParts(header.parts) : '', readParts(body)].filter(Boolean).join('\n');

/** Every version of the template that a message or a step names. */
export const templatesOf = (
  { template, channel }: { template?: unknown; channel?: unknown },
  templates: readonly Template[],
): Template[] => templates.filter((each) => each.name === template && each.channel === channel);

/** The footer of a message, which any version of its template has. */
export const signatureOf = (message: Message, templates: readonly Template[]): string | undefined =>
  templatesOf(message, templates).find(({ footer }) => footer)?.footer ?? undefined;

/** A message that was sent, in the version of its template that has its text. Undefined when no template has it. */
export const wholeMessageOf = (message: Message, templates: readonly Template[]): WholeMessage | undefined => {
  const { text, variables } = message;
  const values = z.catch(z.record(z.string(), z.string()), {}).parse(variables ?? {});
  return templatesOf(message, templates)
    .map((each) => fillTemplate(each, ({ name }) => ({ value: values[name] ?? '' })))
    .find((each) => textOf(each) === text);
};

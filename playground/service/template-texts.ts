import type { Template } from '../../src/api/resources';
import { labelOfVariable, type Variable } from '../../src/forms/variable-meta';
import type { Service } from './service';

const maxLength = 300;

/** A part of a template's text: text, or a variable. */
export type TemplatePart = string | Variable;

/** Splits the text of a template at its variables. */
export const splitText = ({ body, variables }: Template): TemplatePart[] => {
  const known = new Map(variables?.map((variable) => [variable.name, variable]));
  return (body ?? '').split(/\{\{([^{}]{1,100})\}\}/).map((part, index) => {
    if (index % 2 === 0) return part;
    const name = part.trim();
    return known.get(name) ?? { name };
  });
};

const textOf = (template: Template): string =>
  splitText({ ...template, body: template.body?.slice(0, maxLength) })
    .map((part) => (typeof part === 'string' ? part : `[${labelOfVariable(part)}]`))
    .join('');

/** The text of each template by its name, with the labels of its variables. Empty when the service doesn't list them. */
export const readTemplateTexts = async (service: Service): Promise<ReadonlyMap<string, string>> => {
  const templates = await service.listTemplates().catch(() => []);
  return new Map(templates.map((template) => [template.name, textOf(template)]));
};

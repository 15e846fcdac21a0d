import type { Template } from '../../src/api/resources';
import { labelOfVariable } from '../../src/forms/variable-meta';
import type { Service } from './service';

const maxLength = 300;

const textOf = ({ body, variables }: Template): string => {
  const labels = new Map(variables?.map((variable) => [variable.name, labelOfVariable(variable)]));
  return (body ?? '')
    .slice(0, maxLength)
    .replace(/\{\{([^{}]{1,100})\}\}/g, (_, name: string) => `[${labels.get(name.trim()) ?? name.trim()}]`);
};

/** The text of each template by its name, with the labels of its variables. Empty when the service doesn't list them. */
export const readTemplateTexts = async (service: Service): Promise<ReadonlyMap<string, string>> => {
  const templates = await service.listTemplates().catch(() => []);
  return new Map(templates.map((template) => [template.name, textOf(template)]));
};

import { type BodyOf, endpoints } from '../../src/api/endpoints';
import { type Template, template } from '../../src/api/resources';
import { fromWire } from '../../src/api/wire';
import type { Answer } from '../service';
import { NotChecked } from './check';

type Variable = NonNullable<Template['variables']>[number];

const usualValues = new Map([
  ['time', '14:30'],
  ['date', '2026-06-12'],
  ['number', '1'],
  ['url', 'https://example.com'],
]);

const valueFor = ({ example, format }: Variable): string => example || (usualValues.get(format ?? '') ?? 'Test');

const { answer: schema } = endpoints.listTemplates;

/** A message to the number, by the first template of the list that is approved, filled in with its own examples. */
export const composeMessage = (templates: Answer, to: string): BodyOf<'sendMessage'> => {
  const listed = schema.safeParse(fromWire(schema, templates.body)).data?.data ?? [];
  const chosen = listed.find(({ status }) => !status || status === template.sample.status);
  if (!chosen?.channel) throw new NotChecked('the workspace has no approved template to send');
  const variables = (chosen.variables ?? []).map((variable) => [variable.name, valueFor(variable)]);
  return { channel: chosen.channel, to, template: chosen.name, variables: Object.fromEntries(variables) };
};

import type { Template } from '../../src/api/resources';
import { parsePhoneNumber } from '../../src/formats/phone-number';
import { foldCase } from '../../src/formats/text';
import { convertVariable } from '../../src/forms/convert-variable';
import { inOrder, isApproved, sharedVariables } from '../../src/forms/template-versions';
import {
  labelOfVariable,
  metaOfVariable,
  type Variable,
  type VariableMeta,
  variableMeta,
  variablePrefix,
} from '../../src/forms/variable-meta';
import type { Field, FieldValue } from '../../zapier/fields/form';
import type { Entered } from '../../zapier/fields/values';
import type { Step } from '../../zapier/kinds';
import { kindOf } from '../../zapier/kinds';
import { exampleOf, operationOf } from '../../zapier/zap/steps';
import type { Zap } from '../../zapier/zap/zap';
import type { Parts } from './assemble';
import { subjectOf } from './subject';
import { definition } from './zapier';

/** A part of the text, or what a variable would have in it. */
export type MessagePart = string | { label: string; value: string };

/** The text in one language. */
export interface MessageText {
  language: string;
  parts: MessagePart[];
}

/** The message that a step would send. */
export interface MessagePreview {
  /** Empty when nobody with the number is known. */
  name: string;
  phone: string;
  channel: string;
  /** The name of the template. */
  template: string;
  /** The texts of the template on the channel, of which the service chooses one. None when the channel has no such template. */
  texts: MessageText[];
  /** Whether the step waits for a reply. */
  waits: boolean;
}

/** The steps that send a message, by whether they wait for a reply. */
const waitsByOperation = new Map([
  ['creates.send_message', false],
  ['creates.send_message_and_wait', true],
]);

const { timeZone } = Intl.DateTimeFormat().resolvedOptions();

const textOf = (value: FieldValue | undefined): string => (typeof value === 'string' ? value.trim() : '');

/** What a form has for a variable, in its own field or in the one for all variables. */
const findValue = (filled: Entered, { name }: Variable, label: string): string => {
  const { variables = {} } = filled;
  const own = textOf(filled[variablePrefix + name]);
  if (own !== '' || typeof variables === 'string') return own;
  const names = [name, label].map(foldCase);
  return Object.entries(variables).find(([given]) => names.includes(foldCase(given)))?.[1] ?? '';
};

/** The value as the service gets it, or as it is when the step would refuse it. */
const convert = (value: string, meta: VariableMeta): string => {
  try {
    return value && convertVariable(value, meta, timeZone);
  } catch {
    return value;
  }
};

/** Splits the text of a template at its variables. */
const splitText = ({ body, variables }: Template): (string | Variable)[] => {
  const known = new Map(variables?.map((variable) => [variable.name, variable]));
  return (body ?? '').split(/\{\{([^{}]{1,100})\}\}/).map((part, index) => {
    if (index % 2 === 0) return part;
    const name = part.trim();
    return known.get(name) ?? { name };
  });
};

const fillTemplate = (template: Template, filled: Entered): MessagePart[] =>
  splitText(template).map((part) => {
    if (typeof part === 'string') return part;
    const label = labelOfVariable(part);
    return { label, value: convert(findValue(filled, part, label), metaOfVariable(part)) };
  });

/** The text of each language, with the variables as the form has them for all languages together. */
const fillVersions = (versions: readonly Template[], filled: Entered): MessageText[] => {
  const shared = sharedVariables(versions);
  return inOrder(versions).map((each) => ({
    language: each.language ?? '',
    parts: fillTemplate({ ...each, variables: shared?.map((variable) => ({ ...variable })) ?? each.variables }, filled),
  }));
};

/** The phone number as the service gets it, or the text when the step would refuse it. */
const convertPhone = ({ connection }: Parts, text: string, filled: Entered): Promise<string> =>
  parsePhoneNumber('', text, textOf(filled.default_country) || connection.authData.default_country).catch(() => text);

const phoneFields = ['to', 'phone'];

const convertField = async (parts: Parts, { key, meta }: Field, text: string, filled: Entered): Promise<string> => {
  if (phoneFields.includes(key)) return convertPhone(parts, text, filled);
  const { data } = variableMeta.safeParse(meta);
  return data ? convert(text, data) : text;
};

/** What the fields of a step that map data would have, by field and as the service gets them. The step may not be saved yet. */
export const previewFields = async (
  parts: Parts,
  zap: Zap,
  index: number,
  step = zap.steps[index],
): Promise<Record<string, string>> => {
  const previews = parts.editor.preview(zap, index, step);
  if (!step) return previews;
  const filled = parts.editor.fillIn(zap, index, step);
  for (const field of kindOf(step).fields(step)) {
    const text = previews[field.key];
    if (text) previews[field.key] = await convertField(parts, field, text, filled);
  }
  return previews;
};

/** The name of the customer with this number, from the chats or from the data of the steps before. */
const findName = ({ chats }: Parts, steps: readonly Step[], phone: string): string => {
  const chat = chats.list().find((each) => each.phone === phone && each.name !== '');
  const subjects = steps.map((step) => subjectOf(exampleOf(definition, step)));
  return chat?.name ?? subjects.find((each) => each.phone === phone)?.name ?? '';
};

/** The message that a step would send with the data of the steps before. Undefined when it sends none. The step may not be saved yet. */
export const previewMessage = async (
  parts: Parts,
  zap: Zap,
  index: number,
  step = zap.steps[index],
): Promise<MessagePreview | undefined> => {
  const waits = step && waitsByOperation.get(operationOf(step));
  if (!step || waits === undefined) return undefined;
  const filled = parts.editor.fillIn(zap, index, step);
  const [to, channel, template] = [textOf(filled.to), textOf(filled.channel), textOf(filled.template)];
  const templates = template === '' ? [] : await parts.service.listTemplates().catch(() => []);
  const versions = templates.filter((each) => each.name === template && each.channel === channel && isApproved(each));
  const phone = await convertPhone(parts, to, filled);
  return {
    name: findName(parts, zap.steps.slice(0, index), phone),
    phone,
    channel,
    template,
    texts: fillVersions(versions, filled),
    waits,
  };
};

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
import { sentenceOf } from '../../zapier/core/failure';
import { findStepProblems } from '../../zapier/editor/problems';
import type { Rehearsal } from '../../zapier/editor/rehearsal';
import { type Field, type FieldValue, isEmpty } from '../../zapier/fields/form';
import { type Entered, mapEntries, type Problems } from '../../zapier/fields/values';
import type { Step } from '../../zapier/kinds';
import { kindOf } from '../../zapier/kinds';
import { exampleOf, operationOf } from '../../zapier/zap/steps';
import type { Zap } from '../../zapier/zap/zap';
import type { Parts } from './assemble';
import { subjectOf } from './subject';
import { type WrittenNumber, writeNumber } from './written-number';
import { definition } from './zapier';

/** A variable of a text, with the value as the service gets it. */
export interface FilledVariable {
  label: string;
  value: string;
  /** Why the step would refuse the value. */
  problem: string | undefined;
}

/** A part of the text. */
export type MessagePart = string | FilledVariable;

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
  /** Whether a run with the data of the steps before would send it. */
  isSent: boolean;
  /** Why nothing would be sent. Undefined while something is left to fill in. */
  problem: string | undefined;
}

/** What a field would have in a run with the data of the steps before. */
export interface FieldPreview {
  /** As the service gets it. Undefined when the field maps nothing. */
  text?: string | undefined;
  /** The phone number that the field is read as. */
  number?: WrittenNumber | undefined;
  /** Why a run would refuse it. */
  problem?: string | undefined;
}

/** What a step would do with the data of the steps before. */
export interface StepPreview {
  /** By the key of the field. */
  fields: Record<string, FieldPreview>;
  /** Undefined when the step sends no message. */
  message: MessagePreview | undefined;
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

/** What a value becomes. */
interface Converted {
  /** As the service gets it, or as it is when the step would refuse it. */
  value: string;
  problem?: string | undefined;
}

const convert = (value: string, meta: VariableMeta): Converted => {
  try {
    return { value: value && convertVariable(value, meta, timeZone) };
  } catch (error) {
    return { value, problem: sentenceOf(error) };
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

const fillTemplate = (template: Template, filled: Entered, refused: Problems): MessagePart[] =>
  splitText(template).map((part) => {
    if (typeof part === 'string') return part;
    const label = labelOfVariable(part);
    const { value, problem } = convert(findValue(filled, part, label), metaOfVariable(part));
    return { label, value, problem: problem ?? refused[variablePrefix + part.name] };
  });

/** The text of each language, with the variables as the form has them for all languages together. */
const fillVersions = (versions: readonly Template[], filled: Entered, refused: Problems): MessageText[] => {
  const shared = sharedVariables(versions);
  return inOrder(versions).map((each) => ({
    language: each.language ?? '',
    parts: fillTemplate(
      { ...each, variables: shared?.map((variable) => ({ ...variable })) ?? each.variables },
      filled,
      refused,
    ),
  }));
};

const convertPhone = ({ connection }: Parts, label: string, text: string, filled: Entered): Promise<Converted> =>
  parsePhoneNumber(label, text, textOf(filled.default_country) || connection.authData.default_country).then(
    (value) => ({ value }),
    (error) => ({ value: text, problem: sentenceOf(error) }),
  );

const phoneFields = ['to', 'phone'];

/** A value of a field as the service gets it, or as it is when the step would refuse it. */
export const asSent = ({ meta }: Field, text: string): string => {
  const { data } = variableMeta.safeParse(meta);
  return data ? convert(text, data).value : text;
};

const convertField = async (
  parts: Parts,
  { key, label, meta }: Field,
  text: string,
  filled: Entered,
): Promise<Converted> => {
  if (text.trim() === '') return { value: text };
  if (phoneFields.includes(key)) return convertPhone(parts, label, text, filled);
  const { data } = variableMeta.safeParse(meta);
  return data ? convert(text, data) : { value: text };
};

/** What the fields of a step would have, as far as they map data, hold a phone number or have a problem. */
const previewFields = async (
  parts: Parts,
  zap: Zap,
  index: number,
  step: Step,
  refused: Problems,
): Promise<StepPreview['fields']> => {
  const [mapped, filled] = [parts.editor.preview(zap, index, step), parts.editor.fillIn(zap, index, step)];
  const fields: StepPreview['fields'] = mapEntries(mapped, (text) => ({ text }));
  for (const field of kindOf(step).fields(step)) {
    const { key } = field;
    const { value, problem } = await convertField(parts, field, textOf(filled[key]), filled);
    const isConverted = value !== textOf(filled[key]);
    const text = mapped[key] !== undefined && isConverted ? value : mapped[key];
    const number = phoneFields.includes(key) ? writeNumber(value) : undefined;
    const shown = { text, number, problem: problem ?? refused[key] };
    if (Object.values(shown).some((each) => each !== undefined)) fields[key] = shown;
  }
  return fields;
};

/** The name of the customer with this number, from the chats or from the data of the steps before. */
const findName = ({ chats }: Parts, steps: readonly Step[], phone: string): string => {
  const chat = chats.list().find((each) => each.phone === phone && each.name !== '');
  const subjects = steps.map((step) => subjectOf(exampleOf(definition, step)));
  return chat?.name ?? subjects.find((each) => each.phone === phone)?.name ?? '';
};

/** Why a field that has a value keeps a step from running. What is empty is left to fill in. */
const findMistake = (step: Step, problems: Problems): string | undefined => {
  const entered = kindOf(step).entered(step);
  return Object.entries(problems).find(([key]) => !isEmpty(entered[key] ?? ''))?.[1];
};

const previewMessage = async (
  parts: Parts,
  zap: Zap,
  index: number,
  step: Step,
  { rehearsal, fields }: { rehearsal: Rehearsal | undefined; fields: StepPreview['fields'] },
): Promise<MessagePreview | undefined> => {
  const waits = waitsByOperation.get(operationOf(step));
  if (waits === undefined) return undefined;
  const filled = parts.editor.fillIn(zap, index, step);
  const [to, channel, template] = [textOf(filled.to), textOf(filled.channel), textOf(filled.template)];
  const templates = template === '' ? [] : await parts.service.listTemplates().catch(() => []);
  const versions = templates.filter((each) => each.name === template && each.channel === channel && isApproved(each));
  const { value: phone } = await convertPhone(parts, '', to, filled);
  const problems = findStepProblems(definition, step, zap.steps.slice(0, index));
  const [refused] = Object.values(fields).flatMap(({ problem }) => problem ?? []);
  return {
    name: findName(parts, zap.steps.slice(0, index), phone),
    phone,
    channel,
    template,
    texts: fillVersions(versions, filled, rehearsal?.problems ?? {}),
    waits,
    isSent: rehearsal !== undefined && rehearsal.failure === undefined,
    problem: rehearsal?.failure ?? refused ?? findMistake(step, problems),
  };
};

/** What a step would do with the data of the steps before. The step may not be saved yet. */
export const previewStep = async (
  parts: Parts,
  zap: Zap,
  index: number,
  step = zap.steps[index],
): Promise<StepPreview> => {
  if (!step) return { fields: {}, message: undefined };
  const rehearsal = await parts.editor.rehearse(zap, index, step, true);
  const fields = await previewFields(parts, zap, index, step, rehearsal?.problems ?? {});
  return { fields, message: await previewMessage(parts, zap, index, step, { rehearsal, fields }) };
};

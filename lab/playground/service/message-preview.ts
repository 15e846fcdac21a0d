import * as z from 'zod/mini';
import { nameOfCountry } from '../../../src/message/country';
import { parsePhoneNumber } from '../../../src/message/phone';
import { testRecipientField } from '../../../src/message/recipient';
import { inOrder, isApproved } from '../../../src/message/template';
import { convertVariable } from '../../../src/message/variable-values';
import { labelOfVariable, variableMeta, variablePrefix } from '../../../src/message/variables';
import { foldCase } from '../../../src/text/fold';
import { sentenceOf } from '../../zapier/core/failure';
import { findStepProblems } from '../../zapier/editor/problems';
import type { Rehearsal } from '../../zapier/editor/rehearsal';
import { type Field, type FieldValue, isEmpty } from '../../zapier/fields/form';
import { type Entered, mapEntries, type Problems } from '../../zapier/fields/values';
import { kindOf, type Step } from '../../zapier/kinds';
import { exampleOf, operationOf } from '../../zapier/zap/steps';
import type { Zap } from '../../zapier/zap/zap';
import type { Parts } from './assemble';
import { messagesIn } from './sent-messages';
import { subjectOf } from './subject';
import { fillTemplate, type ReadValue, templatesOf, type WholeMessage } from './whole-message';
import { type WrittenNumber, writeNumber } from './written-number';
import { definition } from './zapier';

/** The message that a step would send. */
export interface MessagePreview {
  /** Empty when nobody with the number is known. */
  name: string;
  phone: string;
  /** The number that gets it in a test instead, or nothing. */
  tester: string;
  channel: string;
  /** The name of the template. */
  template: string;
  /** The template in each language, of which the service chooses one. None when the channel has no such template. */
  versions: WholeMessage[];
  /** The statuses of the template on the channel while none of its versions is approved, such as `paused`. */
  unapproved: string[];
  /** Whether WhatsApp itself wouldn't deliver it, unlike the sandbox. */
  isOnlyInSandbox: boolean;
  /** Whether the step waits for a reply. */
  waits: boolean;
  /** How many people get it in place of one, as far as that is known. */
  audience: number | undefined;
  /** Whether it was sent already for the same value, so that nothing new is sent. */
  isRepeat: boolean;
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
  ['creates.start_campaign', false],
]);

/** Whether the phone shows the message of a step while a person fills in its form. */
export const sendsMessage = (step: Step): boolean => waitsByOperation.has(operationOf(step));

const { timeZone } = Intl.DateTimeFormat().resolvedOptions();

const textOf = (value: FieldValue | undefined): string => (typeof value === 'string' ? value.trim() : '');

/** A value as the service gets it, or as it is when the step would refuse it. */
interface Converted {
  value: string;
  problem?: string | undefined;
}

const convert = (meta: unknown, value: string): Converted => {
  const variable = variableMeta.safeParse(meta).data;
  if (!variable || value === '') return { value };
  try {
    return { value: convertVariable(value, variable, timeZone) };
  } catch (error) {
    return { value, problem: sentenceOf(error) };
  }
};

/** A value of a field as the service gets it, or as it is when the step would refuse it. */
export const asSent = (field: Field, text: string): string => convert(field.meta, text).value;

const phoneFields = ['to', 'phone', testRecipientField.key];

const convertField = ({ connection }: Parts, field: Field, text: string): Promise<Converted> => {
  if (!phoneFields.includes(field.key)) return Promise.resolve(convert(field.meta, text));
  return parsePhoneNumber(field.label, text, connection.authData.default_country).then(
    (value) => ({ value }),
    (error) => ({ value: text, problem: sentenceOf(error) }),
  );
};

/** What the fields of a step have in a run, by key. A field without text has none. */
const convertFields = async (parts: Parts, step: Step, filled: Entered): Promise<Record<string, Converted>> => {
  const entries = kindOf(step)
    .fields(step)
    .map(async (field): Promise<[string, Converted][]> => {
      const text = textOf(filled[field.key]);
      return text === '' ? [] : [[field.key, await convertField(parts, field, text)]];
    });
  return Object.fromEntries((await Promise.all(entries)).flat());
};

/** How much of a long value shows. */
const maxShown = 300;

/** What the fields of a step would have, as far as they map data, hold a phone number or have a problem. */
const previewFields = (
  mapped: Record<string, string>,
  converted: Record<string, Converted>,
  refused: Problems,
): StepPreview['fields'] => {
  const fields: StepPreview['fields'] = mapEntries(mapped, (text) => ({ text }));
  for (const [key, { value, problem }] of Object.entries(converted)) {
    const number = phoneFields.includes(key) ? writeNumber(value) : undefined;
    if (number || problem || key in mapped)
      fields[key] = { text: mapped[key] && value.slice(0, maxShown), number, problem };
  }
  for (const [key, problem] of Object.entries(refused)) fields[key] = { ...fields[key], problem };
  return fields;
};

/** The name of the customer with this number, from the chats or from the data of the steps before. */
const findName = ({ chats }: Parts, steps: readonly Step[], phone: string): string => {
  const subjects = steps.map((step) => subjectOf(exampleOf(definition, step)));
  return chats.nameOf(phone) ?? subjects.find((each) => each.phone === phone)?.name ?? '';
};

/** Why a field that has a value keeps a step from running. What is empty is left to fill in. */
const findMistake = (step: Step, problems: Problems): string | undefined => {
  const entered = kindOf(step).entered(step);
  return Object.entries(problems).find(([key]) => !isEmpty(entered[key] ?? ''))?.[1];
};

interface Previewed {
  rehearsal: Rehearsal | undefined;
  filled: Entered;
  converted: Record<string, Converted>;
  fields: StepPreview['fields'];
}

/** What a variable has: as the rehearsal sent it, or as the form has it while something is left to fill in. */
const valuesIn = ({ filled, converted, fields }: Previewed, sent: Record<string, string> | undefined): ReadValue => {
  const { variables = {} } = filled;
  const entered = new Map(Object.entries(variables).map(([given, text]) => [foldCase(given), text]));
  return (variable) => {
    const { name } = variable;
    const key = variablePrefix + name;
    if (sent) return { value: sent[name] ?? '' };
    if (converted[key]) return { value: converted[key].value, problem: fields[key]?.problem };
    const text = entered.get(foldCase(name)) ?? entered.get(foldCase(labelOfVariable(variable))) ?? '';
    return convert({ format: variable.format ?? 'text', label: labelOfVariable(variable), required: false }, text);
  };
};

const repeated = z.catch(z.looseObject({ already_sent: z.catch(z.boolean(), false) }), { already_sent: false });

const previewMessage = async (
  parts: Parts,
  zap: Zap,
  index: number,
  step: Step,
  previewed: Previewed,
): Promise<MessagePreview | undefined> => {
  const waits = waitsByOperation.get(operationOf(step));
  if (waits === undefined) return undefined;
  const { rehearsal, filled, converted, fields } = previewed;
  const sent = messagesIn(rehearsal?.output).find(({ direction }) => direction === 'outbound');
  const campaign = await parts.service.findCampaign(textOf(filled.campaign));
  const channel = campaign?.channel ?? textOf(filled.channel);
  const template = campaign?.template ?? textOf(filled.template);
  const templates = template === '' ? [] : await parts.service.listTemplates().catch(() => []);
  const known = templatesOf({ template, channel }, templates);
  const versions = known.filter(isApproved);
  const phone = converted.to?.value ?? '';
  // A live run doesn't use the number for tests.
  const live = Object.entries(fields).filter(([key]) => key !== testRecipientField.key);
  const [refused] = live.flatMap(([, { problem }]) => problem ?? []);
  const values = valuesIn(previewed, sent?.variables ?? undefined);
  return {
    name: findName(parts, zap.steps.slice(0, index), phone),
    phone,
    tester: textOf(filled[testRecipientField.key]),
    channel,
    template,
    versions: inOrder(versions).map((each) => fillTemplate(each, values)),
    unapproved: versions.length > 0 ? [] : [...new Set(known.flatMap(({ status }) => status ?? []))],
    isOnlyInSandbox:
      channel === 'whatsapp' &&
      versions.some(({ category }) => category === 'marketing') &&
      fields.to?.number?.country === nameOfCountry('US'),
    waits,
    audience: filled.audience === 'saved' ? (campaign?.audience_size ?? 0) : undefined,
    isRepeat: repeated.parse(rehearsal?.output ?? {}).already_sent,
    isSent: rehearsal !== undefined && rehearsal.failure === undefined,
    problem:
      rehearsal?.failure ?? refused ?? findMistake(step, findStepProblems(definition, step, zap.steps.slice(0, index))),
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
  const filled = parts.editor.fillIn(zap, index, step);
  const converted = await convertFields(parts, step, filled);
  const fields = previewFields(parts.editor.preview(zap, index, step), converted, rehearsal?.problems ?? {});
  const message = await previewMessage(parts, zap, index, step, { rehearsal, filled, converted, fields });
  return { fields, message };
};

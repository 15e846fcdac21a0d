import type * as z from 'zod/mini';
import type { FieldOfApp, StepOfApp } from '../../lab/zapier/core/app-definition';
import app from '../../src';
import * as resources from '../../src/api/resources';
import { fieldsIn, type OutputField, outputFieldsOf, recordsIn, withKnownFields } from '../../src/step/output';
import { findMeaning, type Meaning, meaningOf, textOf } from '../meanings';
import { anchor, blocks, bullets, code, table } from './markdown';

type Output = Pick<FieldOfApp, 'key' | 'label'>;

/** A kind of record in results. Its title is also its section of scripts/meanings.md. */
interface RecordKind {
  title: string;
  record: { noun: string; schema: z.ZodMiniObject; sample: object };
}

const recordKinds: RecordKind[] = [
  { title: 'Message', record: resources.message },
  { title: 'Conversation', record: resources.conversation },
  { title: 'Contact', record: resources.contact },
  { title: 'Campaign', record: resources.campaign },
  { title: 'Campaign run', record: resources.campaignRun },
];

/** A record in a result: at its top, or under a prefix such as `reply__` or `messages[]`. */
interface Part {
  prefix: string;
  kind: RecordKind;
  /** The keys of its fields in the result. */
  keys: string[];
}

/** Lists the fields that the service has. */
const recordFields = ({ record: { noun, schema, sample } }: RecordKind): OutputField[] => {
  const fields = outputFieldsOf(schema, { id: `${noun} ID`, url: `${noun} Link`, name: `${noun} Name` });
  return fieldsIn(withKnownFields(sample, { noun, schema }), fields);
};

const findKind = (noun: string): RecordKind | undefined => recordKinds.find(({ record }) => record.noun === noun);

/** Lists the records in the result of a step. A service may respond with less than a record. */
const partsOf = ({ key }: StepOfApp, outputs: Output[]): Part[] => {
  const { [key]: step } = { ...app.triggers, ...app.creates, ...app.searches };
  const given = new Set(outputs.map((output) => output.key));
  return [...recordsIn(step?.operation.outputFields ?? [])].flatMap(([prefix, noun]) => {
    const kind = findKind(noun);
    const keys = kind ? recordFields(kind).map((field) => prefix + field.key) : [];
    return kind && keys.every((each) => given.has(each)) ? { prefix, kind, keys } : [];
  });
};

/** Returns the value in a record at the key of an output field, such as `contact__phone` or `messages[]text`. */
const valueAt = (record: object, key: string): unknown =>
  key.split(/__|\[\]/).reduce<unknown>((at, name) => {
    const item = Array.isArray(at) ? at[0] : at;
    return typeof item === 'object' && item !== null ? Reflect.get(item, name) : undefined;
  }, record);

const show = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(show).join(', ');
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .map(([name, item]) => `${name}: ${item}`)
      .join(', ');
  }
  return String(value ?? '').replaceAll('\n', ' / ');
};

const line = (label: string, { text, inZaps, values }: Meaning): string =>
  [
    `**${label}**: ${[text, inZaps].filter(Boolean).join(' ')}`,
    ...[...values].map(([value, meaning]) => `  - \`${value}\`: ${meaning}`),
  ].join('\n');

/** Returns what a field of a step means that belongs to no whole record. It may be one of a few fields of a record. */
const ownMeaning = ({ key: step, noun }: StepOfApp, key: string): Meaning => {
  const kind = findKind(noun);
  return findMeaning(key, step) ?? meaningOf(key.replace(/^(reply|sent)__/, ''), step, kind?.title ?? noun);
};

const withArticle = ({ title }: RecordKind): string => `a [${title.toLowerCase()}](${anchor(title)})`;

/** Returns the label that the fields of a record inside a result begin with, such as "Reply Message". */
const labelOf = (outputs: Output[], { prefix }: Pick<Part, 'prefix'>): string =>
  outputs.find(({ key }) => key === `${prefix}id`)?.label?.replace(/ ID$/, '') ?? prefix;

const describePart = (step: StepOfApp, outputs: Output[], part: Part): string => {
  const label = labelOf(outputs, part);
  const meaning = meaningOf(part.prefix, step.key);
  const example = part.keys.includes(`${part.prefix}text`) ? 'Text' : 'Link';
  const fields = `It has the fields of ${withArticle(part.kind)}: **${label} ${example}** and so on.`;
  return line(label, { ...meaning, inZaps: [meaning.inZaps, fields].filter(Boolean).join(' ') });
};

/** Returns what a step calls the fields of a record that have another name in its section, such as "Reply ID". */
const renamed = (outputs: Output[], { kind }: Part): string => {
  const labels = recordFields(kind).flatMap(({ key, label }) => {
    const own = outputs.find((output) => output.key === key)?.label;
    return own && own !== label ? [`**${label}** is called **${own}** here`] : [];
  });
  return labels.length > 0 ? ` (${labels.join(', and ')})` : '';
};

interface Result {
  parts: Part[];
  /** The record that the result is, if it's one. */
  whole: Part | undefined;
  /** Fields that mean the same in every step whose result is such a record, such as Has Phone Number. */
  common: Output[];
  /** The other fields of no record. */
  own: Output[];
}

const resultOf = (step: StepOfApp): Result => {
  const outputs = step.operation.outputFields;
  const parts = partsOf(step, outputs);
  const whole = parts.find(({ prefix }) => prefix === '');
  const others = outputs.filter(({ key }) => !parts.some(({ keys }) => keys.includes(key)));
  const isCommon = ({ key }: Output): boolean => whole !== undefined && !findMeaning(key, step.key);
  return { parts, whole, common: others.filter(isCommon), own: others.filter((field) => !isCommon(field)) };
};

/** The keys of some fields of a message begin with one of these, where a result has two of them. */
const someOfAMessage = /^(?:reply|sent)__/;

const describeSome = (outputs: Output[]): string[] =>
  [...Map.groupBy(outputs, ({ key }) => someOfAMessage.exec(key)?.[0] ?? '')].map(([prefix, fields]) => {
    const label = labelOf(outputs, { prefix });
    const names = fields.map((field) => (field.label ?? '').slice(label.length + 1));
    return `**${label}**, followed by the name of a field of a [message](#message): ${names.join(', ')}`;
  });

/** Renders what a step gives to later steps: the record, and further fields with their meaning. */
export const describeResult = (step: StepOfApp): string => {
  const outputs = step.operation.outputFields;
  const { parts, whole, common, own } = resultOf(step);
  const isSome = ({ key }: Output): boolean => someOfAMessage.test(key);
  const lines = [
    ...own.filter((field) => !isSome(field)).map(({ key, label = key }) => line(label, ownMeaning(step, key))),
    ...describeSome(own.filter(isSome)),
    ...parts.filter(({ prefix }) => prefix).map((part) => describePart(step, outputs, part)),
  ];
  const withCommon = common.map(({ label }) => `**${label}**`).join(' and ');
  const intro = whole
    ? `**Result:** ${withArticle(whole.kind)}${renamed(outputs, whole)}${withCommon && ` with ${withCommon}`}${lines.length > 0 ? ', and these fields:' : '.'}`
    : '**Result:**';
  return blocks(intro, bullets(lines));
};

const explain = ({ text, inZaps, values }: Meaning): string =>
  [
    [text, inZaps].filter(Boolean).join(' '),
    ...[...values].map(([value, meaning]) => `${code(value)}: ${meaning}`),
  ].join('\n');

/** Returns the rows of a record's fields, and of those that some steps add to it. */
const rowsOf = (kind: RecordKind, steps: StepOfApp[]): string[][] => {
  const added = steps.map(resultOf).flatMap(({ whole, common }) => (whole?.kind === kind ? common : []));
  const once = new Map(added.map(({ key, label = key }) => [key, { key, label }]));
  const fields = recordFields(kind).map(({ key, label }) => ({
    key,
    label,
    example: show(valueAt(kind.record.sample, key)),
  }));
  return [...fields, ...[...once.values()].map((field) => ({ ...field, example: '' }))].map(
    ({ key, label, example }) => [label, example, explain(meaningOf(key, kind.title))],
  );
};

const describeRecord = (kind: RecordKind, steps: StepOfApp[]): string =>
  blocks(`### ${kind.title}`, textOf(kind.title), table(['Field', 'Example', 'What it means'], rowsOf(kind, steps)));

/** Renders what every field of every record means, with its values and an example. */
export const describeRecords = (steps: StepOfApp[]): string[] => recordKinds.map((kind) => describeRecord(kind, steps));

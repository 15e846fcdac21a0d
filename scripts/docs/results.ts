import type * as z from 'zod/mini';
import app from '../../src';
import * as resources from '../../src/api/resources';
import { type OutputField, outputFieldsOf, recordsIn } from '../../src/forms/output';
import type { FieldOfApp, StepOfApp } from '../../zapier/core/app-definition';
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

const recordFields = ({ record: { noun, schema } }: RecordKind): OutputField[] =>
  outputFieldsOf(schema, { id: `${noun} ID`, url: `${noun} Link`, name: `${noun} Name` });

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
const labelOf = (outputs: Output[], { prefix }: Part): string =>
  outputs.find(({ key }) => key === `${prefix}id`)?.label?.replace(/ ID$/, '') ?? prefix;

const describePart = (step: StepOfApp, outputs: Output[], part: Part): string => {
  const label = labelOf(outputs, part);
  const meaning = meaningOf(part.prefix, step.key);
  const example = part.keys.includes(`${part.prefix}text`) ? 'Text' : 'Link';
  const fields = `It has the fields of ${withArticle(part.kind)}, such as **${label} ${example}**.`;
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

/** Renders what a step gives to later steps: the record, and further fields with their meaning. */
export const describeResult = (step: StepOfApp): string => {
  const outputs = step.operation.outputFields;
  const parts = partsOf(step, outputs);
  const whole = parts.find(({ prefix }) => prefix === '');
  const own = outputs.filter(({ key }) => !parts.some(({ keys }) => keys.includes(key)));
  const lines = [
    ...own.map(({ key, label = key }) => line(label, ownMeaning(step, key))),
    ...parts.filter(({ prefix }) => prefix).map((part) => describePart(step, outputs, part)),
  ];
  const intro = whole
    ? `**Result:** ${withArticle(whole.kind)}${renamed(outputs, whole)}${lines.length > 0 ? ', and these fields:' : '.'}`
    : '**Result:**';
  return blocks(intro, bullets(lines));
};

/** Returns a meaning for a cell of a table. */
const explain = ({ text, inZaps, values }: Meaning): string =>
  [
    [text, inZaps].filter(Boolean).join(' '),
    ...[...values].map(([value, meaning]) => `${code(value)}: ${meaning}`),
  ].join('\n');

const describeRecord = (kind: RecordKind): string =>
  blocks(
    `### ${kind.title}`,
    textOf(kind.title),
    table(
      ['Field', 'Example', 'What it means'],
      recordFields(kind).map(({ key, label }) => [
        label,
        show(valueAt(kind.record.sample, key)),
        explain(meaningOf(key, kind.title)),
      ]),
    ),
  );

/** Renders what every field of every record means, with its values and an example. */
export const describeRecords = (): string[] => recordKinds.map(describeRecord);

import { type OutputField, outputFieldsOf } from '../../src/forms/output';
import type { Field, Step } from './definition';
import { anchor, blocks, bullets } from './markdown';
import { type Meaning, type Meanings, type RecordKind, recordKinds, stepMeanings } from './meanings';

type Output = Pick<Field, 'key' | 'label'>;

/** A record in a result: at its top, or under a prefix such as `reply__` or `messages[]`. */
interface Part {
  prefix: string;
  kind: RecordKind;
  /** The keys of its fields in the result. */
  keys: string[];
}

const fieldsOf = ({ record: { noun, schema } }: RecordKind): OutputField[] =>
  outputFieldsOf(schema, { id: `${noun} ID`, url: `${noun} Link` });

const partsOf = (outputs: Output[]): Part[] => {
  const given = new Set(outputs.map(({ key }) => key));
  const prefixes = ['', ...new Set(outputs.flatMap(({ key }) => key.match(/^[a-z_]+?(__|\[\])/)?.[0] ?? []))];
  return prefixes.flatMap((prefix) => {
    const parts = recordKinds.map((kind) => ({ prefix, kind, keys: fieldsOf(kind).map(({ key }) => prefix + key) }));
    return parts.find(({ keys }) => keys.every((key) => given.has(key))) ?? [];
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

const line = (label: string, meaning: Meaning): string => {
  if (typeof meaning === 'string') return `**${label}**: ${meaning}`;
  const values = Object.entries(meaning.values).map(([value, text]) => `  - \`${value}\`: ${text}`);
  return [`**${label}**: ${meaning.text}`, ...values].join('\n');
};

const meaningOf = (meanings: Meanings | undefined, key: string, place: string): Meaning => {
  const meaning = meanings?.[key];
  if (meaning) return meaning;
  throw new Error(`${place} has no meaning for "${key}". Add it to scripts/docs/meanings.ts.`);
};

/** Returns what a field of a step means that belongs to no whole record. It may be one of a few fields of a record. */
const ownMeaning = ({ key: step, noun }: Step, key: string): Meaning => {
  const kind = recordKinds.find(({ record }) => record.noun === noun);
  return stepMeanings[step]?.[key] ?? meaningOf(kind?.meanings, key.replace(/^sent__/, ''), step);
};

const withArticle = ({ title }: RecordKind): string => `a [${title.toLowerCase()}](${anchor(title)})`;

/** Returns the label that the fields of a record inside a result begin with, such as "Reply Message". */
const labelOf = (outputs: Output[], { prefix }: Part): string =>
  outputs.find(({ key }) => key === `${prefix}id`)?.label?.replace(/ ID$/, '') ?? prefix;

const describePart = (step: Step, outputs: Output[], part: Part): string => {
  const label = labelOf(outputs, part);
  const text = meaningOf(stepMeanings[step.key], part.prefix, step.key);
  return line(label, `${text} It has the fields of ${withArticle(part.kind)}, such as **${label} Text**.`);
};

const exampleResult = ({ operation: { sample } }: Step, outputs: Output[], parts: Part[]): string => {
  const isInner = (output: Output) =>
    parts.some(({ prefix, keys }) => prefix && keys.includes(output.key) && output.key !== `${prefix}text`);
  const rows = outputs
    .filter((output) => !isInner(output))
    .map(({ key, label = key }) => ({ label, text: show(valueAt(sample, key)) }))
    .filter(({ text }) => text);
  const width = Math.max(...rows.map(({ label }) => label.length));
  return ['```text', ...rows.map(({ label, text }) => `${label.padEnd(width)}  ${text}`), '```'].join('\n');
};

/** Renders what a step gives to later steps: the record, further fields with their meaning, and an example. */
export const describeResult = (step: Step): string => {
  const outputs = step.operation.outputFields ?? [];
  const parts = partsOf(outputs);
  const whole = parts.find(({ prefix }) => prefix === '');
  const own = outputs.filter(({ key }) => !parts.some(({ keys }) => keys.includes(key)));
  const lines = [
    ...own.map(({ key, label = key }) => line(label, ownMeaning(step, key))),
    ...parts.filter(({ prefix }) => prefix).map((part) => describePart(step, outputs, part)),
  ];
  const intro = whole
    ? `**Result:** ${withArticle(whole.kind)}${lines.length > 0 ? ', and these fields:' : '.'}`
    : '**Result:**';
  return blocks(intro, bullets(lines), 'Example:', exampleResult(step, outputs, parts));
};

const describeRecord = (kind: RecordKind): string =>
  blocks(
    `### ${kind.title}`,
    kind.text,
    bullets(fieldsOf(kind).map(({ key, label }) => line(label, meaningOf(kind.meanings, key, kind.title)))),
  );

/** Renders what every field of every record means, with its values. */
export const describeRecords = (): string[] => recordKinds.map(describeRecord);

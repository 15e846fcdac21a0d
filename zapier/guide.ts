import { type Definition, formatHours } from './definition';
import { describeValue, type FieldValue, isEmpty } from './form';
import { isMapped, outputKey, replaceReferences } from './mapping';
import { type Rule, takesText } from './rules';
import { hasRules, type Step, type Zap } from './zap';

interface Guided {
  definition: Definition;
  /** What people call this app. */
  app: string;
  steps: readonly Step[];
}

/** A reference as people read it, such as `[1. Phone Number]`. */
const describeReference = ({ definition, steps }: Guided, number: number, path: string): string => {
  const step = steps[number - 1];
  const outputs = step?.type === 'own' ? (definition.find(step.operation)?.outputs ?? []) : [];
  return `[${number}. ${outputs.find(({ key }) => key === outputKey(path))?.label ?? path}]`;
};

const describe = (guided: Guided, value: FieldValue): string =>
  replaceReferences(describeValue(value), (number, path) => describeReference(guided, number, path));

const describeRule = (guided: Guided, { value, condition, text }: Rule): string =>
  [describe(guided, value), condition, ...(takesText(condition) ? [describe(guided, text)] : [])].join(' ');

/** The fields that have a value, or need one, as labels with texts. */
const listFields = (guided: Guided, step: Step): [label: string, text: string][] => {
  if (hasRules(step)) return step.rules.map((rule, at) => [at === 0 ? 'Rule' : 'And', describeRule(guided, rule)]);
  if (step.type === 'delay') return [['Time Delayed For', formatHours(step.hours)]];
  if (step.type === 'other')
    return Object.entries(step.fields).map(([name, value]) => [name, describe(guided, [value].flat())]);
  const fields = (step.form?.fields ?? []).filter(({ type }) => type !== 'copy');
  return fields.flatMap(({ key, label, required, options, default: preset = '' }): [string, string][] => {
    const value = step.values[key] ?? preset;
    if (isEmpty(value)) return required ? [[label, '(fill this in)']] : [];
    const chosen = step.labels[key] ?? options?.find((option) => option.value === value)?.label;
    return [[label, isMapped(value) || !chosen ? describe(guided, value) : chosen]];
  });
};

/** A text of several lines is a quotation below its label. */
const formatField = ([label, text]: [label: string, text: string]): string => {
  const lines = text.split('\n');
  return lines.length === 1
    ? `   - ${label}: ${text}`
    : [`   - ${label}:`, ...lines.map((line) => `     > ${line}`)].join('\n');
};

const zapierApps = {
  delay: { app: 'Delay by Zapier', event: 'Delay For' },
  filter: { app: 'Filter by Zapier', event: 'Only continue if' },
  path: { app: 'Paths by Zapier', event: 'Path' },
};

const nameOf = ({ definition, app }: Guided, step: Step): { app: string; event: string } => {
  if (step.type === 'own') return { app, event: definition.defaultTitleOf(step) };
  if (step.type === 'path') return { ...zapierApps.path, event: definition.titleOf(step) };
  return step.type === 'other' ? { app: step.app, event: step.event } : zapierApps[step.type];
};

const formatStep = (guided: Guided, step: Step, index: number): string => {
  const named = nameOf(guided, step);
  return [
    `${index + 1}. ${index === 0 ? 'Trigger' : 'Action'}: ${named.app}, ${named.event}`,
    ...listFields(guided, step).map(formatField),
  ].join('\n');
};

const explanation =
  'Brackets stand for data of an earlier step. For [1. Phone], for example, insert Phone from step 1.';

/** A Zap as numbered steps for the real editor, in Markdown. Names the fields of the steps whose form is known. */
export const formatGuide = (definition: Definition, app: string, { title, steps }: Zap): string => {
  const guided = { definition, app, steps };
  const formatted = steps.map((step, index) => formatStep(guided, step, index)).join('\n');
  return [`# ${title}`, ...(/\[\d+\. /.test(formatted) ? [explanation] : []), formatted].join('\n\n').concat('\n');
};

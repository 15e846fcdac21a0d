import type { Definition } from '../core/definition';
import { outputKey, replaceReferences } from '../fields/mapping';
import { kindOf, type Step } from '../kinds';
import type { Zap } from '../zap/zap';

interface Guided {
  definition: Definition;
  /** What people call this app. */
  app: string;
  steps: readonly Step[];
}

/** A reference as people read it, such as `[1. Phone Number]`. */
const describeReference = ({ definition, steps }: Guided, number: number, path: string): string => {
  const step = steps[number - 1];
  const outputs = step ? kindOf(step).outputs(step, definition) : [];
  return `[${number}. ${outputs.find(({ key }) => key === outputKey(path))?.label ?? path}]`;
};

/** A text of several lines is a quotation below its label. */
const formatField = ([label, text]: [label: string, text: string]): string => {
  const lines = text.split('\n');
  return lines.length === 1
    ? `   - ${label}: ${text}`
    : [`   - ${label}:`, ...lines.map((line) => `     > ${line}`)].join('\n');
};

const formatStep = (guided: Guided, step: Step, index: number): string => {
  const { app = guided.app, event } = kindOf(step).named(step, guided.definition);
  const show = (text: string) => replaceReferences(text, (number, path) => describeReference(guided, number, path));
  return [
    `${index + 1}. ${index === 0 ? 'Trigger' : 'Action'}: ${app}, ${event}`,
    ...kindOf(step).guide(step, show).map(formatField),
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

import * as z from 'zod/mini';
import type { Outcome } from '../core/result';
import { choiceField, type Field, textField } from '../fields/form';
import { resolveToText } from '../fields/mapping';
import { mapEntries } from '../fields/values';
import { kind } from './kind';

const texts = z.record(z.string(), z.string());

const schema = z.object({ content: z._default(texts, {}), declined: z._default(z.enum(['stop', 'continue']), 'stop') });
type Entered = z.output<typeof schema>;

const declinedLabel = 'Action if Reviewer Declines';
const actions: Record<Entered['declined'], string> = { stop: 'Stop run', continue: 'Continue run' };

const fields = (): Field[] => [
  textField('content', 'Content to Review', {
    required: true,
    dict: true,
    helpText: 'Enter a name on the left, and map what a person should see and may change on the right.',
  }),
  choiceField('declined', declinedLabel, actions, { default: 'stop' }),
];

/** What a person decides, and what they changed. */
export const review = z.object({ decision: z.enum(['approved', 'declined']), content: z._default(texts, {}) });
export type Review = z.output<typeof review>;

/** The content as a person left it, with the decision. */
const decide = (content: Record<string, string>, { decision, content: changed }: Review): Record<string, string> => ({
  ...content,
  ...Object.fromEntries(Object.entries(changed).filter(([name]) => Object.hasOwn(content, name))),
  decision,
});

const approved: Review = { decision: 'approved', content: {} };

/** What a person sees. */
const shownOf = (content: Record<string, string>, outputs: readonly unknown[]): Record<string, string> =>
  mapEntries(content, (text) => resolveToText(text, outputs));

/** Human in the Loop. A run waits here until a person approves what the steps before made, and may change it. */
export const approval = kind({
  type: 'approval',
  tool: { title: 'Human in the Loop', icon: 'user-check', hue: 'rust' },
  app: 'Human in the Loop',
  event: 'Request Approval',
  schema,
  empty: { content: {}, declined: 'stop' },
  fields,
  title: () => 'Request Approval',
  description: 'The run waits here until a person approves, and goes on with what they changed.',
  keepsExample: true,
  example: ({ example, content }, _, before) => example ?? decide(shownOf(content, before), approved),
  outputs: ({ content }) => [...Object.keys(content), 'decision'].map((key) => ({ key, label: key })),
  run: ({ content }, { outputs, isTest }): Outcome => {
    const input = shownOf(content, outputs);
    if (isTest) return { status: 'success', input, output: decide(input, approved) };
    return { status: 'waiting', input, output: input };
  },
  resume: ({ declined }, waited, given): Outcome => {
    const output = decide(texts.parse(waited), review.parse(given));
    const isStopped = output.decision === 'declined' && declined === 'stop';
    return { status: isStopped ? 'filtered' : 'success', input: waited, output };
  },
  guide: ({ content, declined }, show) => [
    ...Object.entries(content).map(([name, text]): [string, string] => [name, show(text)]),
    [declinedLabel, actions[declined]],
  ],
});

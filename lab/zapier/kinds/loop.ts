import * as z from 'zod/mini';
import { failed } from '../core/failure';
import type { Outcome } from '../core/result';
import { type Field, textField } from '../fields/form';
import { resolveValue } from '../fields/mapping';
import { platform } from '../platform';
import { kind } from './kind';

const schema = z.object({ values: z._default(z.record(z.string(), z.string()), {}) });
type Entered = z.output<typeof schema>;

/** What a loop gives besides the item. */
const counters = { loop_iteration: 'Loop Iteration', loop_iteration_is_last: 'Loop Iteration Is Last' };

const fields = (): Field[] => [
  textField('values', 'Values to Loop', {
    required: true,
    dict: true,
    helpText: 'Enter a name on the left, and map a value of all results on the right.',
  }),
];

const records = z.record(z.string(), z.unknown());

/** The items of the mapped lists, each with a value of every list. */
const itemsOf = ({ values }: Entered, outputs: readonly unknown[]): Record<string, unknown>[] => {
  const lists = Object.entries(records.parse(resolveValue(values, outputs))).map(
    ([name, value]): [string, unknown[]] => [name, [value].flat()],
  );
  const count = Math.max(0, ...lists.map(([, items]) => items.length));
  return Array.from({ length: count }, (_, at) => ({
    ...Object.fromEntries(lists.map(([name, items]) => [name, items[at] ?? ''])),
    loop_iteration: at + 1,
    loop_iteration_is_last: at === count - 1,
  }));
};

/** Looping by Zapier. The steps after it run once for each item of its lists. */
export const loop = kind({
  type: 'loop',
  tool: { title: 'Looping', icon: 'repeat', hue: 'violet' },
  app: 'Looping by Zapier',
  event: 'Create Loop From Line Items',
  schema,
  empty: { values: {} },
  fields,
  title: () => 'Looping',
  description: 'The steps after this one run once for each item.',
  keepsExample: true,
  example: (step, _, before) => step.example ?? itemsOf(step, before)[0] ?? {},
  outputs: ({ values }) => [
    ...Object.keys(values).map((key) => ({ key, label: key })),
    ...Object.entries(counters).map(([key, label]) => ({ key, label })),
  ],
  run: (step, { outputs }): Outcome => {
    const [output, ...iterations] = itemsOf(step, outputs);
    if (!output) return { status: 'filtered' };
    if (iterations.length < platform.loopIterations.is) return { status: 'success', output, iterations };
    return failed(`A loop runs for ${platform.loopIterations.is} items at most, not ${iterations.length + 1}.`);
  },
  guide: ({ values }, show) => Object.entries(values).map(([name, text]) => [name, show(text)]),
});

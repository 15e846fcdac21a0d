import * as z from 'zod/mini';
import { failsRun } from '../core/failure';
import type { Field } from '../fields/form';
import { isMapped, resolveToText } from '../fields/mapping';
import { platform } from '../platform';
import { byFields } from './by-fields';
import { kind } from './kind';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const maxMs = platform.delaySeconds.is * 1000;

const units = { minutes: minuteMs, hours: hourMs };
type Unit = keyof typeof units;

const schema = z.object({ value: z.string(), unit: z._default(z.enum(['minutes', 'hours']), 'hours') });
type Entered = z.output<typeof schema>;

const formatDelay = ({ value, unit }: Entered): string => `${value} ${value === '1' ? unit.slice(0, -1) : unit}`;

const label = 'Time Delayed For (value)';

const findProblem = (value: string, unit: Unit): string | undefined =>
  Number(value) > 0 && Number(value) * units[unit] <= maxMs
    ? undefined
    : `${label} must be a number from 1 to ${maxMs / units[unit]}, not "${value.slice(0, 40)}".`;

const fields = (): Field[] => [
  { key: 'value', label, type: 'integer', required: true, isDropdown: false },
  {
    key: 'unit',
    label: 'Time Delayed For (unit)',
    required: true,
    isDropdown: false,
    options: Object.keys(units).map((unit) => ({ value: unit, label: unit })),
  },
];
const { unfilled } = byFields<Entered>({ fields, values: schema.parse, withValues: (step) => step });

/** Delay by Zapier. A run waits here. */
export const delay = kind({
  type: 'delay',
  tool: { title: 'Delay', icon: 'clock', hue: 'amber' },
  app: 'Delay by Zapier',
  event: 'Delay For',
  schema,
  empty: { value: '1', unit: 'hours' },
  fields,
  isTestable: false,
  title: (step) => `Delay for ${formatDelay(step)}`,
  unfilled: (step) => {
    const problem = isMapped(step.value) ? undefined : findProblem(step.value, step.unit);
    return problem && step.value.trim() !== '' ? { value: problem } : unfilled(step);
  },
  run: ({ value: entered, unit }, { outputs, clock }) => {
    const value = resolveToText(entered, outputs);
    const problem = findProblem(value, unit);
    if (problem) return { status: 'error', failure: { message: problem, effect: failsRun } };
    return { status: 'delayed', dueAt: clock.now() + Number(value) * units[unit] };
  },
  guide: (step, show) => [['Time Delayed For', show(formatDelay(step))]],
});

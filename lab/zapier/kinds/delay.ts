import * as z from 'zod/mini';
import { failed } from '../core/failure';
import { choiceField, type Field, textField } from '../fields/form';
import { isMapped, resolveToText } from '../fields/mapping';
import { readMoment } from '../fields/moment';
import { platform } from '../platform';
import { byFields } from './by-fields';
import { kind } from './kind';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const maxMs = platform.delaySeconds.is * 1000;

const units = { minutes: minuteMs, hours: hourMs };
type Unit = keyof typeof units;

const events = { for: 'Delay For', until: 'Delay Until' };

const schema = z.object({
  event: z.optional(z.enum(['for', 'until'])),
  value: z._default(z.string(), '1'),
  unit: z._default(z.enum(['minutes', 'hours']), 'hours'),
  /** A moment, with what is added to it or taken off, such as `2026-01-22T14:30:00Z -1d`. */
  until: z.optional(z.string()),
});
type Entered = z.output<typeof schema>;

const formatDelay = ({ value, unit }: Entered): string => `${value} ${value === '1' ? unit.slice(0, -1) : unit}`;

const label = 'Time Delayed For (value)';
const untilLabel = 'Date/Time Delayed Until';

const findProblem = (value: string, unit: Unit): string | undefined =>
  Number(value) > 0 && Number(value) * units[unit] <= maxMs
    ? undefined
    : `${label} must be a number from 1 to ${maxMs / units[unit]}, not "${value.slice(0, 40)}".`;

const modifierMs: Record<string, number> = { m: minuteMs, h: hourMs, d: 24 * hourMs };

/** The moment that a text with modifiers means, in ms since 1970. Undefined when it means none. */
const readUntil = (text: string): number | undefined => {
  const [, date = '', modifiers = ''] = /^(.*?)((?:\s+[+-]\s?\d{1,4}[mhd])*)\s*$/s.exec(text) ?? [];
  const changes = [...modifiers.matchAll(/([+-])\s?(\d+)([mhd])/g)].map(
    ([, sign = '', count, unit = '']) => Number(sign + count) * (modifierMs[unit] ?? 0),
  );
  const moment = readMoment(date)?.getTime();
  return moment === undefined ? undefined : changes.reduce((sum, each) => sum + each, moment);
};

const fields = ({ event }: Entered): Field[] => [
  choiceField('event', 'Event', events, { default: 'for', altersDynamicFields: true }),
  ...(event === 'until'
    ? [
        textField('until', untilLabel, {
          required: true,
          helpText: 'Map a date and time. To go on a day before it, add ` -1d`.',
        }),
      ]
    : [
        textField('value', label, { type: 'integer', required: true }),
        choiceField('unit', 'Time Delayed For (unit)', { minutes: 'minutes', hours: 'hours' }, { required: true }),
      ]),
];
const { unfilled } = byFields<Entered>({ fields, values: schema.parse, withValues: (step) => step });

/** When a step goes on, in ms since 1970, or why nobody can tell. Delay Until goes on at once after its moment. */
const dueAt = (step: Entered, outputs: readonly unknown[], now: number): number | string => {
  const { event, value: entered, unit, until = '' } = step;
  if (event !== 'until') {
    const value = resolveToText(entered, outputs);
    return findProblem(value, unit) ?? now + Number(value) * units[unit];
  }
  const text = resolveToText(until, outputs);
  const moment = readUntil(text);
  if (moment === undefined) return `${untilLabel}: "${text.slice(0, 40)}" isn't a date and time.`;
  if (moment > now + maxMs) return `${untilLabel} must be within 31 days, not "${text.slice(0, 40)}".`;
  return Math.max(now, moment);
};

/** Delay by Zapier. A run waits here. */
export const delay = kind({
  type: 'delay',
  tool: { title: 'Delay', icon: 'clock', hue: 'amber' },
  app: 'Delay by Zapier',
  schema,
  empty: { event: 'for', value: '1', unit: 'hours' },
  named: ({ event = 'for' }) => ({ app: 'Delay by Zapier', event: events[event] }),
  fields,
  isTestable: false,
  title: (step) => (step.event === 'until' ? 'Delay until a time' : `Delay for ${formatDelay(step)}`),
  unfilled: (step) => {
    const isTyped = step.event !== 'until' && !isMapped(step.value) && step.value.trim() !== '';
    const problem = isTyped ? findProblem(step.value, step.unit) : undefined;
    return problem ? { value: problem } : unfilled(step);
  },
  run: (step, { outputs, clock }) => {
    const due = dueAt(step, outputs, clock.now());
    if (typeof due === 'string') return failed(due);
    return { status: 'delayed', dueAt: due };
  },
  guide: (step, show) => [
    step.event === 'until' ? [untilLabel, show(step.until ?? '')] : ['Time Delayed For', show(formatDelay(step))],
  ],
});

import * as z from 'zod/mini';
import { failsRun } from '../core/failure';
import { isMapped, resolveToText } from '../fields/mapping';
import { byFields } from './by-fields';
import { kind } from './kind';

const schema = z.object({ hours: z.string() });

const hourMs = 3_600_000;
/** Zapier's longest delay. */
const maxHours = 31 * 24;

const formatHours = (hours: string): string => (hours === '1' ? '1 hour' : `${hours} hours`);

const label = 'Time Delayed For (hours)';

const findProblem = (hours: string): string | undefined =>
  Number(hours) > 0 && Number(hours) <= maxHours
    ? undefined
    : `${label} must be a number from 1 to ${maxHours}, not "${hours.slice(0, 40)}".`;

const fields = () => [{ key: 'hours', label, type: 'integer', required: true, isDropdown: false }];
const { unfilled } = byFields<{ hours: string }>({ fields, values: schema.parse, withValues: (step) => step });

/** Delay by Zapier. A run waits here. */
export const delay = kind({
  type: 'delay',
  listed: 'Delay',
  app: 'Delay by Zapier',
  event: 'Delay For',
  schema,
  empty: { hours: '1' },
  fields,
  isTestable: false,
  title: ({ hours }) => `Delay for ${formatHours(hours)}`,
  unfilled: (step) => {
    const problem = isMapped(step.hours) ? undefined : findProblem(step.hours);
    return problem && step.hours.trim() !== '' ? { hours: problem } : unfilled(step);
  },
  run: ({ hours: entered }, { outputs, clock }) => {
    const hours = resolveToText(entered, outputs);
    const problem = findProblem(hours);
    if (problem) return { status: 'error', failure: { message: problem, effect: failsRun } };
    return { status: 'delayed', dueAt: clock.now() + Number(hours) * hourMs };
  },
  guide: ({ hours }, show) => [['Time Delayed For', show(formatHours(hours))]],
});

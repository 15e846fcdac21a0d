import * as z from 'zod/mini';
import type { OtherStep } from '../../zapier/kinds';
import type { Run } from '../../zapier/runs/run';
import { hasRecord } from '../../zapier/zap/steps';
import type { Zap } from '../../zapier/zap/zap';

export const fieldsOf = z.catch(z.record(z.string(), z.string()), {});

/** What a step of another app did in a run. */
export interface Done {
  id: string;
  /** The position of the step. */
  index: number;
  at: string;
  step: OtherStep;
  input: Record<string, string>;
}

/** What the steps of other apps did in a run of a Zap, in order. */
export const doneIn = ({ steps }: Zap, run: Run): Done[] =>
  run.steps.flatMap(({ status, input }, index) => {
    const id = run.alone?.step ?? run.stepIds?.[index];
    const step = steps.find((each) => each.id === id);
    if (status !== 'success' || !step || !hasRecord(step) || (index === 0 && !run.alone)) return [];
    return [{ id: `${run.id}-${index}`, index, at: run.startedAt, step, input: fieldsOf.parse(input ?? {}) }];
  });

/** What the first words of actions say of what was done. */
const pasts = new Map([
  ['Add', 'added'],
  ['Cancel', 'canceled'],
  ['Create', 'created'],
  ['Delete', 'deleted'],
  ['Generate', 'generated'],
  ['Post', 'posted'],
  ['Remove', 'removed'],
  ['Send', 'sent'],
  ['Unsubscribe', 'unsubscribed'],
  ['Update', 'updated'],
  ['Upload', 'uploaded'],
]);

/** What an action of another app did, such as "Event updated in Google Calendar". */
export const describeAction = ({ app, event }: OtherStep): string => {
  const [verb = '', ...object] = event.split(' ');
  const past = pasts.get(verb);
  return past && object.length > 0 ? `${object.join(' ')} ${past} in ${app}` : `${event} in ${app}`;
};

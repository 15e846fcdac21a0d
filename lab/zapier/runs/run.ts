import * as z from 'zod/mini';
import { isPaused, stepResult, stepStatus } from '../core/result';
import { zap } from '../zap/zap';

/** A delivery as Zapier passes it to a trigger. */
const delivery = z.object({
  rawRequest: z.object({ headers: z.record(z.string(), z.string()), content: z.string(), querystring: z.string() }),
  cleanedRequest: z.optional(z.unknown()),
});
export type HookDelivery = z.output<typeof delivery>;

/** Where a run continues, and what it waits for. */
const pause = z.object({
  until: z.enum(['callback', 'time', 'reconnection']),
  /** When a retry or the end of a delay is due, or a callback too late, by the service's clock, in ms since 1970. */
  dueAt: z.optional(z.number()),
  steps: zap.shape.steps,
  index: z.number(),
  /** What the steps before gave. */
  outputs: z.array(z.unknown()),
  /** What the trigger runs with, when it's the trigger that waits. */
  delivery: z.optional(delivery),
  /** The callback that arrived, when it's the rest of a step that waits. */
  callback: z.optional(z.object({ cleanedRequest: z.unknown() })),
});
export type Pause = z.output<typeof pause>;

/** How far a run has come. */
const progress = z.omit(pause, { until: true, dueAt: true });
export type Progress = z.output<typeof progress>;

export const run = z.object({
  id: z.string(),
  zapId: z.string(),
  title: z.string(),
  type: z.enum(['test', 'run', 'live', 'replay']),
  startedAt: z.string(),
  /** When it last went on. Runs of earlier versions don't say it. */
  changedAt: z.optional(z.string()),
  status: stepStatus,
  /** By the position of the step. */
  steps: z.array(stepResult),
  /** The ids of its steps, by their position. Runs of earlier versions have none. */
  stepIds: z.optional(z.array(z.string())),
  /** What each step did then, in short, by its position. Runs of earlier versions have none. */
  fingerprints: z.optional(z.array(z.string())),
  /** The step that ran alone, and what it did. */
  alone: z.optional(z.object({ step: z.string(), fingerprint: z.string() })),
  /** The record that started it. A replay starts with the same. */
  trigger: z.optional(z.unknown()),
  pause: z.optional(pause),
  /** Where an Autoreplay continues a run that a step failed. */
  failed: z.optional(z.extend(progress, { at: z.optional(z.string()) })),
  /** When it failed, if Autoreplay continued it since. */
  failedAt: z.optional(z.string()),
  /** What started it: the delivery, as the one who hears of arrivals named it, or the run that it replays. */
  cause: z.optional(z.string()),
});
/** A run of a Zap, or of one step in the editor. */
export type Run = z.output<typeof run>;

/** Names the callback of a step of a run. */
export const callbackId = ({ id }: Run, index: number): string => `${id}-${index}`;

/** The position of the step that a run is at, or undefined unless it runs now. */
export const currentStep = ({ status, steps }: Run): number | undefined => {
  if (status !== 'running') return undefined;
  // A step that was retried or got its callback still has its last result.
  const again = steps.findIndex((each) => isPaused(each) || each.status === 'error');
  return again < 0 ? steps.length : again;
};

/** Whether a run has ended. A replay before that would send its messages twice. */
export const hasEnded = (each: Run): boolean => each.status !== 'running' && each.pause === undefined;

import * as z from 'zod/mini';
import { zap } from './zap';

const apiRequest = z.object({
  method: z.string(),
  path: z.string(),
  /** Headers of the request and its response that are worth showing, by their names in lower case. */
  headers: z._default(z.record(z.string(), z.string()), {}),
  /** Undefined when there was no response. */
  status: z.optional(z.number()),
  durationMs: z.optional(z.number()),
});
/** An API request that a step made. */
export type ApiRequest = z.output<typeof apiRequest>;

const failure = z.object({
  message: z.string(),
  /** What Zapier does with the run, in a sentence. */
  effect: z.string(),
  /** When Zapier retries a step that is held. Without it, the step waits until somebody reconnects the account. */
  retryAfterSeconds: z.optional(z.number()),
});
/** A failed step, as Zapier shows it. */
export type Failure = z.output<typeof failure>;

const stepStatus = z.enum(['running', 'success', 'halted', 'error', 'held', 'waiting', 'delayed', 'filtered']);
export type StepStatus = z.output<typeof stepStatus>;

const stepResult = z.object({
  title: z.string(),
  status: stepStatus,
  input: z.optional(z.unknown()),
  output: z.optional(z.unknown()),
  failure: z.optional(failure),
  requests: z.array(apiRequest),
  /** The account that a step of this app ran with. */
  account: z.optional(z.string()),
});
export type StepResult = z.output<typeof stepResult>;

/** Whether the step is carried out or continued later. */
export const isPaused = ({ status }: StepResult): boolean => ['waiting', 'held', 'delayed'].includes(status);

/** A delivery as Zapier passes it to a trigger. */
const delivery = z.object({
  rawRequest: z.object({ headers: z.record(z.string(), z.string()), content: z.string(), querystring: z.string() }),
  cleanedRequest: z.optional(z.unknown()),
});
export type HookDelivery = z.output<typeof delivery>;

/** Where a run continues, and what it waits for. */
const pause = z.object({
  until: z.enum(['callback', 'time', 'reconnection']),
  /** When a retry or the end of a delay is due by the service's clock, in ms since 1970. */
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
  status: stepStatus,
  /** By the position of the step. */
  steps: z.array(stepResult),
  /** The step that ran alone, and what it did. */
  alone: z.optional(z.object({ step: z.string(), fingerprint: z.string() })),
  /** The record that started it. A replay starts with the same. */
  trigger: z.optional(z.unknown()),
  pause: z.optional(pause),
  /** Where an Autoreplay continues a run that a step failed. */
  failed: z.optional(progress),
  /** What started it: the delivery, as the one who hears of arrivals named it, or the run that it replays. */
  cause: z.optional(z.string()),
});
/** A run of a Zap, or of one step in the editor. */
export type Run = z.output<typeof run>;

/** Names the callback of a step of a run. */
export const callbackId = ({ id }: Run, index: number): string => `${id}-${index}`;

/** Whether a run has ended. A replay before that would send its messages twice. */
export const hasEnded = (each: Run): boolean => each.status !== 'running' && each.pause === undefined;

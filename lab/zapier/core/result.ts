import * as z from 'zod/mini';

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

/** What a step came to. */
export const stepStatus = z.enum(['running', 'success', 'halted', 'error', 'held', 'waiting', 'delayed', 'filtered']);
export type StepStatus = z.output<typeof stepStatus>;

/** What Zap history calls a status. */
export const statusText: Record<StepStatus, string> = {
  running: 'Running',
  success: 'Success',
  halted: 'Safely halted',
  error: 'Errored',
  held: 'On hold',
  waiting: 'Waiting',
  delayed: 'Scheduled',
  filtered: 'Filtered',
};

export const stepResult = z.object({
  title: z.string(),
  status: stepStatus,
  input: z.optional(z.unknown()),
  output: z.optional(z.unknown()),
  /** What a loop gives to the other runs of the steps after it. */
  iterations: z.optional(z.array(z.unknown())),
  failure: z.optional(failure),
  requests: z.array(apiRequest),
  /** The account that a step of the app ran with. */
  account: z.optional(z.string()),
  /** When the end of a delay is due, in ms since 1970. */
  dueAt: z.optional(z.number()),
});
/** What a step did, as Zap history shows it. */
export type StepResult = z.output<typeof stepResult>;

/** What a step did, before it has its title. */
export type Outcome = Omit<StepResult, 'title' | 'requests'> & Partial<Pick<StepResult, 'requests'>>;

/** Whether the step is carried out or continued later. */
export const isPaused = ({ status }: Pick<StepResult, 'status'>): boolean =>
  ['waiting', 'held', 'delayed'].includes(status);

import type { Fields } from '../recipes/recipe';
import type { ApiRequest } from './api-requests';

/** A value of a field: text, the items of a list, or the entries of a dictionary. Texts may hold `{{1.path}}`. */
export type FieldValue = string | string[] | Record<string, string>;

/** A filter: the step runs only when the value is this text, or isn't. */
export interface Condition {
  value: string;
  is?: string;
  isNot?: string;
}

/** A step of this app. */
export interface OwnStep {
  type: 'own';
  place: string;
  values: Record<string, FieldValue>;
  /** What people chose in a dropdown, by the field's key. */
  labels: Record<string, string>;
  /** The record that later steps map from while the Zap is built. */
  example?: unknown;
  onlyIf?: Condition | undefined;
}

/** A step of another app, with an example of what it gives as JSON. */
export interface OtherStep {
  type: 'other';
  app: string;
  event: string;
  /** Values by label. */
  fields: Fields;
  json: string;
  onlyIf?: Condition | undefined;
}

/** Delay by Zapier. The playground doesn't wait. */
export interface DelayStep {
  type: 'delay';
  hours: number;
}

export type Step = OwnStep | OtherStep | DelayStep;

/** A failed step, as Zapier shows it. */
export interface Failure {
  message: string;
  /** The error's class in words, such as "stops this run". */
  effect: string;
}

export type StepStatus = 'running' | 'success' | 'halted' | 'error' | 'held' | 'waiting' | 'filtered';

export interface StepResult {
  title: string;
  status: StepStatus;
  input: unknown;
  output: unknown;
  failure?: Failure | undefined;
  requests: ApiRequest[];
}

/** A run of a Zap, or of one step in the editor. */
export interface Run {
  id: string;
  zapId: string;
  title: string;
  type: 'test' | 'run' | 'live' | 'replay';
  startedAt: string;
  status: StepStatus;
  steps: StepResult[];
  /** The record that started it. A replay starts with the same. */
  trigger: unknown;
}

/** A subscription of a Zap that is on. */
export interface Subscription {
  id: string;
  targetUrl: string;
  data: unknown;
  expiresAt: string | undefined;
}

export interface Zap {
  id: string;
  title: string;
  steps: Step[];
  isOn: boolean;
  subscription?: Subscription | undefined;
  /** Ids that a polling trigger has seen. */
  seen: Set<string>;
}

export const maxSteps = 8;

import { createHash } from 'node:crypto';
import type { Clock } from '../clock';
import type { ApiRequest, StepResult } from '../core/result';
import { isMapped } from '../fields/mapping';
import type { Problems } from '../fields/values';
import { kindOf, type Step } from '../kinds';
import type { AppRunner } from '../kinds/app-runner';
import { runAction } from '../runs/run-action';
import { asApp } from '../zap/steps';
import { effectOf } from '../zap/versions';
import { fillIn } from './preview';
import { findFailedField } from './problems';

/** What a step would come to with the data of the steps before. */
export interface Rehearsal {
  /** What is wrong with the value of a field, by its key. */
  problems: Problems;
  /** Why the step would fail. Undefined when it would succeed, or when nobody can tell. */
  failure: string | undefined;
  /** Whether its Zap can't run before somebody corrects it. What only the service refuses of mapped data may fit another run. */
  blocks: boolean;
  /** What the step would give. Undefined when it isn't run, or fails. */
  output: unknown;
}

const fine: Rehearsal = { problems: {}, failure: undefined, blocks: false, output: undefined };

/** What steps are rehearsed on. */
interface RehearsalParts {
  /** Runs a step of the app so that nothing changes. Undefined when that isn't possible. */
  runnerOf(operation: string): AppRunner | undefined;
  /** Runs nothing. Zapier's own steps need no app. */
  app: AppRunner;
  clock: Clock;
}

const isRefused = ({ status = 0 }: ApiRequest): boolean => status >= 400;

/** Whether the service took what a step sends. What comes after that, such as a wait, isn't rehearsed. */
const hasWritten = ({ requests }: StepResult): boolean =>
  requests.some(({ method, status = 0 }) => method !== 'GET' && status >= 200 && status < 300);

const judge = (step: Step, result: StepResult): Rehearsal => {
  const { failure, requests, status } = result;
  if (!failure || hasWritten(result)) return { ...fine, output: result.output };
  const failed = { ...fine, failure: failure.message };
  const named = findFailedField(step, failure.message);
  const [key] = Object.keys(named);
  if (status === 'held' || key === undefined) return failed;
  const isOfData = isMapped(kindOf(step).entered(step)[key] ?? '');
  // The sample of an earlier step names records that nobody has.
  if (isOfData && requests.at(-1)?.status === 404) return failed;
  return { ...failed, problems: named, blocks: !isOfData || !requests.some(isRefused) };
};

/** A search or a trigger gets as far as its first request: what it would find says nothing of its form. */
const endsAtRequest = (step: Step): boolean => asApp(step)?.operation.startsWith('creates.') === false;

const maxKept = 200;

/** Runs steps as a live Zap would, except that nothing changes. Keeps what they came to. */
export class Rehearsals {
  readonly #parts: RehearsalParts;
  readonly #kept = new Map<string, Promise<Rehearsal>>();

  constructor(parts: RehearsalParts) {
    this.#parts = parts;
  }

  /** What a filled-in step would come to. `isFresh` asks again, since the service may have changed. */
  of(step: Step, outputs: readonly unknown[], isFresh: boolean): Promise<Rehearsal> {
    const app = asApp(step);
    const runner = app ? this.#parts.runnerOf(app.operation) : this.#parts.app;
    if (!runner) return Promise.resolve(fine);
    const key = createHash('sha256')
      .update(JSON.stringify([step.type, effectOf(step), app?.form, fillIn(step, outputs), runner.account]))
      .digest('base64url');
    const known = isFresh ? undefined : this.#kept.get(key);
    const rehearsal = known ?? this.#rehearse(step, outputs, runner);
    this.#kept.delete(key);
    this.#kept.set(key, rehearsal);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > maxKept && oldest !== undefined) this.#kept.delete(oldest);
    return rehearsal;
  }

  async #rehearse(step: Step, outputs: readonly unknown[], app: AppRunner): Promise<Rehearsal> {
    // A step that waits ends at once in a test.
    const isTest = app.definition.find(asApp(step)?.operation ?? '')?.isResumable ?? false;
    const result = await runAction({ app, clock: this.#parts.clock }, step, { outputs, isTest, requests: [] });
    if (endsAtRequest(step) && result.requests.length > 0) return fine;
    return judge(step, result);
  }
}

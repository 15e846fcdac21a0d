/** Holds back the runs of an action that the app limits by a `throttle` or a `lock`. */
import type { Clock } from '../clock';
import type { Operation } from '../core/definition';
import { retryIn } from '../core/failure';
import type { StepResult } from '../core/result';
import type { Step } from '../kinds';
import { type AppRunner, inputOf } from '../kinds/app-runner';
import { platform } from '../platform';
import { asApp, titleOf } from '../zap/steps';

interface BrakesParts {
  app: AppRunner;
  clock: Clock;
}

type Throttle = NonNullable<Operation['throttle']>;
type Input = Readonly<Record<string, unknown>>;

const placeholder = /\{\{bundle\.inputData\.(\w{1,100})\}\}/g;

/** The key of a brake for these values, as they were entered. A value that isn't there is empty. */
const fillKey = (key: string, input: Input): string =>
  key.replace(placeholder, (_, name: string) => String(input[name] ?? ''));

const textOf = ({ limit, window }: Throttle): string =>
  `The app lets this action run ${limit} times in ${window} s for the same value.`;

/** What actions run behind. It counts what runs in this process, for the one account that there is. */
export class Brakes {
  readonly #parts: BrakesParts;
  /** The runs in the current window of each key, and when it ends. */
  readonly #windows = new Map<string, { runs: number; endsAt: number }>();
  /** Until when a run has a lock, by its key. */
  readonly #locks = new Map<string, number>();

  constructor(parts: BrakesParts) {
    this.#parts = parts;
  }

  /** Runs a step, or returns that it's held. */
  async run(step: Step, outputs: readonly unknown[], work: () => Promise<StepResult>): Promise<StepResult> {
    const own = asApp(step);
    const operation = own && this.#parts.app.definition.find(own.operation);
    if (!own || !operation) return work();
    const input = inputOf(own, outputs);
    const hold = (message: string, seconds: number): StepResult => ({
      title: titleOf(this.#parts.app.definition, step),
      status: 'held',
      input,
      requests: [],
      failure: { message, ...retryIn(seconds) },
    });
    const lockKey = operation.lock && fillKey(operation.lock.key, input);
    if (lockKey !== undefined && (this.#locks.get(lockKey) ?? 0) > this.#parts.clock.now()) {
      return hold('Another run of this action goes first.', platform.throttleSeconds.is);
    }
    const wait = operation.throttle && this.#count(operation, operation.throttle, input);
    if (operation.throttle && wait) return hold(textOf(operation.throttle), wait);
    return lockKey === undefined ? work() : this.#locked(lockKey, operation.lock?.timeout, work);
  }

  /** Counts a run. Returns for how many seconds it has to wait instead, if its window is full. */
  #count({ path }: Operation, throttle: Throttle, input: Input): number | undefined {
    const { key = '', window, limit, scope = platform.throttleScope.is } = throttle;
    const name = JSON.stringify([fillKey(key, input), window, limit, scope, scope.includes('action') && path]);
    const now = this.#parts.clock.now();
    const last = this.#windows.get(name);
    const endsAt = now + window * 1000;
    // A window that ends later is from before the clock went back.
    const current = last && last.endsAt > now && last.endsAt <= endsAt ? last : { runs: 0, endsAt };
    this.#windows.set(name, current);
    if (current.runs >= limit) return Math.ceil((current.endsAt - now) / 1000);
    current.runs += 1;
    return undefined;
  }

  async #locked(key: string, timeout: number | undefined, work: () => Promise<StepResult>): Promise<StepResult> {
    const seconds = timeout ?? Number.POSITIVE_INFINITY;
    const until = this.#parts.clock.now() + seconds * 1000;
    this.#locks.set(key, until);
    return work().finally(() => {
      if (this.#locks.get(key) === until) this.#locks.delete(key);
    });
  }
}

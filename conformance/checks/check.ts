import { errorMessage } from '../../scripts/cli/errors';
import type { Basis } from '../../src/api/resources';

/** One claim of the contract that a service may not meet. */
export interface Check {
  name: string;
  basis: Basis;
  /** Returns what was seen. Throws `Differs`, `NotChecked` or `NotAsked`. */
  run: () => Promise<string>;
}

/** The result of a check. */
export interface CheckResult {
  check: string;
  basis: Basis;
  outcome: 'held' | 'differs' | 'not checked' | 'not asked';
  detail: string;
}

const maxShown = 5;

/** The service differs from the contract, in one way or several. */
export class Differs extends Error {
  constructor(...differences: string[]) {
    const more = differences.length > maxShown ? [`and ${differences.length - maxShown} more`] : [];
    super([...differences.slice(0, maxShown), ...more].join('; '));
  }
}

/** The check couldn't be made. The message says why. */
export class NotChecked extends Error {}

/** The check needs an option of the command. The message names it. */
export class NotAsked extends Error {}

/** No further check makes sense. The message tells the person who ran the command why. */
export class CheckAborted extends Error {}

/** Returns the checks, each of which only names the option that it needs. */
export const notAsked = (checks: readonly Check[], detail: string): Check[] =>
  checks.map((check) => ({ ...check, run: () => Promise.reject(new NotAsked(detail)) }));

/** Throws `Differs` unless the list is empty. */
export const requireNone = (differences: readonly string[]): void => {
  if (differences.length > 0) throw new Differs(...differences);
};

const outcomeOf = (error: unknown): CheckResult['outcome'] => {
  if (error instanceof Differs) return 'differs';
  // Any other failure leaves this check open, so that the checks that clean up still run.
  return error instanceof NotAsked ? 'not asked' : 'not checked';
};

/** Runs the check. Rejects with `CheckAborted` when no further check makes sense. */
export const runCheck = async ({ name, basis, run }: Check): Promise<CheckResult> => {
  try {
    return { check: name, basis, outcome: 'held', detail: await run() };
  } catch (error) {
    if (error instanceof CheckAborted) throw error;
    return { check: name, basis, outcome: outcomeOf(error), detail: errorMessage(error) };
  }
};

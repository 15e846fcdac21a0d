import type { Basis } from '../../src/api/resources';
import { sentenceOf } from '../errors';

/** One thing that the contract says and that a service may do otherwise. */
export interface Check {
  name: string;
  basis: Basis;
  /**
   * Says what was seen. Throws `Differs` when it is not what the contract says, `NotChecked` when it cannot be told,
   * `NotAsked` when the command has to ask for it.
   */
  run: () => Promise<string>;
}

/** What came of a check. */
export interface Row {
  check: string;
  basis: Basis;
  outcome: 'held' | 'differs' | 'not checked' | 'not asked';
  how: string;
}

const mostShown = 5;

/** The service does otherwise than the contract says, in one way or several. */
export class Differs extends Error {
  constructor(...ways: string[]) {
    const more = ways.length > mostShown ? [`and ${ways.length - mostShown} more`] : [];
    super([...ways.slice(0, mostShown), ...more].join('; '));
  }
}

/** The check could not be made, and why. */
export class NotChecked extends Error {}

/** The check is made only when the command asks for it, and how. */
export class NotAsked extends Error {}

/** The checks when the command does not ask for them. */
export const unasked = (checks: readonly Check[], how: string): Check[] =>
  checks.map((check) => ({ ...check, run: () => Promise.reject(new NotAsked(how)) }));

/** Throws when there is a difference. */
export const requireNone = (differences: readonly string[]): void => {
  if (differences.length > 0) throw new Differs(...differences);
};

const outcomeOf = (error: unknown): Row['outcome'] => {
  if (error instanceof Differs) return 'differs';
  // Whatever else went wrong must not keep the checks that clean up from being made.
  return error instanceof NotAsked ? 'not asked' : 'not checked';
};

/** Makes the check. */
export const makeCheck = async ({ name, basis, run }: Check): Promise<Row> => {
  try {
    return { check: name, basis, outcome: 'held', how: await run() };
  } catch (error) {
    return { check: name, basis, outcome: outcomeOf(error), how: sentenceOf(error) };
  }
};

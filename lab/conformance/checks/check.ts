import { errorMessage } from '../../cli/errors';

/** One claim of the contract that a service may not meet. */
export interface Check {
  name: string;
  /** Checks that must not have found a difference before. */
  after?: readonly string[];
  /** Returns what was seen. Throws `Differs`, `NotChecked` or `Skipped`. */
  run: () => Promise<string>;
}

/** The result of a check. */
export interface CheckResult {
  check: string;
  /** `copes`: the service differs in a way that the app copes with. `accepted`: the contract accepts what differs. */
  outcome: 'passed' | 'differs' | 'copes' | 'accepted' | 'not checked' | 'skipped' | 'missing';
  detail: string;
  /** What differs, each with its place in \`src/api\`, also what the app copes with. */
  differences: readonly string[];
  /** Those of the differences that the app copes with. */
  tolerated?: readonly string[];
}

const maxShown = 5;

/** The service differs from the contract, in one way or several. */
export class Differs extends Error {
  readonly differences: readonly string[];
  tolerated: readonly string[] = [];

  constructor(...differences: string[]) {
    const more = differences.length > maxShown ? [`and ${differences.length - maxShown} more`] : [];
    super([...differences.slice(0, maxShown), ...more].join('; '));
    this.differences = differences;
  }
}

/** The service differs from the contract, but only in ways that the app copes with. */
export class Copes extends Differs {}

/** The contract says that the service lacks what the check is about. */
export class Missing extends Error {
  constructor(name: string) {
    super(`the contract declares \`${name}\` missing`);
  }
}

/** The check couldn't be made. The message says why. */
export class NotChecked extends Error {}

/** The check is skipped. The message says what it needs, such as an option of the command. */
export class Skipped extends Error {}

/** The workspace has nothing to make the check by. The message says what to add. */
export class Lacking extends Skipped {}

/** No further check makes sense. The message tells the person who ran the command why. */
export class CheckAborted extends Error {}

/** Returns the checks as skipped, each with what it needs. */
export const skip = (checks: readonly Check[], detail: string): Check[] =>
  checks.map(({ name }) => ({ name, run: () => Promise.reject(new Skipped(detail)) }));

/** Throws `Differs` when there are differences, and `Copes` when the app copes with all of them. */
export const requireNone = (differences: readonly string[], tolerated: readonly string[] = []): void => {
  if (differences.length > 0) throw Object.assign(new Differs(...differences, ...tolerated), { tolerated });
  if (tolerated.length > 0) throw new Copes(...tolerated);
};

/** Returns what `look` saw. Where the service only differs in a way that the app copes with, `others` is judged as well. */
export const alsoJudging = (look: () => string, others: () => void): string => {
  try {
    const seen = look();
    others();
    return seen;
  } catch (error) {
    if (error instanceof Copes) others();
    throw error;
  }
};

const outcomeOf = (error: unknown): CheckResult['outcome'] => {
  if (error instanceof Copes) return 'copes';
  if (error instanceof Differs) return 'differs';
  if (error instanceof Missing) return 'missing';
  // Any other failure leaves this check open, so that the checks that clean up still run.
  return error instanceof Skipped ? 'skipped' : 'not checked';
};

/** Runs the check. Rejects with `CheckAborted` when no further check makes sense. */
export const runCheck = async ({ name, run }: Check): Promise<CheckResult> => {
  try {
    return { check: name, outcome: 'passed', detail: await run(), differences: [] };
  } catch (error) {
    if (error instanceof CheckAborted) throw error;
    const { differences, tolerated } = error instanceof Differs ? error : { differences: [], tolerated: [] };
    return { check: name, outcome: outcomeOf(error), detail: errorMessage(error), differences, tolerated };
  }
};

/** Returns the result of a check of which only these differences are left. */
export const leaving = (row: CheckResult, differences: readonly string[]): CheckResult => ({
  ...row,
  differences,
  detail: differences.join('; '),
  outcome: differences.every((each) => row.tolerated?.includes(each)) ? 'copes' : row.outcome,
});

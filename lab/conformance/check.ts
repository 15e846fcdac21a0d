import type { Missing } from '../../src/api/endpoints';
import type { EndpointName } from '../../src/api/transport';
import { errorMessage } from '../cli/errors';

/** One way in which the service differs, and what to do about it in `src/api/service.ts`. */
export interface Difference {
  text: string;
  todo: string;
}

/** Returns the line of the list `missing` that leaves a part of the service out. */
export const leaveOut = <K extends keyof Missing>(kind: K, part: string): string =>
  `leave it out: \`${kind}: ['${part}']\` in \`missing\``;

/** Returns what to write in the hook of a call. */
export const inHook = (name: EndpointName, part: 'path' | 'request' | 'response'): string =>
  `\`hooks.${name}.${part}\``;

/** The service differs from the contract. */
export class Differs extends Error {
  constructor(
    text: string,
    readonly todo: string,
  ) {
    super(text);
  }
}

/** The check couldn't be made. The message says why. */
export class NotChecked extends Error {}

/** The check is skipped. The message says what it needs, such as an option or a record. */
export class Skipped extends Error {}

/** No further check makes sense. The message tells the person who ran the command why. */
export class CheckAborted extends Error {}

/** What a check has found so far. */
export class Findings {
  readonly #differences = new Map<string, Difference>();
  readonly #tolerated = new Set<string>();

  /** Adds what a person has to do something about. */
  differs(text: string, todo: string): void {
    this.#differences.set(text, { text, todo });
  }

  /** Adds what the app copes with. */
  copes(text: string): void {
    this.#tolerated.add(text);
  }

  get differences(): Difference[] {
    return [...this.#differences.values()];
  }

  get tolerated(): string[] {
    return [...this.#tolerated];
  }
}

/** One claim of the contract that a service may not keep. */
export interface Check {
  name: string;
  /** Checks that must not have found a difference before. */
  after?: readonly string[];
  /** Returns what was seen. Adds what differs to `found`, or throws `Differs`, `NotChecked` or `Skipped`. */
  run: (found: Findings) => Promise<string>;
}

/** The result of a check. */
export interface CheckResult {
  check: string;
  outcome: 'passed' | 'differs' | 'copes' | 'not checked' | 'skipped';
  detail: string;
  differences: readonly Difference[];
}

/** Whether a result must be dealt with before the command exits with 0. */
export const isOpen = ({ outcome }: CheckResult): boolean => outcome === 'differs' || outcome === 'not checked';

const judge = (found: Findings, error: unknown): Pick<CheckResult, 'outcome' | 'detail'> => {
  const tolerated = found.tolerated.join('; ');
  if (found.differences.length > 0) return { outcome: 'differs', detail: tolerated };
  if (error instanceof Skipped) return { outcome: 'skipped', detail: error.message };
  // Any other failure leaves this check open, so that the checks after it still run.
  if (error) return { outcome: 'not checked', detail: errorMessage(error) };
  return { outcome: 'copes', detail: tolerated };
};

/** Runs the check. Rejects with `CheckAborted` when no further check makes sense. */
export const runCheck = async ({ name, run }: Check): Promise<CheckResult> => {
  const found = new Findings();
  let failure: unknown;
  try {
    const detail = await run(found);
    if (found.differences.length + found.tolerated.length === 0)
      return { check: name, outcome: 'passed', detail, differences: [] };
  } catch (error) {
    if (error instanceof CheckAborted) throw error;
    if (error instanceof Differs) found.differs(error.message, error.todo);
    else failure = error;
  }
  return { check: name, ...judge(found, failure), differences: found.differences };
};

/** Returns the checks as skipped, each with what it needs. */
export const skip = (checks: readonly Check[], detail: string): Check[] =>
  checks.map(({ name }) => ({ name, run: () => Promise.reject(new Skipped(detail)) }));

/** Returns a function that starts the work on its first call and gives every call the same result. */
export const memoize = <T>(work: () => Promise<T>): (() => Promise<T>) => {
  let result: Promise<T> | undefined;
  return () => {
    result ??= work();
    return result;
  };
};

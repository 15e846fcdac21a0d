import * as z from 'zod/mini';
import { unwrapMessage } from './error-message';
import type { Failure, StepStatus } from './result';

const thrown = z.object({ name: z.string(), message: z.string() });
interface CoreError {
  /** Such as `HaltedError`. */
  name: string;
  message: string;
  /** In how many seconds Zapier tries again, if the error says so. */
  delay?: number | undefined;
}

/** Reads an error of core, with the message for people. Core adds to some what the step did, with its bundle. */
export const readError = (error: unknown): CoreError => {
  const { name, message } = thrown.safeParse(error).data ?? { name: 'Error', message: String(error) };
  const [told = ''] = message.split(/\n(?:What happened|Console logs):\n/, 1);
  return { name, ...unwrapMessage(told.trimEnd()) };
};

/** What Zapier does with a run that it continues by itself after this time. */
export const retryIn = (seconds: number): Omit<Failure, 'message'> => {
  const retryAfterSeconds = Math.max(1, seconds);
  return { effect: `Zapier holds this run (On hold) and tries again in ${retryAfterSeconds} s.`, retryAfterSeconds };
};

/** What Zapier does after an error that no repeat solves. */
export const haltsRun = 'Zapier stops this run (Safely halted)';

/** What a step comes to after an error that is neither a halt nor a hold. */
export const failed = (message: string) => ({
  status: 'error' as const,
  failure: { message, effect: 'Zapier stops this run (Errored).' },
});

/** How Zapier shows an error that a step threw, and what it does with the run. Throttled, it waits `throttleSeconds` unless the error says how long, and at most `maxSeconds`. */
export const explainFailure = (
  error: unknown,
  throttleSeconds: number,
  maxSeconds = Number.POSITIVE_INFINITY,
): { status: StepStatus; failure: Failure } => {
  const { name, message, delay } = readError(error);
  switch (name) {
    case 'HaltedError':
      return { status: 'halted', failure: { message, effect: `${haltsRun} and keeps the Zap on.` } };
    case 'ExpiredAuthError': {
      const effect = 'Zapier asks you to reconnect the account and holds its runs (On hold) until then.';
      return { status: 'held', failure: { message, effect } };
    }
    case 'ThrottledError':
      return { status: 'held', failure: { message, ...retryIn(Math.min(delay ?? throttleSeconds, maxSeconds)) } };
    default:
      return failed(message);
  }
};

/** A sentence for a person about an error of Zapier's core or of the service. */
export const sentenceOf = (error: unknown): string => readError(error).message;

import * as z from 'zod/mini';
import type { Failure, StepStatus } from './zap';

/** The most characters of an error that Zapier shows. */
export const maxMessageLength = 250;

const thrown = z.object({ name: z.string(), message: z.string() });
/** Core wraps the message of some errors in JSON. */
const wrapped = z.object({ message: z.string(), delay: z.optional(z.number()) });

const unwrap = (message: string): z.output<typeof wrapped> => {
  if (!message.startsWith('{')) return { message };
  try {
    return wrapped.safeParse(JSON.parse(message)).data ?? { message };
  } catch {
    return { message };
  }
};

/** How Zapier shows an error that a step threw, and what it does with the run. */
export const explainFailure = (error: unknown): { status: StepStatus; failure: Failure } => {
  const { name, message: raw } = thrown.safeParse(error).data ?? { name: 'Error', message: String(error) };
  const { message, delay } = unwrap(raw);
  switch (name) {
    case 'HaltedError':
      return { status: 'halted', failure: { message, effect: "Stops this run. It doesn't count against the Zap." } };
    case 'ExpiredAuthError':
      return { status: 'held', failure: { message, effect: 'Asks to reconnect the account. Runs are held.' } };
    case 'ThrottledError':
      return { status: 'held', failure: { message, effect: `Tries again in ${delay ?? 30} s.` } };
    default:
      return { status: 'error', failure: { message, effect: 'Fails this run.' } };
  }
};

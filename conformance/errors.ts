import * as z from 'zod/mini';

/** The command was called wrongly. The message is a sentence for the person who typed it. */
export class WrongUse extends Error {}

/** The service can't be checked at all, or no longer. The message is a sentence for the person who ran the command. */
export class Stopped extends Error {}

const failure = z.object({ message: z.string(), cause: z.optional(z.object({ message: z.string() })) });

/** Returns what an error says. Core's errors carry JSON as their message, and fetch puts the reason into the cause. */
export const errorMessage = (error: unknown): string => {
  const { message, cause } = failure.parse(error);
  if (message.startsWith('{')) return errorMessage(JSON.parse(message));
  return cause?.message || message;
};

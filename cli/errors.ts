import * as z from 'zod/mini';

/** Someone called a command incorrectly. The message says what to change. */
export class UsageError extends Error {}

const failure = z.object({ message: z.string(), cause: z.optional(z.object({ message: z.string() })) });

/** Returns the message of an error. Core's errors carry JSON as their message, and fetch puts the reason into the cause. */
export const errorMessage = (error: unknown): string => {
  const { message, cause } = failure.parse(error);
  if (message.startsWith('{')) return errorMessage(JSON.parse(message));
  return cause?.message || message;
};

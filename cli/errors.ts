import * as z from 'zod/mini';

/** Someone called a command incorrectly. The message says what to change. */
export class UsageError extends Error {}

const told = z.object({ message: z.string(), delay: z.optional(z.number()) });

/** Reads the message of an error. Some of core's errors carry JSON as their message, which may say when Zapier tries again. */
export const unwrapMessage = (message: string): z.output<typeof told> => {
  if (!message.startsWith('{')) return { message };
  try {
    return told.safeParse(JSON.parse(message)).data ?? { message };
  } catch {
    return { message };
  }
};

const failure = z.object({ message: z.string(), cause: z.optional(z.object({ message: z.string() })) });

/** Returns the message of an error. Fetch puts the reason into the cause. */
export const errorMessage = (error: unknown): string => {
  const { message, cause } = failure.parse(error);
  return cause?.message || unwrapMessage(message).message;
};

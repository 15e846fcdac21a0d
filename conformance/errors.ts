import * as z from 'zod/mini';

const failure = z.object({ message: z.string(), cause: z.optional(z.object({ message: z.string() })) });

/** What an error says. Core writes the errors that it shows as JSON, and fetch has the reason in the cause. */
export const sentenceOf = (error: unknown): string => {
  const { message, cause } = failure.parse(error);
  if (message.startsWith('{')) return sentenceOf(JSON.parse(message));
  return cause?.message || message;
};

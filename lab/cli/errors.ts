import * as z from 'zod/mini';
import { unwrapMessage } from '../zapier/core/error-message';

/** Someone called a command incorrectly. The message says what to change. */
export class UsageError extends Error {}

const failure = z.object({ message: z.string(), cause: z.optional(z.object({ message: z.string() })) });

/** Returns the message of an error. Fetch puts the reason into the cause. */
export const errorMessage = (error: unknown): string => {
  const { message, cause } = failure.parse(error);
  return cause?.message || unwrapMessage(message).message;
};

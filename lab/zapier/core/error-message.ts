import * as z from 'zod/mini';

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

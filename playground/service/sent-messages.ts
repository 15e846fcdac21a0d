import * as z from 'zod/mini';
import { type Message, message } from '../../src/api/resources';

// Send Message and Wait for Reply gives its message in `sent`.
const sentWith = z.object({ sent: z.unknown() });

/** A list shows the same runs again after every change. */
const read = new WeakMap<object, Message[]>();

const readMessages = (output: object): Message[] =>
  [output, sentWith.safeParse(output).data?.sent].flatMap((candidate) => {
    const { data } = message.schema.safeParse(candidate);
    return data?.direction ? [data] : [];
  });

/** The messages in what a step gave. */
export const messagesIn = (output: unknown): Message[] => {
  if (typeof output !== 'object' || output === null) return [];
  const found = read.get(output) ?? readMessages(output);
  read.set(output, found);
  return found;
};

import * as z from 'zod/mini';
import { type Message, message } from '../../../src/api/resources';

// Send Message and Wait for Reply gives its message in `sent`, after the reply only with what a later step can use of it.
const sentWith = z.object({ sent: z.looseObject({}), reply: z.optional(message.schema) });

/** A list shows the same runs again after every change. */
const read = new WeakMap<object, Message[]>();

const readSent = (output: object): object | undefined => {
  const { sent, reply } = sentWith.safeParse(output).data ?? {};
  return sent && { direction: 'outbound', channel: reply?.channel, contact: reply?.contact, to: reply?.from, ...sent };
};

const readMessages = (output: object): Message[] =>
  [output, readSent(output)].flatMap((candidate) => {
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

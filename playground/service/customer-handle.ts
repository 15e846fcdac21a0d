/** How the playground names customers: by the phone number, or by @ and the username if they hide it. */
import * as z from 'zod/mini';

const optionalText = z.catch(z.nullish(z.string()), undefined);
const about = z.catch(
  z.looseObject({
    direction: optionalText,
    from: optionalText,
    to: optionalText,
    phone: optionalText,
    username: optionalText,
    contact: z.catch(z.nullish(z.looseObject({ phone: optionalText, username: optionalText })), undefined),
  }),
  {},
);

/** Returns how to name the customer of a message, a conversation or a contact; undefined when the record doesn't say. */
export const customerHandle = (record: unknown): string | undefined => {
  const { direction, from, to, contact, ...own } = about.parse(record ?? {});
  const username = contact?.username ?? own.username;
  const number = (direction === 'outbound' ? to : from) ?? contact?.phone ?? own.phone;
  return number ?? (username ? `@${username}` : undefined);
};

/** Whether a text names a customer who hides the number: `@lotte.p`. */
export const isUsername = (handle: string): boolean => /^@[\w.-]{1,35}$/.test(handle);

/** Returns what the sandbox takes for a customer who writes. */
export const writerOf = (handle: string): { from: string } | { username: string } =>
  isUsername(handle) ? { username: handle.slice(1) } : { from: handle };

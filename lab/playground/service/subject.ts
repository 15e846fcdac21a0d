import * as z from 'zod/mini';
import { nameOfPerson } from './people';

const text = z.catch(z.nullish(z.string()), undefined);
const person = { phone: text, username: text, first_name: text, last_name: text };
const record = z.catch(
  z.looseObject({
    ...person,
    direction: text,
    from: text,
    to: text,
    text,
    contact: z.catch(z.nullish(z.looseObject(person)), undefined),
  }),
  {},
);

/** The customer that a record is about, as far as it says. */
export interface Subject {
  /** The phone number, or @ and the username of a customer who hides it. */
  phone: string | undefined;
  name: string | undefined;
  /** What the customer or the company wrote. */
  text: string | undefined;
  /** Whether the company wrote it. */
  isSent: boolean;
}

/** Reads the customer and the text of a message, a conversation, a contact or another record. */
export const subjectOf = (value: unknown): Subject => {
  const { direction, from, to, text: written, contact, ...own } = record.parse(value ?? {});
  const username = contact?.username ?? own.username;
  const number = (direction === 'outbound' ? to : from) ?? contact?.phone ?? own.phone;
  const name = [contact?.first_name ?? own.first_name, contact?.last_name ?? own.last_name].filter(Boolean).join(' ');
  return {
    phone: number ?? (username ? `@${username}` : (!direction && to) || undefined),
    name: name || nameOfPerson(`${number}`),
    text: written || undefined,
    isSent: direction === 'outbound',
  };
};

/** Whether a text names a customer who hides the number: `@lotte.p`. */
export const isUsername = (handle: string): boolean => /^@[\w.-]{1,35}$/.test(handle);

/** Returns what the sandbox takes for a customer who writes. */
export const writerOf = (handle: string): { from: string } | { username: string } =>
  isUsername(handle) ? { username: handle.slice(1) } : { from: handle };

const maxText = 80;

/** The text in at most this many characters. */
export const shorten = (long: string, max = maxText): string =>
  long.length > max ? `${long.slice(0, max - 1).trimEnd()}…` : long;

/** Such as `To Noor Visser: "Your parcel arrives today."`. Undefined when a record names neither customer nor text. */
export const describeSubject = ({ name, phone, text: written, isSent }: Subject): string | undefined => {
  const [who, quoted] = [name ?? phone, written && `"${shorten(written)}"`];
  return [who && quoted && isSent ? `To ${who}` : who, quoted].filter(Boolean).join(': ') || undefined;
};

const named = z.catch(z.looseObject({ id: z.catch(z.coerce.string(), ''), name: text, created_at: text }), { id: '' });

/** A record of the service in a few words, with when it was created. */
export const describeRecord = (value: unknown): string => {
  const { id, name, created_at } = named.parse(value ?? {});
  const when = created_at?.replace(/^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}).*$/, '$1 $2');
  return [describeSubject(subjectOf(value)) ?? name ?? id, when].filter(Boolean).join(' · ');
};

import * as z from 'zod/mini';
import { customerHandle } from './customer-handle';

const text = z.catch(z.optional(z.string()), undefined);
const person = z.catch(z.looseObject({ first_name: text, last_name: text }), {});
const record = z.catch(
  z.looseObject({
    to: text,
    text,
    first_name: text,
    last_name: text,
    contact: person,
  }),
  { contact: {} },
);

/** The customer that a record is about, as far as it says. */
export interface Subject {
  /** The phone number, or @ and the username of a customer who hides it. */
  phone: string | undefined;
  name: string | undefined;
  /** What the customer or the company wrote. */
  text: string | undefined;
}

/** Reads the customer and the text of a message, a contact or another record. */
export const subjectOf = (value: unknown): Subject => {
  const { to, text: written, contact, first_name, last_name } = record.parse(value ?? {});
  const parts = [contact?.first_name ?? first_name, contact?.last_name ?? last_name];
  return {
    phone: customerHandle(value) ?? to,
    name: parts.filter(Boolean).join(' ') || undefined,
    text: written || undefined,
  };
};

const maxText = 80;

/** The text in at most this many characters. */
export const shorten = (long: string, max = maxText): string =>
  long.length > max ? `${long.slice(0, max - 1).trimEnd()}…` : long;

/** Such as `Noor Visser: "Where is my parcel?"`. Undefined when a record names neither customer nor text. */
export const describeSubject = ({ name, phone, text: written }: Subject): string | undefined => {
  const quoted = written && `"${shorten(written)}"`;
  return [name ?? phone, quoted].filter(Boolean).join(': ') || undefined;
};

const named = z.catch(z.looseObject({ id: z.catch(z.coerce.string(), ''), name: text, created_at: text }), { id: '' });

/** A record of the service in a few words, with when it was created. */
export const describeRecord = (value: unknown): string => {
  const { id, name, created_at } = named.parse(value ?? {});
  const when = created_at?.replace(/^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}).*$/, '$1 $2');
  return [describeSubject(subjectOf(value)) ?? name ?? id, when].filter(Boolean).join(' · ');
};

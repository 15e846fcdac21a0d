import type { Contact } from '../api/resources';

type Person = Partial<Contact> | null | undefined;

/** Returns a contact's first and last name; an empty text when both are empty. */
export const fullName = (person: Person): string => [person?.first_name, person?.last_name].filter(Boolean).join(' ');

/**
 * Returns a contact's name and phone number or email, such as "Noor Visser +12025550123"; undefined when all are empty.
 */
export const nameOfPerson = (person: Person): string | undefined =>
  [fullName(person), person?.phone ?? person?.email].filter(Boolean).join(' ') || undefined;

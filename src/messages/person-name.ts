import type { Contact } from '../api/resources';

type Person = Partial<Contact> | null | undefined;

/** Returns a contact's first and last name; an empty text when both are empty. */
export const fullName = (person: Person): string => [person?.first_name, person?.last_name].filter(Boolean).join(' ');

/** What to call a person of whom nothing is known. */
export const unnamed = 'A customer';

const handleOf = (person: Person): string | undefined => (person?.username ? `@${person.username}` : undefined);

/** Returns a contact's name or else username, such as "Noor Visser" or "@noor.visser"; undefined when both are empty. */
export const shortNameOf = (person: Person): string | undefined => fullName(person) || handleOf(person);

/**
 * Returns a contact's name with the phone number, username or email, such as "Noor Visser +12025550123"; undefined when
 * all are empty.
 */
export const nameOfPerson = (person: Person): string | undefined =>
  [fullName(person), person?.phone || handleOf(person) || person?.email].filter(Boolean).join(' ') || undefined;

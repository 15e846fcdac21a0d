/** What to call people. A name is data: nobody can be called so that a text says something else. */
import { readE164 } from '../api/e164';
import type { Contact } from '../api/resources';
import { toPart } from '../formats/text';

type Person = Partial<Contact> | null | undefined;

/** Returns a contact's first and last name as the service has them; an empty text when both are empty. */
export const fullName = (person: Person): string => [person?.first_name, person?.last_name].filter(Boolean).join(' ');

/** What to call a person of whom nothing is known. */
export const unnamed = 'A customer';

/** What texts call the business, and a writer on a side that nobody knows. */
export const writers = { us: 'Us', unknown: 'Someone' } as const;

const reserved = Object.values(writers).map((name) => name.toLowerCase());

/** How a text begins that says what somebody is called. */
const unnamedLetters = 'acustomer';

/** The number of characters of a name, twice as many as people have. */
const maxLength = 100;

const invisible = /[\s\p{Default_Ignorable_Code_Point}]/gu;

/** A name of letters, digits, emojis and what usually stands between them, and nothing that frames a line. A flag is two letters. */
const plain =
  /^(?!.*\p{Regional_Indicator})[\p{L}\p{M}\p{N}\p{Extended_Pictographic}\p{Emoji_Component} .,'’&()/_-]+$/u;

/** Returns the letters of each word, without case, accents and what nobody can see. */
const lettersOf = (name: string): string[] =>
  name
    .normalize('NFKD')
    .replace(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, '')
    .toLowerCase()
    .match(/[^\P{L}\p{Lm}]+/gu) ?? [];

/** Two letters that may look like "Us", such as Cyrillic ones. East Asian names often have two, and never do. */
const lookalike = /^(?![a-z]{2}|[\p{scx=Han}\p{scx=Hangul}\p{scx=Hira}\p{scx=Kana}]{2})..$/u;

/** Whether a name could be taken for what a text calls us. */
const isReserved = (name: string): boolean => {
  const words = lettersOf(name);
  const whole = words.join('');
  return (
    reserved.some((each) => each === words[0] || each === whole) ||
    whole.startsWith(unnamedLetters) ||
    lookalike.test(whole)
  );
};

/** Returns a text in quotes, of which it has none itself. */
const inQuotes = (text: string): string => `"${text.replaceAll('"', "'")}"`;

/** Returns a name, in quotes if it could be taken for something else; undefined when there is nothing to see. */
const asName = (name: string): string | undefined => {
  const part = toPart(name, maxLength);
  if (!part.replace(invisible, '')) return undefined;
  return plain.test(part) && !isReserved(part) ? part : `${unnamed} called ${inQuotes(part)}`;
};

/** Returns what finds a person, such as an email address; undefined when there is nothing to see. */
const asHandle = (text: string | null | undefined): string | undefined => {
  const part = toPart(text ?? '', maxLength);
  if (!part.replace(invisible, '')) return undefined;
  return /^(?=.*[@+\d])[\p{L}\p{N}@._%+-]+$/u.test(part) ? part : inQuotes(part);
};

const userOf = (person: Person): string | undefined => asHandle(person?.username && `@${person.username}`);

/** Returns a phone number for a text, in E.164 if it is one; undefined when it's empty. */
export const shownPhone = (phone: string | null | undefined): string | undefined => readE164(phone) ?? asHandle(phone);

/** Returns a contact's name or else username, such as "Noor Visser" or "@noor.visser"; undefined when both are empty. */
export const shortNameOf = (person: Person): string | undefined => asName(fullName(person)) ?? userOf(person);

/**
 * Returns a contact's name with the phone number, username or email, such as "Noor Visser +12025550123"; undefined when
 * all are empty.
 */
export const nameOfPerson = (person: Person): string | undefined => {
  const handle = shownPhone(person?.phone) ?? userOf(person) ?? asHandle(person?.email);
  return [asName(fullName(person)), handle].filter(Boolean).join(' ') || undefined;
};

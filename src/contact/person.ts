/**
 * Who a person is, and what to call them. The app identifies a contact by its ID. A name is data: nobody can be called so that a text says
 * something else.
 */
import * as zod from 'zod/mini';
import { readE164 } from '../api/e164';
import { type Contact, contact, type Message, message } from '../api/resources';
import { numberIdentity } from '../message/phone';
import { toPart } from '../text/fold';

/** Whether something is so; `unknown` when the records don't tell. */
export type Verdict = 'yes' | 'no' | 'unknown';

/** What a record says about a person. */
export interface Person {
  /** The id of the contact. */
  id?: string | null | undefined;
  /** E.164. Any other text, such as the id that a messaging app has for a person, isn't a phone number. */
  phone?: string | null | undefined;
  conversation_id?: string | null | undefined;
}

/**
 * Returns whether two records are about the same person: by the id of the contact, or by a phone number that both have.
 * Two contacts, or two numbers, are two people, except within a conversation, where nobody knows who writes after a
 * merge or in a group. Names and usernames prove nothing.
 */
export const samePerson = (one: Person, other: Person): Verdict => {
  const ids = one.id && other.id ? [one.id, other.id] : [];
  const [number, otherNumber] = [numberIdentity(one.phone), numberIdentity(other.phone)];
  const numbers = number && otherNumber ? [number, otherNumber] : [];
  if ([ids, numbers].some(([first, second]) => first && first === second)) return 'yes';
  const differs = ids.length > 0 || numbers.length > 0;
  const isTogether = Boolean(one.conversation_id) && one.conversation_id === other.conversation_id;
  // Both is a contradiction, and neither tells nothing.
  if (isTogether === differs) return 'unknown';
  return isTogether ? 'yes' : 'no';
};

/** Whether two records are known to be about the same person. */
export const isSamePerson = (one: Person, other: Person): boolean => samePerson(one, other) === 'yes';

/** Returns the customer of a message or conversation: who wrote it, or whom we wrote to. */
export const personOf = ({
  contact,
  conversation_id,
  direction,
  from,
  to,
}: Pick<Message, 'contact' | 'conversation_id' | 'direction' | 'from' | 'to'>): Person => {
  // Without a direction, either number may be our own.
  const number = new Map([
    ['inbound', from],
    ['outbound', to],
  ]).get(direction ?? '');
  return { id: contact?.id, phone: readE164(number) ?? contact?.phone, conversation_id };
};

/** What a message or conversation says about its customer. */
const about = zod.object({
  contact: message.schema.shape.contact,
  direction: message.schema.shape.direction,
  from: message.schema.shape.from,
  to: message.schema.shape.to,
});

/** What a result says about its customer, without whose phone number we can't write first. Null when nobody knows. */
export const reachable = { has_phone_number: zod.nullable(zod.boolean()) };
type Reachable = zod.output<zod.ZodMiniObject<typeof reachable>>;

const withNumber = <R extends object>(record: R, phone: string | null | undefined): R & Reachable => ({
  ...record,
  has_phone_number: readE164(phone) !== undefined,
});

/** Returns a message or conversation with whether its customer has a phone number. */
export const withReachability = <R extends object>(record: R): R & Reachable =>
  withNumber(record, personOf(about.safeParse(record).data ?? {}).phone);

/** Returns a contact with whether it has a phone number. One that an update was answered without doesn't say. */
export const toReachableContact = (record: Contact): Contact & Reachable =>
  record.phone === undefined ? { ...record, has_phone_number: null } : withNumber(record, record.phone);

/** A message and a contact as steps return them. */
export const reachableRecords = {
  message: {
    noun: message.noun,
    schema: zod.looseObject({ ...message.schema.shape, ...reachable }),
    sample: withReachability(message.sample),
  },
  contact: {
    noun: contact.noun,
    schema: zod.looseObject({ ...contact.schema.shape, ...reachable }),
    sample: toReachableContact(contact.sample),
  },
};

export type ReachableContact = zod.output<typeof reachableRecords.contact.schema>;

type Named = Partial<Contact> | null | undefined;

/** Returns a contact's first and last name as the service has them; an empty text when both are empty. */
export const fullName = (person: Named): string => [person?.first_name, person?.last_name].filter(Boolean).join(' ');

/** What to call a person of whom nothing is known. */
export const unnamed = 'A customer';

/** The number of characters of a name, twice as many as people have. */
const maxLength = 100;

const invisible = /[\s\p{Default_Ignorable_Code_Point}]/gu;

/** A name of letters, digits, emojis and what usually stands between them, and nothing that frames a line. A flag is two letters. */
const plain =
  /^(?!.*\p{Regional_Indicator})[\p{L}\p{M}\p{N}\p{Extended_Pictographic}\p{Emoji_Component} .,'’&()/_-]+$/u;

/** Returns a text in quotes, of which it has none itself. */
const inQuotes = (text: string): string => `"${text.replaceAll('"', "'")}"`;

/** Returns a name, in quotes if it has more than names have; undefined when there is nothing to see. */
const asName = (name: string): string | undefined => {
  const part = toPart(name, maxLength);
  if (!part.replace(invisible, '')) return undefined;
  return plain.test(part) ? part : inQuotes(part);
};

/** Returns what finds a person, such as an email address; undefined when there is nothing to see. */
const asHandle = (text: string | null | undefined): string | undefined => {
  const part = toPart(text ?? '', maxLength);
  if (!part.replace(invisible, '')) return undefined;
  return /^(?=.*[@+\d])[\p{L}\p{N}@._%+-]+$/u.test(part) ? part : inQuotes(part);
};

const userOf = (person: Named): string | undefined => asHandle(person?.username && `@${person.username}`);

/** Returns a phone number for a text, in E.164 if it is one; undefined when it's empty. */
export const shownPhone = (phone: string | null | undefined): string | undefined => readE164(phone) ?? asHandle(phone);

/** Returns a contact's name or else username, such as "Noor Visser" or "@noor.visser"; undefined when both are empty. */
export const shortNameOf = (person: Named): string | undefined => asName(fullName(person)) ?? userOf(person);

/**
 * Returns a contact's name with the phone number, username or email, such as "Noor Visser +12025550123"; undefined when
 * all are empty.
 */
export const nameOfPerson = (person: Named): string | undefined => {
  const handle = shownPhone(person?.phone) ?? userOf(person) ?? asHandle(person?.email);
  return [asName(fullName(person)), handle].filter(Boolean).join(' ') || undefined;
};

/** Tells people apart. A contact is its id, and a phone number is something that it may have. */
import * as zod from 'zod/mini';
import { readE164 } from '../api/e164';
import { type Contact, contact, type Message, message } from '../api/resources';
import { numberIdentity } from '../formats/phone-identity';

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
 * Returns whether two records are about the same person. The same contact or the same phone is the same person: a
 * contact may have several numbers, and a service may have a person twice. Names and usernames prove nothing. Only
 * without a number does the conversation count, where a second contact may be the first one after a merge.
 */
export const samePerson = (one: Person, other: Person): Verdict => {
  const hasIds = Boolean(one.id && other.id);
  if (hasIds && one.id === other.id) return 'yes';
  const [number, otherNumber] = [numberIdentity(one.phone), numberIdentity(other.phone)];
  if (number && otherNumber) return number === otherNumber ? 'yes' : 'no';
  if (!one.conversation_id || !other.conversation_id) return 'unknown';
  if (one.conversation_id === other.conversation_id) return hasIds ? 'unknown' : 'yes';
  return hasIds ? 'no' : 'unknown';
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

/** What a result says about its customer, without whose phone number we can't write first. */
export const reachable = { has_phone_number: zod.boolean() };
type Reachable = zod.output<zod.ZodMiniObject<typeof reachable>>;

const withNumber = <R extends object>(record: R, phone: string | null | undefined): R & Reachable => ({
  ...record,
  has_phone_number: readE164(phone) !== undefined,
});

/** Returns a message or conversation with whether its customer has a phone number. */
export const withReachability = <R extends object>(record: R): R & Reachable =>
  withNumber(record, personOf(about.safeParse(record).data ?? {}).phone);

/** Returns a contact with whether it has a phone number. */
export const toReachableContact = (record: Contact): Contact & Reachable => withNumber(record, record.phone);

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

export type ReachableMessage = zod.output<typeof reachableRecords.message.schema>;
export type ReachableContact = zod.output<typeof reachableRecords.contact.schema>;

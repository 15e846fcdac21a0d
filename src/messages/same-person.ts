/** Tells people apart. A contact is its id, and a phone number is something that it may have. */
import * as zod from 'zod/mini';
import { readE164 } from '../api/fields';
import { type Contact, contact, type Message, message } from '../api/resources';

/** What is known of a person. */
export interface Person {
  /** The id of the contact. */
  id?: string | null | undefined;
  /** E.164. Any other text, such as the id that a messaging app has for a person, isn't a phone number. */
  phone?: string | null | undefined;
}

/** Whether two people have the same phone number. False if either has none. */
const isSameNumber = (one: string | null | undefined, other: string | null | undefined): boolean => {
  const number = readE164(one);
  return number !== undefined && number === readE164(other);
};

/**
 * Whether two records are known to be about the same person: by contact id if both have one, else by phone number. False
 * if that isn't known: a name or username proves nothing, because several people can have it.
 */
export const isSamePerson = (one: Person, other: Person): boolean =>
  one.id && other.id ? one.id === other.id : isSameNumber(one.phone, other.phone);

/** Whether two records tell if they are about the same person. Otherwise, only their place may, such as a conversation. */
export const canTellApart = (one: Person, other: Person): boolean =>
  Boolean((one.id && other.id) || (readE164(one.phone) && readE164(other.phone)));

/** Returns the customer of a message or conversation: who wrote it, or whom we wrote to. */
export const personOf = ({
  contact,
  direction,
  from,
  to,
}: Pick<Message, 'contact' | 'direction' | 'from' | 'to'>): Person => {
  // Without a direction, either number may be our own.
  const number = new Map([
    ['inbound', from],
    ['outbound', to],
  ]).get(direction ?? '');
  return { id: contact?.id, phone: readE164(number) ?? contact?.phone };
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

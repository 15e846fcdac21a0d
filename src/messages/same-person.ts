/** Tells people apart. A contact is its id, and a phone number is something that it may have. */
import * as zod from 'zod/mini';
import { readE164 } from '../api/fields';
import { type Message, message } from '../api/resources';

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

/** Returns a message or conversation with whether its customer has a phone number, without which we can't write first. */
export const withReachability = <R extends object>(record: R): R & { has_phone_number: boolean } => {
  const { phone } = personOf(about.safeParse(record).data ?? {});
  return { ...record, has_phone_number: readE164(phone) !== undefined };
};

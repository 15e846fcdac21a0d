/**
 * Which deliveries start a Zap: those of the watched events whose records pass the form, each one once, and of lines that a
 * person writes in a row only the first.
 */
import { randomUUID } from 'node:crypto';
import type { Bundle, PlainInputField, ZObject } from 'zapier-platform-core';
import { decode } from '../api/decode';
import { type Delivery, type EventName, type EventRecords, events } from '../api/events';
import { passesFilters } from '../api/filters';
import { exists } from '../api/missing';
import type { Message, WebhookFilters } from '../api/resources';
import { halt } from '../step/errors';
import type { InputOf } from '../step/input';
import { digest, inTime } from '../step/memory';
import { readText } from '../text/fold';
import { readDelivery, type Subscription, unrecognizedPayload } from './delivery';

type Event = Pick<Delivery, 'id' | 'type'> & { record: { id?: unknown } };

/** The service retries a delivery for less than a day. */
const ttlSeconds = 24 * 60 * 60;

/** The time limit for the cache. An occasional duplicate run is better than a late one. */
const timeoutMs = 1_000;

/** Returns a key of a subscription in the cache. Only the secret keeps accounts apart, because two may have the same ids. */
const cacheKey = ({ secret, id }: Subscription, ...parts: string[]): string => digest(secret, id, ...parts);

/**
 * A message is received, sent, delivered, read and failed once, so it's the same event under another id. A conversation may
 * be opened and closed again and again.
 */
const keyOf = (subscription: Subscription, { id, type, record }: Event): string =>
  type.startsWith('message.') && record.id
    ? cacheKey(subscription, 'message', String(record.id), type)
    : cacheKey(subscription, id, type);

const wasSeen = async (z: ZObject, key: string): Promise<boolean> => {
  const ownMark = randomUUID();
  const isOtherMark = (value: unknown): boolean => Boolean(value) && value !== ownMark;
  // With `nx`, only one of two simultaneous deliveries can write. The read is for core's test cache, which lacks `nx`.
  const [before, written] = await Promise.all([
    z.cache.get(key),
    z.cache.set(key, ownMark, ttlSeconds, undefined, true),
  ]);
  return isOtherMark(before) || (written === false && isOtherMark(await z.cache.get(key)));
};

/**
 * Whether a subscription hasn't received an event before, and marks it. When Zapier's cache fails or is slow, the event
 * counts as new, since a duplicate run is better than a missing one.
 */
const isNew = async (z: ZObject, subscription: Subscription, event: Event): Promise<boolean> =>
  (await inTime(wasSeen(z, keyOf(subscription, event)), timeoutMs)) !== true;

/** How far apart the runs for records with the same key have to be. A record without a key always starts the Zap. */
interface Spacing<R> {
  minutes: number;
  keyOf: (record: R) => string | undefined;
}

/** Whether a key is free, and taken from now on. Undefined when the cache doesn't say. */
const take = async (z: ZObject, key: string, seconds: number): Promise<boolean | undefined> => {
  // Read first, since core's cache for tests would overwrite the value.
  if (await z.cache.get(key)) return false;
  const written: unknown = await z.cache.set(key, true, seconds, undefined, true);
  return typeof written === 'boolean' ? written : undefined;
};

/**
 * Whether a record starts the Zap: of those with the same key, only the first one in so many minutes does. When Zapier's
 * cache fails or is slow, it does, since a run too many is better than a missing one.
 */
const isApart = async <R>(
  z: ZObject,
  subscription: Subscription,
  record: R,
  { minutes, keyOf: groupOf }: Spacing<R>,
): Promise<boolean> => {
  const group = groupOf(record);
  if (group === undefined) return true;
  const key = cacheKey(subscription, 'spacing', group);
  return (await inTime(take(z, key, minutes * 60), timeoutMs)) !== false;
};

/** Returns who sent a message, such as `colleague`. Undefined when the record doesn't say, or isn't a message. */
const senderOf = (record: object): string | undefined => readText(Reflect.get(record, 'source'));

const unknownSender = (): Error =>
  halt(
    "The messaging service doesn't say who sent this message, so the Zap didn't start. Turn the Zap off and on again. If that doesn't help, choose all senders in Sent By, unless this Zap sends messages.",
  );

/** The values that each filter of a subscription lets through. Undefined or an empty list lets every value through. */
export type SubscriptionFilters = {
  [K in Exclude<keyof WebhookFilters, 'after'>]?: string | readonly string[] | undefined;
};

/** Returns the values that each filter lets through; none when it lets every value through. */
export const toLists = (filters: SubscriptionFilters): Record<string, string[]> =>
  Object.fromEntries(Object.entries(filters).map(([name, wanted]) => [name, [wanted ?? []].flat()]));

/** What differs between two instant triggers. */
export interface InstantTrigger<E extends EventName, F extends PlainInputField[]> {
  /** The events that the trigger can watch. All have the same resource. The first one gives the sample. */
  events: readonly [E, ...E[]];
  inputFields: F;
  /** The direction of the messages in the events. */
  direction?: Message['direction'];
  /** Returns the events that a Zap watches. By default, all. */
  watch?: (input: InputOf<F>) => readonly E[];
  /** Returns the filters of the webtrigger. Each record is checked against them again. */
  filter: (input: InputOf<F>) => SubscriptionFilters;
  /** Returns the event that a delivered one stands for. Events that stand for the same start one run. By default, itself. */
  meaning?: (event: string, record: EventRecords[E], input: InputOf<F>) => string;
  /** Whether a record passes the parts of the form that a webhook has no filter for. A record of a list has no event. */
  accepts?: (record: EventRecords[E], input: InputOf<F>, event?: string) => boolean;
  /** Returns how far apart runs have to be. Throws an error when the form says it wrong. By default, every record starts one. */
  spacing?: (input: InputOf<F>) => Spacing<EventRecords[E]> | undefined;
  /** Returns recent records for the test step, newest first. */
  list: (z: ZObject, input: InputOf<F>) => Promise<EventRecords[E][]>;
}

/** Returns the events that a Zap watches, of those that the service has. */
export const watchedBy = <E extends EventName, F extends PlainInputField[]>(
  { events: all, watch }: InstantTrigger<E, F>,
  input: InputOf<F>,
): readonly E[] => (watch?.(input) ?? all).filter(exists);

/** Whether the form lets a record start the Zap. A record of a list has no event. */
export const isWanted = <E extends EventName, F extends PlainInputField[]>(
  { filter, direction, accepts }: InstantTrigger<E, F>,
  input: InputOf<F>,
  record: EventRecords[E],
  event?: string,
): boolean =>
  passesFilters({ ...record, source: senderOf(record) }, { ...filter(input), direction }) &&
  (accepts?.(record, input, event) ?? true);

/** Returns the whole record of an event. Throws an error when there is only its id, or it can't be read. */
const readRecord = <E extends EventName>(name: E, { data }: Delivery): EventRecords[E] => {
  const record = decode(events[name].schema, data).data;
  if (!record || Object.keys(record).length === 1) throw unrecognizedPayload();
  return record;
};

/**
 * Returns the record of a delivery if it starts the Zap. `readForm` reads the form, once the delivery is known to come from
 * the service. Throws an error for a delivery that isn't genuine or has another format.
 */
export const receive = async <E extends EventName, F extends PlainInputField[]>(
  z: ZObject,
  bundle: Bundle,
  trigger: InstantTrigger<E, F>,
  readForm: (bundle: Bundle) => InputOf<F>,
): Promise<EventRecords[E][]> => {
  const { subscription, event } = readDelivery(bundle);
  const input = readForm(bundle);
  if (!watchedBy(trigger, input).some((name) => name === event.type)) return [];
  const record = readRecord(trigger.events[0], event);
  const type = trigger.meaning?.(event.type, record, input) ?? event.type;
  if (!isWanted(trigger, input, record, type)) return [];
  // A source of null could be anyone.
  if (toLists(trigger.filter(input)).source?.length && !senderOf(record)) throw unknownSender();
  if (!(await isNew(z, subscription, { id: event.id, type, record }))) return [];
  const apart = trigger.spacing?.(input);
  return !apart || (await isApart(z, subscription, record, apart)) ? [record] : [];
};

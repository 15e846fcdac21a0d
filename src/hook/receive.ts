/** Which records of a delivery start a Zap: those of the watched events that pass the form, each one once. */

import type { Bundle, PlainInputField, ZObject } from 'zapier-platform-core';
import * as zod from 'zod/mini';
import { decode } from '../api/decode';
import { type Delivery, type EventName, type EventRecords, events } from '../api/events';
import { passesFilters } from '../api/filters';
import { type Message, type Webhook, type WebhookFilters, webhookFilters } from '../api/resources';
import { fromWire } from '../api/translate';
import { lookUpMany } from '../call/look-up-many';
import { halt } from '../step/errors';
import type { InputOf } from '../step/input';
import { readText } from '../text/fold';
import { readDelivery, type Subscription, unrecognizedPayload } from './genuine';
import { markNew, removeMarked, type Spacing, spaceOut } from './once';

/** Returns who sent a message, such as `colleague`. Undefined when the record doesn't say, or isn't a message. */
const senderOf = (record: object): string | undefined => readText(Reflect.get(record, 'source'));

const senderFilter = zod.looseObject({ source: webhookFilters.shape.source });

/** Returns the senders to which the service says it limits a webhook; none unless all of them were requested. */
export const confirmSources = ({ filters }: Webhook, requested: readonly string[]): string[] => {
  const { source: confirmed = [] } = senderFilter.safeParse(fromWire(senderFilter, filters)).data ?? {};
  return confirmed.every((each) => requested.includes(each))
    ? requested.filter((each) => confirmed.includes(each))
    : [];
};

/**
 * Whether only a wanted sender can have sent a message that passes the filters. When the message has no source, the
 * senders to which the service limits the webhook decide. A source of null could be anyone.
 */
const isSenderCertain = (record: object, wanted: readonly string[], confirmed: readonly string[]): boolean => {
  if (wanted.length === 0 || senderOf(record)) return true;
  const isLimited = confirmed.length > 0 && confirmed.every((each) => wanted.includes(each));
  return isLimited && Reflect.get(record, 'source') === undefined;
};

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
export interface Hook<E extends EventName, F extends PlainInputField[]> {
  /** The events that the trigger can watch. All have the same resource. The first one gives the sample. */
  events: readonly [E, ...E[]];
  inputFields: F;
  /** The direction of the messages in the events. */
  direction?: Message['direction'];
  /** Returns the events that a Zap watches. By default, all. */
  watch?: (input: InputOf<F>) => readonly E[];
  /** Returns the filters of the webhook. Each record is checked against them again. */
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

/** Returns the events that a Zap watches. */
export const watchedBy = <E extends EventName, F extends PlainInputField[]>(
  { events: all, watch }: Hook<E, F>,
  input: InputOf<F>,
): readonly E[] => watch?.(input) ?? all;

/** Whether the form lets a record start the Zap. A record of a list has no event. */
export const isWanted = <E extends EventName, F extends PlainInputField[]>(
  { filter, direction, accepts }: Hook<E, F>,
  input: InputOf<F>,
  record: EventRecords[E],
  event?: string,
): boolean =>
  passesFilters({ ...record, source: senderOf(record) }, { ...filter(input), direction }) &&
  (accepts?.(record, input, event) ?? true);

interface Received<R> extends Pick<Delivery, 'id' | 'type'> {
  record: R;
}

const readWatched = <E extends EventName>(
  resource: (typeof events)[E],
  names: readonly string[],
  delivered: readonly Delivery[],
): Received<EventRecords[E]>[] => {
  const watched = delivered.filter(({ type }) => names.includes(type));
  const readable = watched.flatMap(({ id, type, data }) => {
    const record = decode(resource.schema, data).data;
    return record ? [{ id, type, record }] : [];
  });
  if (readable.length === 0 && watched.length > 0) throw unrecognizedPayload();
  return readable;
};

const hasOnlyId = ({ record }: Received<object>): boolean => Object.keys(record).length === 1;

/** Returns the events with their whole records, without those that are gone, and why others couldn't be read. */
const completeRecords = async <E extends EventName>(
  z: ZObject,
  resource: (typeof events)[E],
  subscription: Subscription,
  received: Received<EventRecords[E]>[],
) => {
  if (!received.some(hasOnlyId)) return { complete: received, error: undefined };
  const thin = await removeMarked(z, subscription, received.filter(hasOnlyId));
  const { records, error } = await lookUpMany(
    z,
    resource.get,
    thin.map(({ record }) => String(record.id)),
  );
  const complete = received.flatMap((event) => {
    const record = hasOnlyId(event) ? records.get(String(event.record.id)) : event.record;
    return record ? [{ ...event, record }] : [];
  });
  return { complete, error };
};

/**
 * Returns the records of a delivery that start the Zap. `readForm` reads the form, once the delivery is known to come from
 * the service. Throws an error for a delivery that isn't genuine or has another format, and when no record can be read.
 */
export const receive = async <E extends EventName, F extends PlainInputField[]>(
  z: ZObject,
  bundle: Bundle,
  hook: Hook<E, F>,
  readForm: (bundle: Bundle) => InputOf<F>,
): Promise<EventRecords[E][]> => {
  const { subscription, delivered } = readDelivery(bundle);
  const input = readForm(bundle);
  const resource = events[hook.events[0]];
  const watched = readWatched(resource, watchedBy(hook, input), delivered);
  const { complete, error } = await completeRecords(z, resource, subscription, watched);
  const wanted = complete
    .map((event) => ({ ...event, type: hook.meaning?.(event.type, event.record, input) ?? event.type }))
    .filter(({ record, type }) => isWanted(hook, input, record, type));
  const { source = [] } = toLists(hook.filter(input));
  const certain = wanted.filter(({ record }) => isSenderCertain(record, source, subscription.confirmed_sources));
  if (certain.length === 0 && wanted.length > 0) throw error ?? unknownSender();
  // Last, because after an error Zapier repeats the whole delivery.
  const fresh = await markNew(z, subscription, certain);
  const apart = hook.spacing?.(input);
  const started = apart ? await spaceOut(z, subscription, fresh, apart) : fresh;
  // What couldn't be read holds nothing back. A repeat of the delivery reads it again.
  if (started.length === 0 && error) throw error;
  return started.map(({ record }) => record);
};

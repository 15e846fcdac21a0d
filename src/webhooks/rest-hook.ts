import type { Bundle, InferInputData, InputField, ZObject } from 'zapier-platform-core';
import { decode } from '../api/decode';
import { endpoints } from '../api/endpoints';
import { type Delivery, type EventName, type EventRecords, events } from '../api/events';
import { passesFilters } from '../api/filters';
import type { Message } from '../api/resources';
import { readInput } from '../forms/input';
import { outputs } from '../forms/output';
import { find } from '../http/client';
import { isOnZapier } from '../platform/runtime';
import { removeDuplicates } from './deduplicate';
import { hasPayload, readDelivery, unrecognizedPayload } from './delivery';
import { isSenderCertain, senderOf, unknownSender } from './sender';
import { type SubscriptionFilters, subscribe, toLists } from './subscribe';

interface Hook<E extends EventName, F extends InputField[]> {
  /** The events that the trigger can watch. All have the same resource. The first one gives the sample. */
  events: readonly [E, ...E[]];
  inputFields: F;
  /** The direction of the messages in the events. */
  direction?: Message['direction'];
  /** Returns the events that a Zap watches. By default, all. */
  watch?: (input: InferInputData<F>) => readonly E[];
  /** Returns the filters of the webhook. Each record is checked against them again. */
  filter: (input: InferInputData<F>) => SubscriptionFilters;
  /** Whether a record passes the parts of the form that a webhook has no filter for. */
  accepts?: (record: EventRecords[E], input: InferInputData<F>) => boolean;
  /** Returns recent records for the test step, newest first. */
  list: (z: ZObject, input: InferInputData<F>) => Promise<EventRecords[E][]>;
}

/** Whether `zapier-platform invoke` runs the step on a developer's machine. A Zap that is turned on is subscribed. */
const isInvokedLocally = ({ subscribeData }: Bundle): boolean => !subscribeData && !isOnZapier();

/**
 * Returns the operation of an instant trigger. It subscribes only to its events, verifies and filters each delivery,
 * ignores repeated ones, lists recent records for the test step, and deletes only its own webhook. It throws an error
 * for a delivery that isn't genuine or has another format.
 */
export const hook = <E extends EventName, const F extends InputField[]>({
  events: names,
  inputFields,
  direction,
  watch = () => names,
  filter,
  accepts = () => true,
  list,
}: Hook<E, F>) => {
  const resource = events[names[0]];

  const readForm = ({ inputData }: Bundle): InferInputData<F> => readInput(inputFields, inputData);

  const isWatched = ({ type }: Delivery, input: InferInputData<F>): boolean =>
    watch(input).some((name) => name === type);

  const isWanted = (record: EventRecords[E], input: InferInputData<F>): boolean =>
    passesFilters({ ...record, source: senderOf(record) }, { ...filter(input), direction }) && accepts(record, input);

  /** Returns the record of an event. Fetches it when the event has only its id; undefined when it's gone. */
  const readRecord = async (z: ZObject, { data }: Delivery): Promise<EventRecords[E] | undefined> => {
    const record = decode(resource.schema, data).data;
    if (!record) throw unrecognizedPayload();
    const hasOnlyId = Object.keys(record).length === 1;
    return hasOnlyId ? find(z, resource.get, { id: String(record.id) }) : record;
  };

  const performSubscribe = async (z: ZObject, bundle: Bundle) => {
    const input = readForm(bundle);
    return subscribe(z, bundle.targetUrl ?? '', watch(input), filter(input));
  };

  const performUnsubscribe = async (z: ZObject, { subscribeData }: Bundle) => {
    const id = subscribeData?.id;
    if (id) await find(z, endpoints.deleteWebhook, { id });
    return { id };
  };

  const performList = async (z: ZObject, bundle: Bundle): Promise<EventRecords[E][]> => {
    const input = readForm(bundle);
    return (await list(z, input)).filter((record) => isWanted(record, input));
  };

  /** Returns the events that pass the form, each with its record. */
  const readWanted = async (z: ZObject, delivered: Delivery[], input: InferInputData<F>) => {
    const wanted: { id: string; type: string; record: EventRecords[E] }[] = [];
    for (const event of delivered.filter((each) => isWatched(each, input))) {
      const record = await readRecord(z, event);
      if (record && isWanted(record, input)) wanted.push({ id: event.id, type: event.type, record });
    }
    return wanted;
  };

  const perform = async (z: ZObject, bundle: Bundle): Promise<EventRecords[E][]> => {
    if (!hasPayload(bundle)) return isInvokedLocally(bundle) ? performList(z, bundle) : [];
    const { subscription, delivered } = readDelivery(bundle);
    const input = readForm(bundle);
    const { source = [] } = toLists(filter(input));
    const wanted = await readWanted(z, delivered, input);
    const certain = wanted.filter(({ record }) => isSenderCertain(record, source, subscription.confirmed_sources));
    if (certain.length === 0 && wanted.length > 0) throw unknownSender();
    // Last, because after an error Zapier repeats the whole delivery.
    return (await removeDuplicates(z, subscription, certain)).map(({ record }) => record);
  };

  return {
    type: 'hook' as const,
    inputFields,
    performSubscribe,
    performUnsubscribe,
    perform,
    performList,
    ...outputs[resource.noun],
    sample: resource.sample,
  };
};

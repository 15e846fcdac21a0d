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
import { isDuplicateDelivery } from './deduplicate';
import { readDelivery, unrecognizedPayload } from './delivery';
import { type SubscriptionFilters, subscribe } from './subscribe';

interface Hook<E extends EventName, F extends InputField[]> {
  /** The events that the trigger can watch. All have the same resource. The first one gives the sample. */
  events: readonly [E, ...E[]];
  inputFields: F;
  /** The direction of the messages in the events. */
  direction?: Message['direction'];
  /** Returns the events that a Zap watches. By default, all. */
  watch?: (input: InferInputData<F>) => readonly E[];
  /** Returns the filters for the service. Each record is checked against them again. */
  filter: (input: InferInputData<F>) => SubscriptionFilters;
  /** Whether a record passes the checks that the service doesn't make. */
  accepts?: (record: EventRecords[E], input: InferInputData<F>) => boolean;
  /** Returns recent records for the test step, newest first. */
  list: (z: ZObject, input: InferInputData<F>) => Promise<EventRecords[E][]>;
}

/** Whether a record has only its id. */
const isThin = (record: object): boolean => Object.keys(record).length === 1;

/**
 * Whether `zapier-platform invoke` runs the step on a developer's machine, with neither a request nor a subscription.
 * Zapier always passes both to a Zap that is turned on.
 */
const isInvokedLocally = ({ rawRequest, cleanedRequest, subscribeData }: Bundle): boolean =>
  !rawRequest && !cleanedRequest && !subscribeData && !isOnZapier();

/**
 * Returns the operation of an instant trigger. It subscribes only to its events, verifies and filters each delivery,
 * ignores repeated ones, lists recent records for the test step, and deletes only its own webhook. It throws an error
 * for a delivery that isn't genuine or has another format.
 */
export const hook = <E extends EventName, const F extends InputField[]>({
  events: [first, ...others],
  inputFields,
  direction,
  watch = () => [first, ...others],
  filter,
  accepts = () => true,
  list,
}: Hook<E, F>) => {
  const resource = events[first];

  const wants = (record: EventRecords[E], input: InferInputData<F>): boolean =>
    passesFilters(record, { ...filter(input), direction }) && accepts(record, input);

  const performSubscribe = async (z: ZObject, bundle: Bundle) => {
    const input = readInput(inputFields, bundle.inputData);
    return subscribe(z, bundle.targetUrl ?? '', watch(input), filter(input));
  };

  const performUnsubscribe = async (z: ZObject, bundle: Bundle) => {
    const id = bundle.subscribeData?.id;
    if (id) await find(z, endpoints.deleteWebhook, { id });
    return { id };
  };

  /** Returns the record of an event; undefined when the Zap doesn't watch it. */
  const readEvent = async (z: ZObject, bundle: Bundle, { type, data }: Delivery) => {
    const input = readInput(inputFields, bundle.inputData);
    if (!watch(input).some((name) => name === type)) return undefined;
    const delivered = decode(resource.schema, data).data;
    if (!delivered) throw unrecognizedPayload();
    const record = isThin(delivered) ? await find(z, resource.get, { id: String(delivered.id) }) : delivered;
    return record && wants(record, input) ? record : undefined;
  };

  const performList = async (z: ZObject, bundle: Bundle): Promise<EventRecords[E][]> => {
    const input = readInput(inputFields, bundle.inputData);
    const records = await list(z, input);
    return records.filter((record) => wants(record, input));
  };

  const perform = async (z: ZObject, bundle: Bundle): Promise<EventRecords[E][]> => {
    if (!bundle.rawRequest && !bundle.cleanedRequest) return isInvokedLocally(bundle) ? performList(z, bundle) : [];
    const { subscriptionId, delivered } = readDelivery(bundle);
    const wanted: [eventId: string, EventRecords[E]][] = [];
    for (const event of delivered) {
      const record = await readEvent(z, bundle, event);
      if (record) wanted.push([event.id, record]);
    }
    const records: EventRecords[E][] = [];
    // Only now, because after an error Zapier repeats the whole delivery.
    for (const [id, record] of wanted) if (!(await isDuplicateDelivery(z, subscriptionId, id))) records.push(record);
    return records;
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

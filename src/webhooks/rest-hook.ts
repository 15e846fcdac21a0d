import type { Bundle, PlainInputField, ZObject } from 'zapier-platform-core';
import { decode } from '../api/decode';
import { endpoints, exists } from '../api/endpoints';
import { type Delivery, type EventName, type EventRecords, events } from '../api/events';
import { passesFilters } from '../api/filters';
import type { Message } from '../api/resources';
import { withFiles } from '../forms/attachment-files';
import { formLabels, type InputOf, readInput } from '../forms/input';
import { spacingField, withKnownSenders } from '../forms/trigger-fields';
import { call } from '../http/client';
import { lookUpMany } from '../http/look-up-many';
import { isOnZapier } from '../platform/runtime';
import { type Spacing, spaceOut } from './bursts';
import { markNew, removeMarked } from './deduplicate';
import { hasPayload, readDelivery, type Subscription, unrecognizedPayload } from './delivery';
import { isSenderCertain, senderOf, unknownSender } from './sender';
import { type SubscriptionFilters, subscribe, toLists } from './subscribe';
import { toResult, triggerOutputs } from './trigger-outputs';
import { requireWebhooks } from './webhook';

interface Hook<E extends EventName, F extends PlainInputField[]> {
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

/** Whether `zapier-platform invoke` runs the step on a developer's machine. A Zap that is turned on is subscribed. */
const isInvokedLocally = ({ subscribeData }: Bundle): boolean => !subscribeData && !isOnZapier();

/** Whether an event has only the id of its record. */
const hasOnlyId = ({ record }: { record: object }): boolean => Object.keys(record).length === 1;

/**
 * Returns the operation of an instant trigger. It subscribes only to its events, verifies and filters each delivery,
 * ignores repeated ones, lists recent records for the test step, and deletes only its own webhook. It throws an error
 * for a delivery that isn't genuine or has another format. Without webhooks, it polls the list of records instead.
 */
export const hook = <E extends EventName, const F extends PlainInputField[]>({
  events: names,
  inputFields,
  direction,
  watch = () => names,
  filter,
  meaning = (event) => event,
  accepts = () => true,
  spacing = () => undefined,
  list,
}: Hook<E, F>) => {
  const resource = events[names[0]];

  type Received = Pick<Delivery, 'id' | 'type'> & { record: EventRecords[E] };

  const { sources, ...otherLabels } = formLabels(inputFields);
  const labels = { ...otherLabels, source: sources };

  const readForm = ({ inputData }: Bundle): InputOf<F> => {
    const input = readInput(inputFields, inputData);
    // A value that can't be used must not turn on.
    spacing(input);
    return input;
  };

  const isWanted = (record: EventRecords[E], input: InputOf<F>, event?: string): boolean =>
    passesFilters({ ...record, source: senderOf(record) }, { ...filter(input), direction }) &&
    accepts(record, input, event);

  /** Returns the watched events whose records can be read. Throws when none of them can. */
  const readWatched = (delivered: Delivery[], input: InputOf<F>): Received[] => {
    const names = new Set<string>(watch(input));
    const watched = delivered.filter(({ type }) => names.has(type));
    const readable = watched.flatMap(({ id, type, data }) => {
      const record = decode(resource.schema, data).data;
      return record ? [{ id, type, record }] : [];
    });
    if (readable.length === 0 && watched.length > 0) throw unrecognizedPayload();
    return readable;
  };

  /** Returns the events with their whole records, without those that are gone, and why others couldn't be read. */
  const completeRecords = async (z: ZObject, subscription: Subscription, received: Received[]) => {
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

  const performSubscribe = async (z: ZObject, bundle: Bundle) => {
    const input = readForm(bundle);
    return subscribe(z, bundle.targetUrl ?? '', watch(input), filter(input), labels);
  };

  const performUnsubscribe = async (z: ZObject, { subscribeData }: Bundle) => {
    const id = subscribeData?.id;
    if (id) await call(z, endpoints.deleteWebhook, { id }, { unless: 'gone' });
    return { id };
  };

  const performList = async (z: ZObject, bundle: Bundle): Promise<EventRecords[E][]> => {
    const input = readForm(bundle);
    // Zapier subscribes only when the finished Zap is published, which is late to hear that the plan is too low.
    await requireWebhooks(z);
    const records = (await list(z, input)).filter((record) => isWanted(record, input));
    return records.map((record) => withFiles(z, toResult(resource.noun, record, bundle.meta?.timezone)));
  };

  const form = withKnownSenders(inputFields);
  const outputs = { ...triggerOutputs[resource.noun], sample: toResult(resource.noun, resource.sample, undefined) };
  if (!exists('createWebhook')) {
    // Zapier starts a Zap for each record that it hasn't seen, and nothing holds one back.
    const withoutSpacing = form.filter(({ key }) => key !== spacingField.key);
    return { type: 'polling' as const, inputFields: withoutSpacing, perform: performList, ...outputs };
  }

  const perform = async (z: ZObject, bundle: Bundle): Promise<EventRecords[E][]> => {
    if (!hasPayload(bundle)) return isInvokedLocally(bundle) ? performList(z, bundle) : [];
    const { subscription, delivered } = readDelivery(bundle);
    const input = readForm(bundle);
    const { source = [] } = toLists(filter(input));
    const { complete, error } = await completeRecords(z, subscription, readWatched(delivered, input));
    const meant = complete.map((event) => ({ ...event, type: meaning(event.type, event.record, input) }));
    const wanted = meant.filter(({ record, type }) => isWanted(record, input, type));
    const certain = wanted.filter(({ record }) => isSenderCertain(record, source, subscription.confirmed_sources));
    if (certain.length === 0 && wanted.length > 0) throw error ?? unknownSender();
    // Last, because after an error Zapier repeats the whole delivery.
    const fresh = await markNew(z, subscription, certain);
    const apart = spacing(input);
    const started = apart ? await spaceOut(z, subscription, fresh, apart) : fresh;
    // What couldn't be read holds nothing back. A repeat of the delivery reads it again.
    if (started.length === 0 && error) throw error;
    return started.map(({ record }) => withFiles(z, toResult(resource.noun, record, bundle.meta?.timezone)));
  };

  return {
    type: 'hook' as const,
    // Not for `readForm`: a Zap that limits senders already must not start for others.
    inputFields: form,
    performSubscribe,
    performUnsubscribe,
    perform,
    performList,
    ...outputs,
  };
};

import { randomUUID } from 'node:crypto';
import type { Bundle, InferInputData, InputField, ZObject } from 'zapier-platform-core';
import { decode, decodeDelivery } from '../api/decode';
import { endpoints } from '../api/endpoints';
import { type Delivery, type EventName, type EventRecords, events, signing } from '../api/events';
import { passesFilters } from '../api/filters';
import type { Message, WebhookFilters } from '../api/resources';
import { readInput } from '../forms/input';
import { output } from '../forms/output';
import { call, extendDeadlineForCleanup, find } from '../http/client';
import { parseJson } from '../http/json';
import { fail, halt } from '../platform/errors';
import { isOnZapier } from '../platform/runtime';
import { isDuplicateDelivery } from './deduplicate';
import { addSecret, hasSigningKey, isGenuine } from './signature';

/** The values that each filter of a subscription lets through. Undefined or an empty list lets every value through. */
type SubscriptionFilters = { [K in keyof WebhookFilters]: string | readonly string[] | undefined };

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
  /** Returns recent records for the test step, newest first. Makes one request. */
  list: (z: ZObject, input: InferInputData<F>) => Promise<EventRecords[E][]>;
}

const toLists = (filters: SubscriptionFilters): [string, string[]][] =>
  Object.entries(filters).map(([name, wanted]) => [name, [wanted ?? []].flat()]);

const unrecognized = (): Error =>
  halt("The messaging service sent an unrecognized webhook payload, so the Zap didn't start.");

/** Whether a record has only its id. */
const isThin = (record: object): boolean => Object.keys(record).length === 1;

/** Returns the events of a delivery. Throws an error unless it was signed for this subscription. */
const verify = ({ subscribeData, rawRequest }: Bundle) => {
  // The result of `performSubscribe`, which Zapier keeps.
  const { id, secret }: Record<string, unknown> = { ...subscribeData };
  if (typeof id !== 'string' || typeof secret !== 'string') {
    throw halt("This Zap isn't subscribed to the messaging service. Turn the Zap off and on again.");
  }
  const { content, headers, querystring }: Record<string, unknown> = { ...rawRequest };
  if (typeof content !== 'string' || !isGenuine({ content, headers: { ...Object(headers) }, querystring }, secret)) {
    throw halt(
      "The messaging service didn't sign this webhook payload, so the Zap didn't start. If real messages are missing, turn the Zap off and on again.",
    );
  }
  const delivered = decodeDelivery(parseJson(content));
  if (!delivered) throw unrecognized();
  return { subscriptionId: id, delivered };
};

/**
 * Whether `zapier-platform invoke` runs the step on a developer's machine, with neither a request nor a subscription.
 * Zapier always passes both to a Zap that is turned on.
 */
const isInvokedLocally = ({ rawRequest, cleanedRequest, subscribeData }: Bundle): boolean =>
  !rawRequest && !cleanedRequest && !subscribeData && !isOnZapier();

const isoTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/** Whether a date exists. `Date` reads 31 February as 3 March. */
const isDate = (date: string): boolean => new Date(Date.parse(date)).toJSON()?.startsWith(date) ?? false;

/** Whether Zapier can renew the subscription at that time: in ISO 8601, and in the future. A past one renews endlessly. */
const isRenewalTime = (time: string): boolean =>
  isoTime.test(time) && isDate(time.slice(0, 10)) && Date.parse(time) > Date.now();

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
    const targetUrl = bundle.targetUrl ?? '';
    const own = signing ? undefined : addSecret(targetUrl);
    const webhook = await call(z, endpoints.createWebhook, {
      body: {
        url: own?.url ?? targetUrl,
        events: [...watch(input)],
        filters: Object.fromEntries(toLists(filter(input))),
      },
      // A retry with the same key doesn't create a second webhook.
      idempotencyKey: randomUUID(),
    });
    if (!own && !hasSigningKey(webhook.secret)) {
      extendDeadlineForCleanup(z);
      await find(z, endpoints.deleteWebhook, { id: webhook.id });
      throw fail(
        "The messaging service gave no usable signing secret for this Zap, so the Zap can't tell real payloads from forged ones. Contact its support.",
        'no_secret',
      );
    }
    return {
      id: webhook.id,
      secret: own?.secret ?? webhook.secret,
      ...(isRenewalTime(webhook.expires_at ?? '') && { expiration_date: webhook.expires_at }),
    };
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
    if (!delivered) throw unrecognized();
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
    const { subscriptionId, delivered } = verify(bundle);
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
    ...output(resource),
  };
};

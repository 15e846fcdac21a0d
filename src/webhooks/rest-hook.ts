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
  /** What the trigger can watch; all carry the same resource. The first one gives the sample. */
  events: readonly [E, ...E[]];
  inputFields: F;
  /** Which way the messages go that the events are about. */
  direction?: Message['direction'];
  /** Which of the events a Zap watches; all when left out. */
  watch?: (input: InferInputData<F>) => readonly E[];
  /** What the service is asked to let through. The same is checked again on every record. */
  filter: (input: InferInputData<F>) => SubscriptionFilters;
  /** What only our side can check. */
  accepts?: (record: EventRecords[E], input: InferInputData<F>) => boolean;
  /** Recent records for the test step, newest first, in one request. */
  list: (z: ZObject, input: InferInputData<F>) => Promise<EventRecords[E][]>;
}

const toLists = (filters: SubscriptionFilters): [string, string[]][] =>
  Object.entries(filters).map(([name, wanted]) => [name, [wanted ?? []].flat()]);

const unrecognized = (): Error =>
  halt('The messaging service sent an unrecognized webhook payload, so the Zap did not start.');

/** Whether a record has nothing but its id. */
const isThin = (record: object): boolean => Object.keys(record).length === 1;

/** Reads the events of a delivery that was signed for this subscription, else throws a sentence. */
const verify = ({ subscribeData, rawRequest }: Bundle) => {
  // The result of `performSubscribe`, which Zapier keeps.
  const { id, secret }: Record<string, unknown> = { ...subscribeData };
  if (typeof id !== 'string' || typeof secret !== 'string') {
    throw halt('This Zap has no subscription to check deliveries with. Turn the Zap off and on again.');
  }
  const { content, headers, querystring }: Record<string, unknown> = { ...rawRequest };
  if (typeof content !== 'string' || !isGenuine({ content, headers: { ...Object(headers) }, querystring }, secret)) {
    throw halt(
      'A delivery was refused because it was not signed by the messaging service for this Zap. If genuine messages are missing, turn the Zap off and on again.',
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

/** Whether Zapier can renew the subscription then: it takes nothing but ISO 8601, and a past time at once, for ever. */
const isRenewalTime = (time: string): boolean =>
  isoTime.test(time) && isDate(time.slice(0, 10)) && Date.parse(time) > Date.now();

/**
 * The operation of an instant trigger: subscribes only to its events, verifies and filters each delivery, starts once
 * for a delivery that the service repeats, lists recent records for the test step, and removes its own webhook alone.
 * A delivery that is not genuine, or not in the agreed form, throws a sentence and starts nothing.
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
      // So that it can be asked for again when the answer is lost, and no webhook stays that nobody knows of.
      idempotencyKey: randomUUID(),
    });
    if (!own && !hasSigningKey(webhook.secret)) {
      // Without it no delivery could ever be verified, so nothing of the attempt is left behind.
      extendDeadlineForCleanup(z);
      await find(z, endpoints.deleteWebhook, { id: webhook.id });
      throw fail(
        'The messaging service gave no usable signing secret for this Zap, so its deliveries could not be trusted. Contact its support.',
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

  /** Returns the record of an event, or none when this Zap doesn't want it or has seen it. */
  const readEvent = async (z: ZObject, bundle: Bundle, { id, type, data }: Delivery, subscriptionId: string) => {
    const input = readInput(inputFields, bundle.inputData);
    if (!watch(input).some((name) => name === type)) return [];
    const delivered = decode(resource.schema, data).data;
    if (!delivered) throw unrecognized();
    const record = isThin(delivered) ? await find(z, resource.get, { id: String(delivered.id) }) : delivered;
    if (!record || !wants(record, input)) return [];
    return (await isDuplicateDelivery(z, subscriptionId, id)) ? [] : [record];
  };

  const performList = async (z: ZObject, bundle: Bundle): Promise<EventRecords[E][]> => {
    const input = readInput(inputFields, bundle.inputData);
    const records = await list(z, input);
    return records.filter((record) => wants(record, input));
  };

  const perform = async (z: ZObject, bundle: Bundle): Promise<EventRecords[E][]> => {
    if (!bundle.rawRequest && !bundle.cleanedRequest) return isInvokedLocally(bundle) ? performList(z, bundle) : [];
    const { subscriptionId, delivered } = verify(bundle);
    const records: EventRecords[E][] = [];
    for (const event of delivered) records.push(...(await readEvent(z, bundle, event, subscriptionId)));
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

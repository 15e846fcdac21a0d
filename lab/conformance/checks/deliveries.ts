import { signatureInUse } from '../../../src/api/adapter';
import { type Filters, passesFilters } from '../../../src/api/filters';
import { fieldsOf } from '../../../src/api/object';
import { deliveryHeaders, standardWebhooks } from '../../../src/api/presets';
import { isGenuine } from '../../../src/hook/genuine';
import { comparePayloads, readPayload } from '../compare/event';
import { placeOf } from '../compare/place';
import { createdId, requireNoDifference } from '../compare/response';
import { type Check, Differs, Missing, NotChecked, requireNone } from './check';
import { memoize } from './memoize';
import type { TestMessage } from './messages';
import type { Received, Receiver } from './receiver';
import { readSecret, type TestWebhook, type TestWebhooks } from './webhooks';

/** How long to wait for a delivery, in milliseconds. */
const defaultTimeoutMs = 60_000;

/** Seconds by which the timestamp of a delivery may be off. */
const maxAge = 300;

const isFor = ({ name }: TestWebhook, { path }: Received): boolean => path.split('?')[0]?.endsWith(`/${name}`) ?? false;

const isAbout = (id: string, received: Received): boolean =>
  readPayload(received).events.some(({ recordId }) => recordId === id);

/** Whether a delivery has a record that the filters of its webhook don't let through, such as another number's message. */
const contradicts = (filters: Filters, received: Received): boolean =>
  readPayload(received).events.some(
    ({ definition, record }) => definition && !passesFilters(fieldsOf(record), filters),
  );

/** Names what a delivery lacks of https://www.standardwebhooks.com. */
const requireHeaders = ({ headers }: Received): void => {
  const missing = Object.values(deliveryHeaders).filter((name) => !headers[name]);
  requireNone(missing.map((name) => `\`${name}\` is missing${placeOf('signature')}`));
  const age = Math.abs(Date.now() / 1000 - Number(headers[deliveryHeaders.timestamp]));
  if (!(age < maxAge)) throw new Differs(`\`${deliveryHeaders.timestamp}\` isn't the time in seconds`);
};

const requireSignature = (received: Received, secret: string): string => {
  const signature = signatureInUse();
  if (signature === standardWebhooks) requireHeaders(received);
  if (isGenuine(received, secret)) return "by the webhook's secret";
  throw new Differs(`the signature isn't the one of the contract with the webhook's secret${placeOf('signature')}`);
};

/** Checks that the service delivers the message to matching webhooks, signed and with the fields of the contract. */
export const deliveryChecks = (
  receiver: Receiver,
  webhooks: TestWebhooks,
  message: TestMessage,
  timeoutMs = defaultTimeoutMs,
): Check[] => {
  const { received, settle } = receiver;
  const { first, second, matching, excluding } = webhooks;

  /** Waits for a delivery of the message to one of the webhooks, or for a delivery that can't be read. */
  const arrivalAt = async (...wanted: TestWebhook[]): Promise<Received | undefined> => {
    for (const { response } of wanted) createdId(await response());
    const id = createdId(await message.response());
    const isWanted = (each: Received) => isAbout(id, each) || readPayload(each).events.length === 0;
    return receiver.wait((each) => wanted.some((webhook) => isFor(webhook, each)) && isWanted(each), timeoutMs);
  };

  // A service with one webhook for each workspace delivers only to the second.
  const arrival = memoize(() => arrivalAt(first, second));

  const requireArrival = async (): Promise<Received> => {
    const arrived = await arrival();
    if (!arrived) throw new NotChecked('nothing was delivered for the message');
    return arrived;
  };

  const requireEvent = async () => {
    const [event] = readPayload(await requireArrival()).events;
    if (!event) throw new NotChecked("the payload isn't an event of the contract");
    return event;
  };

  const checkFields = async (): Promise<string> => {
    await arrival();
    if (received.length === 0) throw new NotChecked('nothing was delivered');
    const payloads = received.map(readPayload);
    const notes = requireNoDifference(comparePayloads(payloads));
    return [...new Set(payloads.flatMap(({ events }) => events.map(({ type }) => type)))].join(', ') + notes;
  };

  const checkDelivery = async (): Promise<string> => {
    if (await arrival()) return (await requireEvent()).type;
    const others = received.length;
    throw new Differs(
      `no delivery arrived for the message in ${timeoutMs / 1000} seconds, but ${others} arrived for other events`,
    );
  };

  const checkSignature = async (): Promise<string> => {
    const arrived = await requireArrival();
    const webhook = isFor(first, arrived) ? first : second;
    return requireSignature(arrived, await readSecret(webhook));
  };

  const checkBoth = async (): Promise<string> => {
    await requireEvent();
    for (const webhook of [first, second]) {
      if (!(await arrivalAt(webhook))) throw new Differs(`the ${webhook.name} of two webhooks gets no delivery`);
    }
    return 'for the same message';
  };

  const checkFilters = async (): Promise<string> => {
    if (excluding.length === 0) throw new Missing('filters');
    await requireEvent();
    if (!(await arrivalAt(matching))) throw new Differs("a webhook whose filters match doesn't deliver");
    const id = createdId(await message.response());
    for (const { response } of excluding) createdId(await response());
    await settle();
    const ignored: string[] = [];
    for (const webhook of excluding) {
      const { filters = {} } = await webhook.body();
      const isExcluded = (each: Received) => isAbout(id, each) || contradicts(filters, each);
      if (received.some((each) => isFor(webhook, each) && isExcluded(each))) ignored.push(webhook.filter);
    }
    requireNone(ignored.map((filter) => `the filter \`${filter}\` is ignored${placeOf('webhookFilters', [filter])}`));
    return `by ${excluding.map(({ filter }) => filter).join(', ')}`;
  };

  return [
    { name: 'a delivery, its fields', run: checkFields },
    { name: 'a delivery', run: checkDelivery },
    { name: 'a delivery, signed', run: checkSignature },
    { name: 'a delivery to each of two webhooks', run: checkBoth },
    { name: 'deliveries, filtered', run: checkFilters },
  ];
};

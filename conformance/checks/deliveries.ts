import { setTimeout as sleep } from 'node:timers/promises';
import { deliveryHeaders, signing } from '../../src/api/events';
import { isGenuine } from '../../src/webhooks/signature';
import { comparePayloads, readPayload } from '../contract/event';
import { createdId, requireNoDifference } from '../contract/response';
import { sourceOf } from '../contract/source';
import { type Check, Differs, NotChecked, requireNone } from './check';
import { memoize } from './memoize';
import type { TestMessage } from './messages';
import type { Received, Receiver } from './receiver';
import { readSecret, type TestWebhook, type TestWebhooks } from './webhooks';

/** How long to wait for a delivery, and for one that must not arrive. */
const defaultWaits = { timeoutMs: 60_000, quietMs: 2_000 };

/** Seconds by which the timestamp of a delivery may be off. */
const maxAge = 300;

const isFor = ({ name }: TestWebhook, { path }: Received): boolean => path.split('?')[0]?.endsWith(`/${name}`) ?? false;

const isAbout = (id: string, received: Received): boolean =>
  readPayload(received).events.some(({ recordId }) => recordId === id);

const requireHeaders = ({ headers }: Received, { parts }: NonNullable<typeof signing>): void => {
  const names = [...parts.filter((part) => part !== 'body'), 'signature' as const].map((part) => deliveryHeaders[part]);
  requireNone(names.flatMap((name) => (headers[name] ? [] : [`\`${name}\` is missing${sourceOf('deliveryHeaders')}`])));
  if (!parts.includes('timestamp')) return;
  const age = Math.abs(Date.now() / 1000 - Number(headers[deliveryHeaders.timestamp]));
  if (!(age < maxAge)) throw new Differs(`\`${deliveryHeaders.timestamp}\` isn't the time in seconds`);
};

const requireSignature = (received: Received, secret: string): string => {
  if (!signing) return "the contract says that they aren't signed";
  requireHeaders(received, signing);
  if (isGenuine(received, secret)) return "by the webhook's secret";
  throw new Differs(
    `the signature isn't the one of the contract with the webhook's secret${sourceOf('deliveryHeaders')}`,
  );
};

/** Checks that the service delivers the message to matching webhooks, signed and with the fields of the contract. */
export const deliveryChecks = (
  receiver: Receiver,
  webhooks: TestWebhooks,
  message: TestMessage,
  { timeoutMs, quietMs } = defaultWaits,
): Check[] => {
  const { received } = receiver;
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
    throw new Differs(`none arrived for the message in ${timeoutMs / 1000} seconds, and ${others} for other events`);
  };

  const checkSignature = async (): Promise<string> => {
    const arrived = await requireArrival();
    return requireSignature(arrived, await readSecret(isFor(first, arrived) ? first : second));
  };

  const checkBoth = async (): Promise<string> => {
    await requireEvent();
    for (const webhook of [first, second]) {
      if (!(await arrivalAt(webhook))) throw new Differs(`the ${webhook.name} of two webhooks gets no delivery`);
    }
    return 'for the same message';
  };

  const checkFilters = async (): Promise<string> => {
    await requireEvent();
    if (!(await arrivalAt(matching))) throw new Differs("a webhook whose filters match doesn't deliver");
    const id = createdId(await message.response());
    for (const { response } of excluding) createdId(await response());
    await sleep(quietMs);
    const ignored = excluding.filter((webhook) => received.some((each) => isFor(webhook, each) && isAbout(id, each)));
    requireNone(
      ignored.map(({ filter }) => `the filter \`${filter}\` is ignored${sourceOf('webhookFilters', [filter])}`),
    );
    return `by ${excluding.map(({ filter }) => filter).join(', ')}`;
  };

  return [
    { name: 'a delivery, its fields', run: checkFields },
    { name: 'a delivery', run: checkDelivery },
    { name: 'a delivery, signed', run: checkSignature },
    { name: 'a delivery to each of two webhooks', run: checkBoth },
    { name: 'deliveries, filtered', run: checkFilters },
  ].map((check) => ({ ...check, basis: 'assumed' }));
};

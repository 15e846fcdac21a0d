import { delivery, deliveryHeaders } from '../../src/api/events';
import { isGenuine } from '../../src/signature';
import { readEvent } from '../contract/event';
import { requireMade } from '../contract/response';
import { compare } from '../contract/shape';
import { type Check, Differs, NotChecked, requireNone } from './check';
import { once } from './memoize';
import type { Sending } from './messages';
import type { Received, Receiver } from './receiver';
import { requireSecret, type Subscription } from './webhooks';

/** The longest that a delivery may take, in milliseconds. */
const patience = 60_000;

/** How old a delivery may say it is, in seconds, by the clock of this machine. */
const longestAge = 300;

const requireArrival = async (receiver: Receiver, id: string): Promise<Received> => {
  const arrived = await receiver.wait((each) => readEvent(each).told?.recordId === id, patience);
  if (arrived) return arrived;
  const { length } = receiver.received;
  throw new Differs(`none came for the message within ${patience / 1000} seconds, and ${length} for other things`);
};

const requireHeaders = ({ headers }: Received): void => {
  requireNone(Object.values(deliveryHeaders).flatMap((name) => (headers[name] ? [] : [`\`${name}\` is missing`])));
  const age = Math.abs(Date.now() / 1000 - Number(headers[deliveryHeaders.timestamp]));
  if (!(age < longestAge)) throw new Differs(`\`${deliveryHeaders.timestamp}\` is not the time in seconds`);
};

const requireSignature = (received: Received, secret: string): string => {
  requireHeaders(received);
  if (isGenuine(received, secret)) return 'by the secret of the webhook';
  throw new Differs('the signature is not the one of Standard Webhooks with the secret of the webhook');
};

const differencesOf = (received: Received): string[] => {
  const { body, told } = readEvent(received);
  const around = [...compare(delivery(), body).differences];
  if (!told?.schema) return around;
  const { differences } = compare(told.schema, told.record);
  return [...around, ...[...differences].map((each) => `${told.type}: ${each}`)];
};

const checkFields = ({ received }: Receiver): string => {
  if (received.length === 0) throw new NotChecked('nothing was delivered');
  requireNone([...new Set(received.flatMap(differencesOf))]);
  return [...new Set(received.map((each) => readEvent(each).told?.type))].join(', ');
};

/** Whether the message is told of by a signed delivery with the fields of the contract. */
export const deliveryChecks = (receiver: Receiver, subscription: Subscription, sending: Sending): Check[] => {
  const arrival = once(async () => {
    requireMade(await subscription.answer());
    return requireArrival(receiver, requireMade(await sending.answer()));
  });
  const known = () =>
    arrival().catch(() => {
      throw new NotChecked('nothing was delivered for the message');
    });
  return [
    { name: 'a delivery', basis: 'assumed', run: async () => readEvent(await arrival()).told?.type ?? '' },
    {
      name: 'a delivery, signed',
      basis: 'assumed',
      run: async () => requireSignature(await known(), await requireSecret(subscription)),
    },
    { name: 'a delivery, its fields', basis: 'assumed', run: async () => checkFields(receiver) },
  ];
};

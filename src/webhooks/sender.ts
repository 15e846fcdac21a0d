/** Who sent a message. Without that, a Zap that sends messages could start itself again and again. */
import * as zod from 'zod/mini';
import { type Webhook, webhookFilters } from '../api/resources';
import { fromWire } from '../api/translate';
import { readText } from '../formats/mapped-value';
import { halt } from '../platform/errors';

/** Returns who sent a message, such as `colleague`. Undefined when the record doesn't say, or isn't a message. */
export const senderOf = (record: object): string | undefined => readText(Reflect.get(record, 'source'));

const senderFilter = zod.looseObject({ source: webhookFilters.shape.source });

/** Returns the senders to which the service says it limits a webhook; none unless all of them were asked for. */
export const confirmSources = ({ filters }: Webhook, asked: readonly string[]): string[] => {
  const { source: confirmed = [] } = senderFilter.safeParse(fromWire(senderFilter, filters)).data ?? {};
  return confirmed.every((each) => asked.includes(each)) ? asked.filter((each) => confirmed.includes(each)) : [];
};

/**
 * Whether only a wanted sender can have sent a message that passes the filters. When the message has no source, the
 * senders to which the service limits the webhook decide. A source of null could be anyone.
 */
export const isSenderCertain = (record: object, wanted: readonly string[], confirmed: readonly string[]): boolean => {
  if (wanted.length === 0 || senderOf(record)) return true;
  const isLimited = confirmed.length > 0 && confirmed.every((each) => wanted.includes(each));
  return isLimited && Reflect.get(record, 'source') === undefined;
};

/** Returns the error for a message that may come from a sender whom the Zap leaves out. */
export const unknownSender = (): Error =>
  halt(
    "The messaging service doesn't say who sent this message, so the Zap didn't start. Turn the Zap off and on again. If that doesn't help, choose all senders in Sent By, unless this Zap sends messages.",
  );

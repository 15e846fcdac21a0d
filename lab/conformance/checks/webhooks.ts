import { randomUUID } from 'node:crypto';
import { readEvent } from '../../../src/api/adapter';
import { decodeDelivery } from '../../../src/api/decode';
import { type BodyOf, endpoints } from '../../../src/api/endpoints';
import { events } from '../../../src/api/events';
import { passesFilters } from '../../../src/api/filters';
import { asRecord } from '../../../src/api/json';
import { exists } from '../../../src/api/missing';
import { vocabulary } from '../../../src/api/resources';
import { hasSigningKey, isGenuine } from '../../../src/trigger/delivery';
import { printable } from '../../cli/text';
import { type Check, CheckAborted, Differs, inHook, leaveOut, memoize, NotChecked, skip } from '../check';
import { readJson } from '../json';
import { fictionalPhone, listedId, newMark, readList, webhookKind } from '../own-records';
import type { Received, Receiver } from '../receiver';
import { type AnyRecord, createdId, idOf, readPage, readRecord, requireSuccess } from '../response';
import type { ServiceClient } from '../service-client';
import { compareRecord, compareResponse, resourceOf, type Words } from '../shape';
import { type Creation, removalCheck, replayChecks, requireOwn } from './creation';
import type { TestMessage } from './messages';
import { asNote, isMessage } from './notes';

const { createWebhook, listWebhooks } = endpoints;

/** How long to wait for a delivery, in milliseconds. */
const timeoutMs = 60_000;

/** A webhook for every event, which is created when a check first reads its response. */
interface TestWebhook extends Creation {
  /** The last part of its address. */
  name: string;
  body: BodyOf<'createWebhook'>;
}

const maxNamed = 5;

const describe = ({ id, url, events: all }: AnyRecord): string =>
  printable(`${id} to ${url}${Array.isArray(all) ? ` for ${all.join(', ')}` : ''}`);

/** Lists the webhooks. A list that can't be read has nothing certain in it. */
const listAll = (service: ServiceClient) =>
  readList(service, 'listWebhooks', {}).catch((error: unknown) => {
    if (error instanceof CheckAborted) throw error;
    return { records: [], isComplete: false };
  });

/** Stops the run when webhooks of others are gone, because a service may keep only one per account. */
const requireKept = async (service: ServiceClient, before: readonly AnyRecord[]): Promise<void> => {
  const { records, isComplete } = await listAll(service);
  // A service may also give its only webhook another address.
  const keyOf = (webhook: AnyRecord) => `${listedId(webhook)} ${webhook.url}`;
  const kept = new Set(records.map(keyOf));
  const gone = before.filter((each) => !kept.has(keyOf(each)));
  if (!isComplete || gone.length === 0) return;
  const more = gone.length > maxNamed ? ` and ${gone.length - maxNamed} more` : '';
  throw new CheckAborted(
    `The run stopped, because webhooks are gone since it created one: ${gone.slice(0, maxNamed).map(describe).join('; ')}${more}. ` +
      'The service may keep only one. Create them again with the same address and events; for one of a Zap, turn the Zap off and on. ' +
      'Run the command without --write, or in a workspace without webhooks.',
  );
};

/** Reads the event of a delivery; undefined when its payload isn't one of the contract. */
export const eventOf = ({ content, headers }: Received) => {
  const event = decodeDelivery(readEvent({ headers, content, body: readJson(content) }));
  const definition = event && Object.entries(events).find(([name]) => name === event.type)?.[1];
  return event && definition ? { ...event, definition } : undefined;
};

const isFor = ({ name }: TestWebhook, { path }: Received): boolean => path.split('?')[0]?.endsWith(`/${name}`) ?? false;

/** Checks one round trip: webhooks are created, get signed deliveries of the message if it `isSent`, and are removed. */
export const webhookChecks = (
  service: ServiceClient,
  receiver: Receiver,
  address: string,
  { message, isSent }: { message: TestMessage; isSent: boolean },
  words: Words,
): Check[] => {
  const base = `${address.replace(/\/$/, '')}/${newMark()}`;
  const before = memoize(async () => (await listAll(service)).records);
  const prepare = (name: string, filters?: { from: string[] }): TestWebhook => {
    const idempotencyKey = randomUUID();
    const body = { url: `${base}/${name}`, events: vocabulary.event.filter(exists), ...(filters && { filters }) };
    const send = async () => {
      const others = await before();
      try {
        return await service.request(createWebhook, { body, idempotencyKey });
      } finally {
        // A request without a response may have done it too.
        await requireKept(service, others);
      }
    };
    return { name, body, response: memoize(send), repeat: send };
  };
  const [first, second] = [prepare('first'), prepare('second')];
  const filters = { from: [fictionalPhone()] };
  const filtered = prepare('filtered', filters);
  const all = exists('webhook.from') ? [first, second, filtered] : [first, second];

  const create: Check['run'] = async (found) => {
    for (const { response } of all) {
      const created = await response();
      requireSuccess(created);
      compareResponse(created, found, words);
      const { secret } = readRecord(created);
      if (!hasSigningKey(String(secret ?? ''))) {
        const problem = secret ? 'is too short to be safe' : 'is missing';
        found.differs(
          `\`secret\` ${problem}`,
          `Return it in ${inHook('createWebhook', 'response')}, or ${leaveOut('calls', 'createWebhook')}.`,
        );
      }
    }
    return `${all.length} webhooks`;
  };

  const list: Check['run'] = async (found) => {
    const listed = await service.request(listWebhooks, {});
    compareResponse(listed, found, words);
    const ids = readPage(listed).records.map(idOf);
    for (const { name, response } of all) {
      if (ids.includes(createdId(await response()))) continue;
      const todo = `If the service keeps only one webhook, ${leaveOut('calls', 'createWebhook')}.`;
      found.differs(`the ${name} of the new webhooks isn't in the list`, todo);
    }
    return `${ids.length}`;
  };

  const isAbout = (id: string, received: Received): boolean => String(eventOf(received)?.data.id) === id;

  /** Waits for a delivery of the message to a webhook, or for one that can't be read. */
  const arrivalAt = async (webhook: TestWebhook): Promise<Received> => {
    createdId(await webhook.response());
    const id = createdId(await message.response());
    const isWanted = (each: Received) => isFor(webhook, each) && (isAbout(id, each) || !eventOf(each));
    const arrived = await receiver.wait(isWanted, timeoutMs);
    if (arrived) return arrived;
    const todo = `If each new webhook replaces the one before, ${leaveOut('calls', 'createWebhook')}.`;
    if (receiver.received.length > 0)
      throw new Differs(`the ${webhook.name} of two webhooks gets no delivery of the message`, todo);
    throw new NotChecked('nothing was delivered for the message');
  };

  const deliver: Check['run'] = async (found) => {
    for (const webhook of [first, second]) {
      const arrived = await arrivalAt(webhook);
      const { secret } = readRecord(await webhook.response());
      if (!isGenuine(arrived, String(secret)))
        throw new Differs("the signature isn't made with the secret of the webhook", 'Correct `signature`.');
      if (!eventOf(arrived))
        throw new Differs("a delivery isn't an event of the contract", 'Return our event in `delivery`.');
    }
    for (const received of receiver.received) {
      const event = eventOf(received);
      if (event) compareRecord(event.definition.schema, event.data, resourceOf(event.definition.get), found, words);
    }
    const types = new Set(receiver.received.flatMap((each) => eventOf(each)?.type ?? []));
    const unseen = first.body.events.filter((event) => !types.has(event));
    const seen = [...types].join(', ');
    return unseen.length > 0 ? `${seen}; never seen, so not proven: ${unseen.join(', ')}` : seen;
  };

  /** Marks each message that was delivered as a note, since no service delivers one on demand. */
  const dropNotes: Check['run'] = async () => {
    await arrivalAt(first);
    const events = receiver.received.map((received) => ({ received, event: eventOf(received) }));
    const marked = events.flatMap(({ received, event }) => asNote(received.content, event?.data.id) ?? []);
    for (const { field, content } of marked)
      if (events.some(({ received }) => isMessage(Object(eventOf({ ...received, content })?.data))))
        throw new Differs(
          `a delivery with \`${field}\`: true is taken for a message, so a note would start Zaps`,
          'Return undefined for it in `delivery`.',
        );
    return marked.length > 0 ? 'notes are no messages' : 'no record has a mark that this check knows';
  };

  /** A delivery that a filter excludes: the app looks at it again, if the record says who wrote. */
  const exclude: Check['run'] = async (found) => {
    createdId(await filtered.response());
    await arrivalAt(first);
    await receiver.settle();
    const wrong = receiver.received.flatMap((each) => (isFor(filtered, each) ? (eventOf(each) ?? []) : []));
    const todo = `Send it in ${inHook('createWebhook', 'request')}, or ${leaveOut('filters', 'webhook.from')}.`;
    if (wrong.some(({ data }) => passesFilters(asRecord(data), filters)))
      found.differs("`from` lets others' messages through, and the app can't tell whose they are", todo);
    else if (wrong.length > 0) found.copes("`from` lets others' messages through");
    return 'by from';
  };

  const deliveries: Check[] = [
    { name: 'a delivery, signed', run: deliver },
    { name: 'a delivery, without notes', run: dropNotes },
    ...(exists('webhook.from') ? [{ name: 'a delivery, filtered', run: exclude }] : []),
  ];
  return [
    { name: 'createWebhook', run: create },
    ...replayChecks(createWebhook, first),
    { name: 'listWebhooks, with the new ones', run: list },
    ...(isSent ? deliveries : skip(deliveries, 'add --to')),
    removalCheck(service, webhookKind, async () =>
      requireOwn(service, webhookKind, createdId(await first.response()), first.body.url),
    ),
  ];
};

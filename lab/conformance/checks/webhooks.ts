import { randomUUID } from 'node:crypto';
import { readEvent } from '../../../src/api/adapter';
import { decodeDelivery } from '../../../src/api/decode';
import { readE164 } from '../../../src/api/e164';
import { type BodyOf, endpoints } from '../../../src/api/endpoints';
import { type EventName, events } from '../../../src/api/events';
import { asRecord } from '../../../src/api/json';
import { exists } from '../../../src/api/missing';
import { vocabulary } from '../../../src/api/resources';
import { hasSigningKey, isGenuine } from '../../../src/trigger/delivery';
import { printable } from '../../cli/text';
import {
  type Check,
  CheckAborted,
  Differs,
  type Findings,
  inHook,
  leaveOut,
  memoize,
  NotChecked,
  Skipped,
  skip,
} from '../check';
import { readJson } from '../json';
import { fictionalPhone, listedId, newMark, readList, unknownId, webhookKind } from '../own-records';
import type { Received, Receiver } from '../receiver';
import type { Records } from '../records';
import { type AnyRecord, createdId, idOf, readPage, readRecord, requireSuccess } from '../response';
import type { ServiceClient } from '../service-client';
import { compareRecord, compareResponse, resourceOf, type Words } from '../shape';
import { type Creation, removalCheck, replayChecks, requireOwn } from './creation';
import type { TestMessage } from './messages';
import { asNote, isMessage } from './notes';

const { createWebhook, listWebhooks } = endpoints;

/** How long to wait for a delivery, in milliseconds. */
const timeoutMs = 60_000;

type WebhookFilters = NonNullable<BodyOf<'createWebhook'>['filters']>;

/** A webhook, which is created when a check first reads its response. */
interface TestWebhook extends Creation {
  /** The last part of its address. */
  name: string;
  url: string;
  filters: () => Promise<WebhookFilters>;
}

/** The filters by which a wait watches for one person, each with what the service must keep out. */
const personFilters = ['from', 'contact_id'] as const;

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

/** Reads what a delivery is about, whatever its type; undefined when it has no event. */
const readAny = ({ content, headers }: Received) =>
  decodeDelivery(readEvent({ headers, content, body: readJson(content) }));

/** Reads the event of a delivery; undefined when its payload isn't one of the contract. */
export const eventOf = (received: Received) => {
  const event = readAny(received);
  const definition = event && Object.entries(events).find(([name]) => name === event.type)?.[1];
  return event && definition ? { ...event, definition } : undefined;
};

const isFor = ({ name }: TestWebhook, { path }: Received): boolean => path.split('?')[0]?.endsWith(`/${name}`) ?? false;

/** Adds the filters that a webhook doesn't repeat. Without the echo, the app can't know that the service keeps them. */
const requireEcho = async ({ filters, response }: TestWebhook, found: Findings): Promise<void> => {
  const kept = asRecord(readRecord(await response()).filters);
  const settle = (values: unknown) =>
    [values]
      .flat()
      .map((each) => readE164(String(each)) ?? each)
      .join();
  for (const [name, values] of Object.entries(await filters())) {
    if (settle(values) === settle(kept[name])) continue;
    found.differs(
      `\`filters\` of the response doesn't repeat \`${name}\`, so Send Message and Wait for Reply would stop after it has sent`,
      `Return it in ${inHook('createWebhook', 'response')}, or ${leaveOut('filters', `webhook.${name}`)}.`,
    );
  }
};

/**
 * Checks one round trip: webhooks are created, get signed deliveries of the message if there is one `to` a person, and are
 * removed.
 */
export const webhookChecks = (
  service: ServiceClient,
  receiver: Receiver,
  address: string,
  { message, to, records }: { message: TestMessage; to: string | undefined; records: Records },
  words: Words,
): Check[] => {
  const base = `${address.replace(/\/$/, '')}/${newMark()}`;
  const before = memoize(async () => (await listAll(service)).records);
  const allEvents = vocabulary.event.filter(exists);
  const prepare = (
    name: string,
    filters: TestWebhook['filters'] = async () => ({}),
    events: readonly EventName[] = allEvents,
  ): TestWebhook => {
    const idempotencyKey = randomUUID();
    const url = `${base}/${name}`;
    const send = async () => {
      const [others, body] = [await before(), { url, events: [...events], filters: await filters() }];
      try {
        return await service.request(createWebhook, { body, idempotencyKey });
      } finally {
        // A request without a response may have done it too.
        await requireKept(service, others);
      }
    };
    return { name, url, filters, response: memoize(send), repeat: send };
  };
  const [first, second] = [prepare('first'), prepare('second')];
  /** Somebody whom the message isn't about. */
  const others = {
    from: async () => fictionalPhone(),
    contact_id: async () => {
      const people = await records.list('listContacts');
      const other = people.find(({ phone }) => readE164(String(phone)) !== to);
      return other ? idOf(other) : unknownId;
    },
  };
  // Each has its own webhook, since one may hide that another is ignored.
  const filtered = personFilters
    .filter((name) => exists(`webhook.${name}`))
    .map((name) => ({
      ...prepare(
        name,
        memoize(async () => ({ [name]: [await others[name]()] })),
      ),
      filter: name,
    }));
  const all = [first, second, ...filtered];

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
    for (const webhook of filtered) await requireEcho(webhook, found);
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

  const isAbout = (id: string, received: Received): boolean => String(readAny(received)?.data.id) === id;

  /** Waits for a delivery of the message to a webhook, or for one that can't be read. */
  const arrivalAt = async (webhook: TestWebhook): Promise<Received> => {
    createdId(await webhook.response());
    const id = createdId(await message.response());
    const isWanted = (each: Received) => isFor(webhook, each) && (isAbout(id, each) || !readAny(each));
    const arrived = await receiver.wait(isWanted, timeoutMs);
    if (arrived) return arrived;
    const todo = `If each new webhook replaces the one before, ${leaveOut('calls', 'createWebhook')}.`;
    if (receiver.received.length > 0)
      throw new Differs(`the ${webhook.name} of two webhooks gets no delivery of the message`, todo);
    throw new NotChecked('nothing was delivered for the message');
  };

  const isInbound = (received: Received): boolean => {
    const { type, data } = readAny(received) ?? {};
    return type === 'message.received' || data?.direction === 'inbound';
  };

  const deliver: Check['run'] = async (found) => {
    for (const webhook of [first, second]) {
      const arrived = await arrivalAt(webhook);
      const id = createdId(await message.response());
      if (receiver.received.some((each) => isAbout(id, each) && isInbound(each)))
        throw new Differs(
          'the message that was sent is delivered as one that came in, so a Zap could answer itself',
          'Correct its type and `direction` in `delivery`.',
        );
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
    const unseen = allEvents.filter((event) => !types.has(event));
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
          "Return it with `direction: 'note'` in `delivery`.",
        );
    return marked.length > 0 ? 'notes are no messages' : 'no record has a mark that this check knows';
  };

  /** Nobody looks at a delivery again that ends a wait. */
  const exclude: Check['run'] = async (found) => {
    for (const { response } of filtered) createdId(await response());
    await arrivalAt(first);
    await receiver.settle();
    // Somebody may write to a workspace meanwhile.
    const id = createdId(await message.response());
    for (const webhook of filtered) {
      if (!receiver.received.some((each) => isFor(webhook, each) && isAbout(id, each))) continue;
      const { filter } = webhook;
      const todo = `Send it in ${inHook('createWebhook', 'request')}, or ${leaveOut('filters', `webhook.${filter}`)}.`;
      found.differs(`\`${filter}\` lets others' messages through, so anyone's message would end a wait`, todo);
    }
    return `by ${filtered.map(({ filter }) => filter).join(', ')}`;
  };

  /** Returns the newest message from a person, and the message before it. */
  const findReceived = async (): Promise<{ id: string; after: string }> => {
    const messages = await records.list('listMessages');
    const index = messages.findIndex(({ direction }) => direction === 'inbound');
    const [received, older] = index === -1 ? [] : messages.slice(index);
    if (received && older) return { id: idOf(received), after: idOf(older) };
    throw new Skipped('write to the test workspace from a phone');
  };

  /** A reply may come between a send and the webhook that watches for it. */
  const lookBack: Check['run'] = async (found) => {
    const { id, after } = await findReceived();
    const webhook = prepare('after', async () => ({ after }), ['message.received']);
    createdId(await webhook.response());
    await requireEcho(webhook, found);
    if (await receiver.wait((each) => isFor(webhook, each) && isAbout(id, each), timeoutMs)) return 'by after';
    throw new Differs(
      'a webhook `after` a message gets no delivery of a later one that came before the webhook, so a wait could miss its reply',
      `Send it in ${inHook('createWebhook', 'request')}, or ${leaveOut('filters', 'webhook.after')}.`,
    );
  };

  const deliveries: Check[] = [
    { name: 'a delivery, signed', run: deliver },
    { name: 'a delivery, without notes', run: dropNotes },
    ...(filtered.length > 0 ? [{ name: 'a delivery, filtered', run: exclude }] : []),
  ];
  const canLookBack = exists('webhook.after') && exists('listMessages') && exists('message.received');
  return [
    { name: 'createWebhook', run: create },
    ...replayChecks(createWebhook, first),
    { name: 'listWebhooks, with the new ones', run: list },
    ...(to ? deliveries : skip(deliveries, 'add --to')),
    ...(canLookBack ? [{ name: 'a delivery, of what came before', run: lookBack }] : []),
    removalCheck(service, webhookKind, async () =>
      requireOwn(service, webhookKind, createdId(await first.response()), first.url),
    ),
  ];
};

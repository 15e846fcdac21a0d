import { randomUUID } from 'node:crypto';
import { type BodyOf, endpoints } from '../../../src/api/endpoints';
import { exists, withoutMissing } from '../../../src/api/missing';
import { vocabulary, type WebhookFilters } from '../../../src/api/resources';
import { hasSigningKey } from '../../../src/hook/genuine';
import { printable } from '../../cli/text';
import { placeOf } from '../compare/place';
import { type AnyRecord, createdId, idOf, readPage, readRecord, requireShape } from '../compare/response';
import { listedId, newMark, readList, webhookKind } from '../own-records';
import type { ServiceClient } from '../service-client';
import { alsoJudging, type Check, CheckAborted, Differs, Missing, NotChecked } from './check';
import { type Creation, removalChecks, replayChecks, requireOwn } from './creation';
import { fictionalPhone, unknownId } from './fictional';
import { memoize } from './memoize';
import type { TestMessage } from './messages';
import { pagingCheck } from './paging';
import type { Records } from './records';

const { createWebhook, listWebhooks } = endpoints;

/** A webhook for every event, which is created when a check first reads its response. */
export interface TestWebhook extends Creation {
  /** The last part of its address. */
  name: string;
  body: () => Promise<BodyOf<'createWebhook'>>;
}

/** The webhooks of one run. */
export interface TestWebhooks {
  first: TestWebhook;
  second: TestWebhook;
  /** Its filters let the test message through. */
  matching: TestWebhook;
  /** Each has one filter, which doesn't let the test message through. */
  excluding: (TestWebhook & { filter: keyof WebhookFilters })[];
}

const maxNamed = 5;

const describe = ({ id, url, events }: AnyRecord): string =>
  printable(`${id} to ${url}${Array.isArray(events) ? ` for ${events.join(', ')}` : ''}`);

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

/** Prepares the webhooks without creating them. Each has its own path below the address, which no other run has. */
export const prepareWebhooks = (
  service: ServiceClient,
  records: Records,
  address: string,
  message: TestMessage,
): TestWebhooks => {
  const base = `${address.replace(/\/$/, '')}/${newMark()}`;
  const before = memoize(async () => (await listAll(service)).records);
  const prepare = (name: string, readFilters?: () => Promise<WebhookFilters>): TestWebhook => {
    const url = `${base}/${name}`;
    const idempotencyKey = randomUUID();
    const body = memoize(async () => {
      const filters = await readFilters?.();
      return { url, events: vocabulary.event.filter(exists), ...(filters && { filters }) };
    });
    const create = async () => {
      const others = await before();
      try {
        return await service.request(createWebhook, { body: await body(), idempotencyKey });
      } finally {
        // A request without a response may have done it too.
        await requireKept(service, others);
      }
    };
    return { name, body, response: memoize(create), repeat: create };
  };
  const exclude = (filter: keyof WebhookFilters, readValue: () => Promise<string>) => ({
    ...prepare(`excluding-${filter}`, async () => ({ [filter]: [await readValue()] })),
    filter,
  });
  const sentChannel = async () => (await message.composed()).body.channel;
  // A service may refuse a filter for a channel or campaign that it doesn't have.
  const otherChannel = async () => {
    const [sent, channels] = [await sentChannel(), await records.list('listChannels')];
    return channels.map(idOf).find((key) => key !== sent) ?? unknownId;
  };
  const anyCampaign = async () => (await records.list('listCampaigns')).map(idOf)[0] ?? unknownId;
  return {
    first: prepare('first'),
    second: prepare('second'),
    matching: prepare('matching', async () =>
      withoutMissing('webhook', { channel: [await sentChannel()], source: ['api'] }),
    ),
    excluding: [
      exclude('channel', otherChannel),
      exclude('from', async () => fictionalPhone()),
      exclude('contact_id', async () => unknownId),
      exclude('source', async () => 'colleague'),
      exclude('campaign_id', anyCampaign),
    ].filter(({ filter }) => exists(`webhook.${filter}`)),
  };
};

/** Returns the secret that signs the deliveries. Throws `NotChecked` without one. */
export const readSecret = async ({ response }: TestWebhook): Promise<string> => {
  const created = await response();
  createdId(created);
  const { secret } = readRecord(created);
  if (typeof secret === 'string') return secret;
  throw new NotChecked('the service gave no secret');
};

const requireSecret = ({ secret }: AnyRecord): void => {
  if (hasSigningKey(String(secret ?? ''))) return;
  throw new Differs(`\`secret\` is ${secret ? 'too short to be safe' : 'missing'}${placeOf('webhook', ['secret'])}`);
};

const create = async ({ body, response }: TestWebhook): Promise<string> => {
  const created = await response();
  const sent = await body();
  return alsoJudging(
    () => requireShape(created, sent),
    () => requireSecret(readRecord(created)),
  );
};

const createFiltered = async ({ matching, excluding }: TestWebhooks): Promise<string> => {
  if (excluding.length === 0) throw new Missing('filters');
  const all = [matching, ...excluding];
  // All exist before the message is sent, even when the service refuses one.
  await Promise.allSettled(all.map(({ response }) => response()));
  for (const webhook of all) await create(webhook);
  return `by ${excluding.map(({ filter }) => filter).join(', ')}`;
};

const list = async (service: ServiceClient, { first, second }: TestWebhooks): Promise<string> => {
  const ids = [await first.response(), await second.response()].map(createdId);
  const listed = await service.request(listWebhooks, {});
  const seen = requireShape(listed);
  const { records } = readPage(listed);
  const listedIds = records.map(idOf);
  if (!ids.every((id) => listedIds.includes(id))) throw new Differs("the new webhooks aren't in the list");
  if (records.some(({ secret }) => secret)) throw new Differs('the list shows secrets');
  return `${seen}; records: ${records.length}`;
};

/** Checks that webhooks are created. */
export const webhookChecks = (service: ServiceClient, records: Records, webhooks: TestWebhooks): Check[] => [
  { name: 'createWebhook', run: () => create(webhooks.first) },
  ...replayChecks(createWebhook, webhooks.first),
  { name: 'createWebhook, filtered', run: () => createFiltered(webhooks) },
  { name: 'createWebhook, a second one', run: () => create(webhooks.second) },
  { name: 'listWebhooks, with the new ones', run: () => list(service, webhooks) },
  pagingCheck(service, records, ['listWebhooks', listWebhooks]),
];

/** Checks that a webhook is removed. */
export const webhookRemovalChecks = (service: ServiceClient, { first }: TestWebhooks): Check[] =>
  removalChecks(service, webhookKind, async () => {
    const { url } = await first.body();
    return requireOwn(service, webhookKind, createdId(await first.response()), url);
  });

import { endpoints } from '../../src/api/endpoints';
import { vocabulary } from '../../src/api/resources';
import {
  idOf,
  readPage,
  readRecord,
  requireMade,
  requireRefusal,
  requireSame,
  requireShape,
  requireSuccess,
} from '../contract/response';
import type { Answer, Service } from '../service';
import { type Check, Differs, NotChecked } from './check';
import { once } from './memoize';

const { createWebhook, listWebhooks, deleteWebhook } = endpoints;

/** One webhook for every event, made at the first look at it. */
export interface Subscription {
  url: string;
  answer: () => Promise<Answer>;
}

/** Prepares a webhook that delivers to the address; nothing is made yet. */
export const prepareWebhook = (service: Service, url: string): Subscription => {
  const body = { url, events: [...vocabulary.event] };
  return { url, answer: once(() => service.ask(createWebhook, { body })) };
};

/** The secret that deliveries are signed with. Throws `NotChecked` when the service gave none. */
export const requireSecret = async ({ answer }: Subscription): Promise<string> => {
  const made = await answer();
  requireMade(made);
  const { secret } = readRecord(made);
  if (typeof secret === 'string') return secret;
  throw new NotChecked('there is no secret to check with');
};

const create = async ({ url, answer }: Subscription): Promise<string> => {
  const made = await answer();
  const seen = requireShape(made);
  const record = readRecord(made);
  requireSame({ url, events: vocabulary.event }, record);
  if (record.secret === null) throw new Differs('`secret` is null');
  return seen;
};

const list = async (service: Service, { answer }: Subscription): Promise<string> => {
  const id = requireMade(await answer());
  const listed = await service.ask(listWebhooks, {});
  const seen = requireShape(listed);
  const { records } = readPage(listed);
  if (!records.some((record) => idOf(record) === id)) throw new Differs('the new webhook is not in the list');
  if (records.some(({ secret }) => secret)) throw new Differs('the list shows secrets');
  return `${seen}; records: ${records.length}`;
};

const remove = async (service: Service, { answer }: Subscription): Promise<string> => {
  const removed = await service.ask(deleteWebhook, { id: requireMade(await answer()) });
  requireSuccess(removed);
  return `${removed.status}`;
};

const removeAgain = async (service: Service, { answer }: Subscription): Promise<string> =>
  requireRefusal(await service.ask(deleteWebhook, { id: requireMade(await answer()) }), 'not_found');

/** Whether a webhook can be made. */
export const webhookChecks = (service: Service, subscription: Subscription): Check[] => [
  { name: 'createWebhook', basis: createWebhook.basis, run: () => create(subscription) },
  { name: 'listWebhooks, with the new one', basis: listWebhooks.basis, run: () => list(service, subscription) },
];

/** Whether a webhook can be removed. */
export const removalChecks = (service: Service, subscription: Subscription): Check[] => [
  { name: 'deleteWebhook', basis: deleteWebhook.basis, run: () => remove(service, subscription) },
  { name: 'deleteWebhook, when it is gone', basis: 'assumed', run: () => removeAgain(service, subscription) },
];

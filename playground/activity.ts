import * as z from 'zod/mini';
import type { Observer } from './observer';
import { toReadableJson } from './readable-json';
import { ownAgent, type Service } from './service';
import type { Arrival, HookReceiver } from './zaps/hook-receiver';
import type { Zaps } from './zaps/zaps';

export const activityKinds = ['request', 'event', 'delivery', 'run'] as const;
export type ActivityKind = (typeof activityKinds)[number];

/** One line of the activity list. */
export interface Activity {
  id: string;
  kind: ActivityKind;
  at: string;
  title: string;
  /** Such as a status code, or the status of a run. */
  status: string;
  isProblem: boolean;
  /** What a person sees when the line is open. */
  details: { label: string; value: unknown }[];
  /** The delivery that can be sent again. */
  deliveryId?: number;
}

const loggedRequests = z.object({
  data: z.array(
    z.object({
      request_id: z.string(),
      received_at: z.string(),
      method: z.string(),
      path: z.string(),
      query: z.record(z.string(), z.string()),
      headers: z.record(z.string(), z.string()),
      body: z.unknown(),
      status: z.nullable(z.number()),
    }),
  ),
});

const deliveries = z.object({
  data: z.array(
    z.object({
      id: z.number(),
      event_id: z.string(),
      type: z.string(),
      webhook_id: z.string(),
      status: z.string(),
      due_at: z.string(),
      attempts: z.array(z.object({ at: z.string(), status: z.nullable(z.number()), error: z.nullable(z.string()) })),
    }),
  ),
});

/** Where the lines come from. */
export interface ActivitySources {
  service: Service;
  observer: Observer;
  hooks: HookReceiver;
  zaps: Zaps;
}

/** The most lines of a kind that the service and the playground keep. */
const maxLines = 1000;

const requestActivity = async ({ service }: ActivitySources, limit: number): Promise<Activity[]> => {
  const { data } = loggedRequests.parse(await service.control('GET', `requests?limit=${limit}`));
  return data
    .toReversed()
    .filter(({ headers }) => headers['user-agent'] !== ownAgent)
    .map(({ request_id, received_at, method, path, query, headers, body, status }) => ({
      id: request_id,
      kind: 'request',
      at: received_at,
      title: `${method} ${path}`,
      status: status === null ? '…' : String(status),
      isProblem: status === null || status >= 400,
      details: [
        { label: 'Query', value: query },
        { label: 'Headers', value: headers },
        { label: 'Body', value: body },
      ],
    }));
};

const eventActivity = ({ observer }: ActivitySources): Activity[] =>
  observer.events().map(({ id, type, at, phone, data }) => ({
    id,
    kind: 'event',
    at,
    title: phone ? `${type} · ${phone}` : type,
    status: '',
    isProblem: type.endsWith('.failed'),
    details: [{ label: 'Payload', value: data }],
  }));

const groupArrivals = (arrivals: readonly Arrival[]): Map<string, Arrival[]> => {
  const groups = new Map<string, Arrival[]>();
  for (const arrival of arrivals) {
    const key = `${arrival.webhookId} ${arrival.eventId}`;
    groups.set(key, [...(groups.get(key) ?? []), arrival]);
  }
  return groups;
};

const describeArrival = ({ isGenuine, wasSeen, outcome }: Arrival): object => ({
  signature: isGenuine ? 'valid' : 'invalid',
  'seen before': wasSeen ? 'yes' : 'no',
  outcome,
});

/** The deliveries of Zaps that are on, and those that arrived before their Zap was turned off. */
const listDeliveries = async ({ service, zaps, hooks }: ActivitySources, limit: number) => {
  const webhooks = new Set([
    ...zaps.list().flatMap(({ subscription }) => subscription?.id ?? []),
    ...hooks.arrivals().map(({ webhookId }) => webhookId),
  ]);
  const lists = [...webhooks].map(async (id) => {
    const query = new URLSearchParams({ webhook_id: id, limit: `${limit}` });
    return deliveries.parse(await service.control('GET', `deliveries?${query}`)).data;
  });
  return (await Promise.all(lists)).flat();
};

const deliveryActivity = async (sources: ActivitySources, limit: number): Promise<Activity[]> => {
  const arrivals = groupArrivals(sources.hooks.arrivals());
  const titles = new Map(sources.zaps.list().map(({ subscription, title }) => [subscription?.id, title]));
  return (await listDeliveries(sources, limit)).map(({ id, event_id, type, webhook_id, status, due_at, attempts }) => {
    const arrived = arrivals.get(`${webhook_id} ${event_id}`) ?? [];
    return {
      id: `delivery-${id}`,
      kind: 'delivery',
      at: attempts.at(-1)?.at ?? due_at,
      title: [type, titles.get(webhook_id)].filter(Boolean).join(' · '),
      status,
      isProblem: ['failed', 'dropped', 'canceled'].includes(status) || attempts.some((each) => each.status !== 200),
      details: [
        { label: 'Tries', value: attempts },
        ...(status === 'pending' ? [{ label: 'Next try', value: due_at }] : []),
        { label: 'In Zapier', value: arrived.map(describeArrival) },
        { label: 'Headers', value: arrived[0]?.headers },
        { label: 'Body', value: arrived[0]?.body },
      ],
      deliveryId: id,
    };
  });
};

const runActivity = ({ zaps }: ActivitySources): Activity[] =>
  zaps.runs().map(({ id, startedAt, title, type, status, steps }) => ({
    id,
    kind: 'run',
    at: startedAt,
    title: `${title}${type === 'replay' ? ' (replay)' : ''}`,
    status,
    isProblem: ['error', 'held', 'halted'].includes(status),
    details: steps.flatMap((step, index) => [
      { label: `${index + 1}. ${step.title}: ${step.status}, data in`, value: step.input },
      { label: 'Data out', value: step.failure?.message ?? step.output },
    ]),
  }));

interface ActivityFilters {
  kind?: ActivityKind | undefined;
  /** Part of a phone number or of an id. */
  customer: string;
  /** How many lines to list. */
  count: number;
}

/** The newest lines, newest first. There is one more than `count` when there are earlier ones. */
export const listActivity = async (
  sources: ActivitySources,
  { kind, customer, count }: ActivityFilters,
): Promise<Activity[]> => {
  // A filter may match only old lines.
  const limit = customer === '' ? Math.min(count + 1, maxLines) : maxLines;
  const wants = (each: ActivityKind) => kind === undefined || kind === each;
  const found = [
    ...(wants('run') ? runActivity(sources) : []),
    ...(wants('delivery') ? await deliveryActivity(sources, limit) : []),
    ...(wants('event') ? eventActivity(sources) : []),
    ...(wants('request') ? await requestActivity(sources, limit) : []),
  ];
  const matches = ({ title, details }: Activity) =>
    customer === '' || title.includes(customer) || toReadableJson(details).includes(customer);
  return found
    .filter(matches)
    .sort((a, b) => Date.parse(b.at) - Date.parse(a.at))
    .slice(0, count + 1);
};

import * as z from 'zod/mini';
import { headers as shown } from '../../../src/api/endpoints';
import { type StepResult, statusText } from '../../zapier/core/result';
import type { Runs } from '../../zapier/runs/kept-runs';
import type { Runner } from '../../zapier/runs/run-zaps';
import type { Polling } from '../../zapier/starts/polling';
import type { Zaps } from '../../zapier/zap/kept-zaps';
import { type Arrival, type Arrivals, deliveryKey } from './arrivals';
import type { Chats } from './chats';
import type { GrowthMessages } from './growth-messages';
import type { Ledger } from './ledger';
import type { Observer } from './observer';
import type { OtherRecords } from './other-records';
import type { Phone } from './run-notes';
import { ownAgent, type Service } from './service';

export const activityKinds = ['request', 'event', 'delivery', 'run'] as const;
export type ActivityKind = (typeof activityKinds)[number];

interface Detail {
  label: string;
  value: unknown;
  /** The id of the API request that it's about. */
  request?: string | undefined;
}

/** One line of the activity list. */
export interface Activity {
  id: string;
  kind: ActivityKind;
  at: string;
  title: string;
  /** Such as a status code, or the status of a run. */
  status: string;
  isProblem: boolean;
  /** Whether it waits until somebody acts, or until the service lets it. */
  isHeld?: boolean;
  /** The step that it stopped at. */
  step?: StoppedStep | undefined;
  /** The run of a whole Zap that it's about. */
  run?: ShownRun | undefined;
  /** When a run goes on that a delay keeps, in ms since 1970. */
  waitsUntil?: number | undefined;
  /** What a person sees when the line is open. */
  details: Detail[];
  /** The delivery that can be sent again. */
  deliveryId?: number;
  /** In the order in which things were first seen. */
  number?: number;
  /** The number of the line that led to this one. */
  cause?: number | undefined;
  /** Where a phone shows it. */
  phone?: Phone | undefined;
}

/** A step that a run stopped at. */
export interface StoppedStep {
  zap: string;
  at: number;
  /** The run, unless it's of the step alone. */
  run?: string | undefined;
}

/** A run of a whole Zap, and what a person can do with it. */
export interface ShownRun {
  zap: string;
  /** The step to show: the one that failed, or else the last one. */
  at: number;
  canReplay: boolean;
  /** Whether it can go on at the step that failed. */
  canContinue: boolean;
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

const delivery = z.object({
  id: z.number(),
  event_id: z.string(),
  type: z.string(),
  webhook_id: z.string(),
  status: z.string(),
  due_at: z.string(),
  attempts: z.array(z.object({ at: z.string(), status: z.nullable(z.number()), error: z.nullable(z.string()) })),
});
type Delivery = z.output<typeof delivery>;
const deliveries = z.object({ data: z.array(delivery) });

/** Where the lines come from. */
export interface ActivitySources {
  service: Service;
  observer: Observer;
  arrivals: Arrivals;
  runs: Runs;
  zaps: Zaps;
  chats: Chats;
  growth: GrowthMessages;
  ledger: Ledger;
  otherRecords: OtherRecords;
  polling: Polling;
  runner: Pick<Runner, 'requestsSoFar'>;
}

/** The most lines of a kind that the service and the playground keep. */
export const maxLines = 1000;

/** The last requests that aren't the page's own, newest first. */
export const requestActivity = async ({ service, runs }: ActivitySources, limit: number): Promise<Activity[]> => {
  const { data } = loggedRequests.parse(await service.control('GET', `requests?limit=${limit}`));
  const recorded = runs.list().flatMap(({ steps }) => steps.flatMap(({ requests }) => requests));
  const replayed = new Set(
    recorded.flatMap((each) => (each.headers[shown.idempotentReplayed] ? each.headers[shown.requestId] : [])),
  );
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
        { label: 'Idempotency-Key', value: headers[shown.idempotencyKey] ?? '–' },
        { label: 'Idempotent-Replayed', value: replayed.has(request_id) ? 'true' : '–' },
        { label: 'Query', value: query },
        { label: 'Headers', value: headers },
        { label: 'Body', value: body },
      ],
    }));
};

/** The deliveries that reached a Zap, by what they deliver. */
export const groupArrivals = (arrivals: readonly Arrival[]): Map<string, Arrival[]> => {
  const groups = new Map<string, Arrival[]>();
  for (const arrival of arrivals) {
    const key = deliveryKey(arrival.webhookId, arrival.eventId);
    groups.set(key, [...(groups.get(key) ?? []), arrival]);
  }
  return groups;
};

/** What Zapier found out about a delivery, and what the Zap did with it. */
const describeArrival = ({ isGenuine, wasSeen, outcome }: Arrival): object => ({
  signature: isGenuine ? 'valid' : 'invalid',
  'seen before': wasSeen ? 'yes' : 'no',
  outcome: outcome(),
});

/** Whether a delivery has a problem, and what a person can open of it: its tries, and what arrived. */
export const describeDelivery = (
  { status, due_at, attempts }: Pick<Delivery, 'status' | 'due_at' | 'attempts'>,
  arrived: readonly Arrival[],
) => ({
  isProblem: ['failed', 'dropped', 'canceled'].includes(status) || attempts.some((each) => each.status !== 200),
  details: [
    { label: 'Tries', value: attempts },
    ...(status === 'pending' ? [{ label: 'Next try', value: due_at }] : []),
    { label: 'In Zapier', value: arrived.map(describeArrival) },
    { label: 'Headers', value: arrived[0]?.headers },
    { label: 'Body', value: arrived[0]?.body },
  ],
});

/** The deliveries of Zaps that are on, and those that arrived before their Zap was turned off. */
export const listDeliveries = async ({ service, zaps, arrivals }: ActivitySources) => {
  const webhooks = new Set([
    ...zaps.list().flatMap(({ subscription }) => subscription?.id ?? []),
    ...arrivals.list().map(({ webhookId }) => webhookId),
  ]);
  const lists = [...webhooks].map(async (id) => {
    const query = new URLSearchParams({ webhook_id: id, limit: `${maxLines}` });
    return deliveries.parse(await service.control('GET', `deliveries?${query}`)).data;
  });
  return (await Promise.all(lists)).flat();
};

const requestDetails = ({ requests }: StepResult): Activity['details'] =>
  requests.map(({ method, path, status, durationMs, headers }) => ({
    label: `${method} ${path}: ${status ?? 'no response'}${durationMs === undefined ? '' : `, ${durationMs} ms`}`,
    value: {
      'Idempotency-Key': headers[shown.idempotencyKey] ?? '–',
      'Idempotent-Replayed': headers[shown.idempotentReplayed] ?? '–',
    },
    request: headers[shown.requestId],
  }));

/** Whether there is nothing to show of a value. */
export const isBlank = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0);

/** The data in and out of each step, and its requests. */
export const describeSteps = (steps: readonly StepResult[]): Activity['details'] =>
  steps.flatMap((step, index) => [
    {
      label: `${index + 1}. ${step.title}: ${statusText[step.status]}, data in`,
      value: isBlank(step.input) ? '–' : step.input,
    },
    { label: 'Data out', value: step.failure?.message ?? step.output },
    ...requestDetails(step),
  ]);

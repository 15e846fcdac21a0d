import * as z from 'zod/mini';
import type { Zaps } from '../../zapier/zap/kept-zaps';
import type { Clock } from './clock';
import type { Live } from './live';
import { Refused } from './refused';
import type { Service } from './service';

/** The API requests of steps that can fail. */
export const requestGroups = [
  { requests: 'writes', label: 'Requests that send, create, change or delete' },
  { requests: 'reads', label: 'Requests that read: searches, dropdowns, forms, tests of triggers, polls' },
] as const;
export type Requests = (typeof requestGroups)[number]['requests'];

/** Failures of API requests. */
export const requestFaults = [
  { kind: '429', label: 'Too many requests (429)' },
  { kind: '503', label: 'Service unavailable (503)' },
  { kind: 'slow', label: 'Slow responses (5 s)' },
  { kind: 'lost', label: 'Lost responses' },
  { kind: 'html', label: 'HTML instead of JSON' },
  { kind: 'half_json', label: 'Half of the JSON' },
] as const;

/** Failures of deliveries to Zaps that are on. */
export const deliveryFaults = [
  { kind: 'delivery_dropped', label: 'Deliveries are lost' },
  { kind: 'delivery_late', label: 'Deliveries are a minute late' },
  { kind: 'delivery_twice', label: 'Deliveries arrive twice' },
  { kind: 'delivery_out_of_order', label: 'Deliveries arrive out of order' },
] as const;

type RequestFaultKind = (typeof requestFaults)[number]['kind'];
type DeliveryFaultKind = (typeof deliveryFaults)[number]['kind'];

/** Names a failure of requests in the form of the page. */
export const requestFaultName = (requests: Requests, kind: RequestFaultKind): string => `${requests}-${kind}`;

type FaultChoice = { name: string } & ({ requests: Requests; kind: RequestFaultKind } | { kind: DeliveryFaultKind });

/** Every failure that people can choose, by its name in the form of the page. */
export const faultChoices: readonly FaultChoice[] = [
  ...requestGroups.flatMap(({ requests }) =>
    requestFaults.map(({ kind }) => ({ name: requestFaultName(requests, kind), requests, kind })),
  ),
  ...deliveryFaults.map(({ kind }) => ({ name: kind, kind })),
];

export const speeds = [1, 10, 60] as const;

const listed = z.object({
  data: z.array(
    z.looseObject({
      kind: z.string(),
      count: z.number(),
      when: z.optional(z.string()),
      requests: z.optional(z.string()),
      webhook_id: z.optional(z.string()),
    }),
  ),
});

/** A failure that is on, and how many requests or deliveries it still applies to. */
export interface ActiveFault {
  label: string;
  count: number;
  /** The Zap whose deliveries it applies to. */
  zap: string | undefined;
}

const labelOf = (kind: string, when: string | undefined, requests: string | undefined): string => {
  const wanted = kind === 'drop' && when ? 'lost' : kind;
  const label = [...requestFaults, ...deliveryFaults].find((each) => each.kind === wanted)?.label ?? kind;
  return requests ? `${label} for ${requests}` : label;
};

/** Core's name in the requests of steps. Without it, the page's own requests would use a failure up. */
const coreAgent = 'Zapier';

const settingsOf = (kind: RequestFaultKind): object => {
  if (kind === 'lost') return { kind: 'drop', when: 'after' };
  return kind === 'slow' ? { kind, delay_ms: 5000 } : { kind };
};

const tickMs = 500;

/** The failure of the tour: a service that answers 503 for as long as a step tries to send. */
const tourFault = { name: 'tour', ...settingsOf('503'), count: 8, requests: 'writes', user_agent: coreAgent };

/** Failures and time in the service, by its control calls. */
export class Simulation {
  readonly #service: Service;
  readonly #clock: Clock;
  readonly #live: Live;
  readonly #timer: NodeJS.Timeout;
  #isTicking = false;
  speed: (typeof speeds)[number] = 1;
  /** Whether the failure of the tour waits for the end of its run. */
  isForTour = false;

  constructor({ service, clock, live }: { service: Service; clock: Clock; live: Live }) {
    this.#service = service;
    this.#clock = clock;
    this.#live = live;
    this.#timer = setInterval(() => void this.#tick(), tickMs);
  }

  /** Adds a failure. A failure of deliveries applies to every Zap that is on. Throws `Refused` when there is none. */
  async addFault(fault: FaultChoice, count: number, zaps: Zaps): Promise<void> {
    if ('requests' in fault) {
      const { requests, kind } = fault;
      const settings = { ...settingsOf(kind), count, requests, user_agent: coreAgent };
      await this.#service.control('POST', 'faults', settings);
      return;
    }
    const { kind } = fault;
    const subscriptions = zaps.list().flatMap(({ subscription }) => subscription ?? []);
    if (subscriptions.length === 0) throw new Refused('Turn on a Zap with an instant trigger first.');
    for (const { id } of subscriptions) await this.#service.control('POST', 'faults', { kind, count, webhook_id: id });
  }

  /** Fails everything that steps send, until `endTourFault`. */
  async addTourFault(): Promise<void> {
    await this.#service.control('POST', 'faults', tourFault);
    this.#live.changed('simulation');
  }

  async endTourFault(): Promise<void> {
    await this.#service.control('DELETE', `faults/${tourFault.name}`);
    this.#live.changed('simulation');
  }

  async clearFaults(): Promise<void> {
    await this.#service.control('DELETE', 'faults');
  }

  /** Lists the failures that are on, without those of webhooks that no Zap uses any more. */
  async faults(zaps: Zaps): Promise<ActiveFault[]> {
    const { data } = listed.parse(await this.#service.control('GET', 'faults'));
    return data.flatMap(({ kind, count, when, requests, webhook_id }) => {
      const zap = zaps.list().find(({ subscription }) => subscription && subscription.id === webhook_id)?.title;
      return webhook_id && !zap ? [] : [{ label: labelOf(kind, when, requests), count, zap }];
    });
  }

  async advance(seconds: number): Promise<void> {
    await this.#clock.advance(seconds);
    this.#live.changed('phones', 'activity', 'runs', 'simulation');
  }

  /** Shows the time of this machine again, at its speed. */
  async backToNow(): Promise<void> {
    this.speed = 1;
    await this.#clock.reset();
    this.#live.changed('phones', 'activity', 'runs', 'simulation');
  }

  async #tick(): Promise<void> {
    if (this.speed === 1 || this.#isTicking) return;
    this.#isTicking = true;
    await this.#clock.advance(((this.speed - 1) * tickMs) / 1000).catch(() => undefined);
    this.#isTicking = false;
    this.#live.changed('activity', 'simulation');
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

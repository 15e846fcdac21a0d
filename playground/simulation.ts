import * as z from 'zod/mini';
import type { Clock } from './clock';
import type { Live } from './live';
import { Refused } from './refused';
import type { Service } from './service';
import type { Zaps } from './zaps/zaps';

/** Failures of API requests that send, create or start something. */
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

export const faultKinds = [...requestFaults, ...deliveryFaults].map(({ kind }) => kind);
type FaultKind = (typeof faultKinds)[number];

export const speeds = [1, 10, 60] as const;

const listed = z.object({
  data: z.array(
    z.looseObject({
      kind: z.string(),
      count: z.number(),
      when: z.optional(z.string()),
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

const labelOf = (kind: string, when: string | undefined): string => {
  const wanted = kind === 'drop' && when ? 'lost' : kind;
  return [...requestFaults, ...deliveryFaults].find((each) => each.kind === wanted)?.label ?? kind;
};

const settingsOf = (kind: FaultKind): object => {
  if (kind === 'lost') return { kind: 'drop', when: 'after' };
  return kind === 'slow' ? { kind, delay_ms: 5000 } : { kind };
};

/** The requests that fail. Those that read would use a failure up while the form loads. */
const method = 'POST';

const tickMs = 500;

/** Failures and time in the service, by its control calls. */
export class Simulation {
  readonly #service: Service;
  readonly #clock: Clock;
  readonly #live: Live;
  readonly #timer: NodeJS.Timeout;
  #isTicking = false;
  speed: (typeof speeds)[number] = 1;

  constructor({ service, clock, live }: { service: Service; clock: Clock; live: Live }) {
    this.#service = service;
    this.#clock = clock;
    this.#live = live;
    this.#timer = setInterval(() => void this.#tick(), tickMs);
  }

  /** Adds a failure. A failure of deliveries applies to every Zap that is on. Throws `Refused` when there is none. */
  async addFault(kind: FaultKind, count: number, zaps: Zaps): Promise<void> {
    const settings = { ...settingsOf(kind), count };
    if (!kind.startsWith('delivery_')) {
      await this.#service.control('POST', 'faults', { ...settings, method });
      return;
    }
    const subscriptions = zaps.list().flatMap(({ subscription }) => subscription ?? []);
    if (subscriptions.length === 0) throw new Refused('Turn on a Zap with an instant trigger first.');
    for (const { id } of subscriptions) await this.#service.control('POST', 'faults', { ...settings, webhook_id: id });
  }

  async clearFaults(): Promise<void> {
    await this.#service.control('DELETE', 'faults');
  }

  /** Lists the failures that are on, without those of webhooks that no Zap uses any more. */
  async faults(zaps: Zaps): Promise<ActiveFault[]> {
    const { data } = listed.parse(await this.#service.control('GET', 'faults'));
    return data.flatMap(({ kind, count, when, webhook_id }) => {
      const zap = zaps.list().find(({ subscription }) => subscription && subscription.id === webhook_id)?.title;
      return webhook_id && !zap ? [] : [{ label: labelOf(kind, when), count, zap }];
    });
  }

  async advance(seconds: number): Promise<void> {
    await this.#clock.advance(seconds);
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

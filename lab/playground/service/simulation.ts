import * as z from 'zod/mini';
import { type LabClock, second } from '../../zapier/clock';
import type { Zaps } from '../../zapier/zap/kept-zaps';
import type { Live } from './live';
import { Refused } from './refused';
import type { Service } from './service';

/** Core's name in the requests of steps. Without it, the page's own requests would use a failure up. */
const ofWrites = { requests: 'writes', user_agent: 'Zapier' };

const untilCleared = 1000;

/** What can go wrong with what steps send, and with what the service delivers to Zaps. */
export const failures = [
  { kind: '503', label: 'The service is down', settings: { ...ofWrites, count: untilCleared } },
  { kind: 'slow', label: 'The service is slow', settings: { ...ofWrites, count: untilCleared, delay_ms: 5000 } },
  { kind: 'drop', label: 'The next response is lost', settings: { ...ofWrites, count: 1, when: 'after' } },
  { kind: 'delivery_twice', label: 'Events arrive twice', settings: { count: untilCleared } },
  { kind: 'delivery_late', label: 'Events arrive a minute late', settings: { count: untilCleared } },
] as const;
type Failure = (typeof failures)[number];

const listed = z.object({ data: z.array(z.looseObject({ kind: z.string(), webhook_id: z.optional(z.string()) })) });

/** The failure of the tour: a service that answers 503 for as long as a step tries to send. */
const tourFault = { ...ofWrites, name: 'tour', kind: '503', count: 8 };

/** Failures and time in the service, by its control calls. */
export class Simulation {
  readonly #service: Service;
  readonly #clock: LabClock;
  readonly #live: Live;
  /** Whether the failure of the tour waits for the end of its run. */
  isForTour = false;

  constructor({ service, clock, live }: { service: Service; clock: LabClock; live: Live }) {
    this.#service = service;
    this.#clock = clock;
    this.#live = live;
  }

  /** Adds a failure. One of deliveries applies to every Zap that is on. Throws `Refused` when there is none. */
  async addFailure({ kind, settings }: Failure, zaps: Zaps): Promise<void> {
    const fault = { kind, ...settings };
    if (!kind.startsWith('delivery')) {
      await this.#service.control('POST', 'faults', fault);
      return;
    }
    const subscriptions = zaps.list().flatMap(({ subscription }) => subscription ?? []);
    if (subscriptions.length === 0) throw new Refused('Turn on a Zap with an instant trigger first.');
    for (const { id } of subscriptions) await this.#service.control('POST', 'faults', { ...fault, webhook_id: id });
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

  /** What goes wrong now, without failures of webhooks that no Zap uses any more. */
  async listFailures(zaps: Zaps): Promise<string[]> {
    const { data } = listed.parse(await this.#service.control('GET', 'faults'));
    const used = zaps.list().map(({ subscription }) => subscription?.id);
    const kinds = data.flatMap(({ kind, webhook_id }) => (webhook_id && !used.includes(webhook_id) ? [] : kind));
    return [...new Set(kinds)].map((kind) => failures.find((each) => each.kind === kind)?.label ?? kind);
  }

  async advance(seconds: number): Promise<void> {
    await this.#clock.advance(seconds * second);
    this.#live.changed('phones', 'runs', 'simulation');
  }

  /** Shows the time of this machine again. */
  async backToNow(): Promise<void> {
    await this.#service.control('DELETE', 'clock');
    this.#live.changed('phones', 'runs', 'simulation');
  }
}

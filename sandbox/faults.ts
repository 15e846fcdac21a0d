import * as z from 'zod/mini';
import { vocabulary } from '../src/api/resources';
import type { Random } from './engine/random';
import { decode } from './refusal';

const text = z.string();
const milliseconds = z.int().check(z.minimum(0), z.maximum(86_400_000));

/** The next `count` of them, or of these only a `share`. */
const extent = {
  count: z._default(z.int().check(z.minimum(1), z.maximum(1_000_000)), 1),
  share: z._default(z.number().check(z.positive(), z.maximum(1)), 1),
};

/** What can go wrong with a request to /v1/. */
export const requestFault = z.strictObject({
  kind: z.enum(['slow', 'drop', '429', '500', '503', 'html', 'half_json']),
  ...extent,
  method: z.optional(text),
  /** What the path begins with. */
  path: z._default(text, '/v1/'),
  /** Whether the work is left undone, or done and only the answer spoilt. */
  when: z._default(z.enum(['before', 'after']), 'before'),
  /** How long a slow request takes, in real time. */
  delay_ms: z._default(milliseconds, 1000),
  /** Seconds, for a 429 and a 503. */
  retry_after: z._default(z.int().check(z.minimum(0), z.maximum(3600)), 1),
});
export type RequestFault = z.output<typeof requestFault>;

/** What can go wrong with a delivery. */
export const deliveryFault = z.strictObject({
  kind: z.enum(['delivery_twice', 'delivery_late', 'delivery_out_of_order', 'delivery_dropped']),
  ...extent,
  event: z.optional(z.enum(vocabulary.event)),
  webhook_id: z.optional(text),
  /** How much later a late delivery comes, by the clock of the sandbox. */
  delay_ms: z._default(milliseconds, 60_000),
});
export type DeliveryFault = z.output<typeof deliveryFault>;

const readValue = (value: string): string | number => (/^\d+$/.test(value) ? Number(value) : value);

/** Reads the header `X-Sandbox-Fault`, such as `503` or `drop; when=after`; refuses it with 422. */
export const parseFaultHeader = (header: string): RequestFault => {
  const [kind, ...settings] = header.split(';').map((part) => part.trim());
  const pairs = settings.map((setting) => setting.split('='));
  const values = pairs.map(([name = '', value = '']) => [name, readValue(value)]);
  return decode(requestFault, { kind, ...Object.fromEntries(values) });
};

/** Faults that were asked for and not used up yet. */
export class FaultList<Fault extends { count: number; share: number }> {
  readonly #random: Random;
  #faults: Fault[] = [];

  constructor(random: Random) {
    this.#random = random;
  }

  add(fault: Fault): void {
    this.#faults.push({ ...fault });
  }

  /** Counts one off the first fault that concerns it, and gives the fault if it strikes. */
  take(concerns: (fault: Fault) => boolean): Fault | undefined {
    const fault = this.#faults.find(concerns);
    if (!fault) return undefined;
    fault.count -= 1;
    this.#faults = this.#faults.filter(({ count }) => count > 0);
    return this.#random.integer(1, 1000) <= fault.share * 1000 ? fault : undefined;
  }

  /** The faults, with what is left of each. */
  list(): readonly Fault[] {
    return this.#faults;
  }

  clear(): void {
    this.#faults = [];
  }
}

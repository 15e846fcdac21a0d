import { EventEmitter, once } from 'node:events';
import * as z from 'zod/mini';
import { pathPrefix } from '../../../src/api/endpoints';
import { vocabulary } from '../../../src/api/resources';
import { validate } from './api-error';
import type { Random } from './random';

const text = z.string();
const milliseconds = z.int().check(z.minimum(0), z.maximum(86_400_000));

const frequency = {
  /** How many of the next requests or deliveries the fault applies to. */
  count: z._default(z.int().check(z.minimum(1), z.maximum(1_000_000)), 1),
  /** The share of those that fail. */
  share: z._default(z.number().check(z.positive(), z.maximum(1)), 1),
  /** A fault replaces an earlier one of the same name, and can be removed by it. */
  name: z.optional(text),
};

/** A failure of requests to /v1/. */
export const requestFault = z.strictObject({
  kind: z.enum(['slow', 'hold', 'drop', '429', '500', '503', 'html', 'half_json']),
  ...frequency,
  method: z.optional(text),
  /** Whether it applies to requests that only read, or to the others. */
  requests: z.optional(z.enum(['reads', 'writes'])),
  /** The start of the `User-Agent` of the requests that it applies to. */
  user_agent: z.optional(text),
  /** The start of the paths that it applies to. */
  path: z._default(text, `${pathPrefix}/`),
  /** Whether the request fails before its work is done, or after. */
  when: z._default(z.enum(['before', 'after']), 'before'),
  /** The real milliseconds that a slow request takes. */
  delay_ms: z._default(milliseconds, 1000),
  /** The seconds in `Retry-After` of a 429 or 503. */
  retry_after: z._default(z.int().check(z.minimum(0), z.maximum(3600)), 1),
});
export type RequestFault = z.output<typeof requestFault>;

/** A failure of webhook deliveries. */
export const deliveryFault = z.strictObject({
  kind: z.enum(['delivery_twice', 'delivery_late', 'delivery_out_of_order', 'delivery_dropped']),
  ...frequency,
  event: z.optional(z.enum(vocabulary.event)),
  webhook_id: z.optional(text),
  /** The delay of a late delivery, by the sandbox's clock. */
  delay_ms: z._default(milliseconds, 60_000),
});
export type DeliveryFault = z.output<typeof deliveryFault>;

const readValue = (value: string): string | number => (/^\d+$/.test(value) ? Number(value) : value);

/** Parses the header `X-Sandbox-Fault`, such as `503` or `drop; when=after`. Throws a 422 when it's invalid. */
export const parseFaultHeader = (header: string): RequestFault => {
  const [kind, ...settings] = header.split(';').map((part) => part.trim());
  const pairs = settings.map((setting) => setting.split('='));
  const values = pairs.map(([name = '', value = '']) => [name, readValue(value)]);
  return validate(requestFault, { kind, ...Object.fromEntries(values) });
};

/** The faults that still apply to requests or deliveries. */
export class FaultList<Fault extends { count: number; share: number; name?: string | undefined }> {
  readonly #random: Random;
  readonly #events = new EventEmitter().setMaxListeners(0);
  #faults: Fault[] = [];

  constructor(random: Random) {
    this.#random = random;
  }

  /** Adds a fault, in place of an earlier one of its name. */
  add(fault: Fault): void {
    if (fault.name !== undefined) this.remove(fault.name);
    this.#faults.push({ ...fault });
  }

  remove(name: string): void {
    this.#faults = this.#faults.filter((each) => each.name !== name);
  }

  /** Uses up one count of the first fault that applies. Returns it, or undefined when its share spares this one. */
  take(applies: (fault: Fault) => boolean): Fault | undefined {
    const fault = this.#faults.find(applies);
    if (!fault) return undefined;
    fault.count -= 1;
    this.#faults = this.#faults.filter(({ count }) => count > 0);
    return this.#random.integer(1, 1000) <= fault.share * 1000 ? fault : undefined;
  }

  /** Returns the faults with their remaining counts. */
  list(): readonly Fault[] {
    return this.#faults;
  }

  clear(): void {
    this.#faults = [];
    this.#events.emit('cleared');
  }

  /** Resolves when the faults are next removed. Rejects when the signal aborts. */
  async untilCleared(signal: AbortSignal): Promise<void> {
    await once(this.#events, 'cleared', { signal });
  }
}

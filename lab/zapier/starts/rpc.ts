import * as z from 'zod/mini';
import type { Clock } from '../clock';
import type { Store } from '../zap/store';

const call = z.object({
  id: z.union([z.string(), z.number()]),
  storeKey: z.optional(z.nullable(z.string())),
  method: z.enum(['get_cursor', 'set_cursor', 'zcache_get', 'zcache_set', 'zcache_delete']),
  params: z.array(z.unknown()),
});
/** A key, a value, for how many seconds it's kept, whose it is, and whether it's set only when the key has none. */
const setCache = z.tuple([
  z.string(),
  z.string(),
  z.optional(z.nullable(z.number())),
  z.optional(z.unknown()),
  z.optional(z.nullable(z.boolean())),
]);

/** A value, for how many seconds it's kept, and until when, in ms since 1970. */
const kept = z.object({
  key: z.string(),
  value: z.string(),
  seconds: z.optional(z.number()),
  until: z.optional(z.number()),
});
type Kept = z.output<typeof kept>;

const maxEntries = 10_000;

/** The store behind `z.cursor` and `z.cache`, which Zapier keeps for an app. */
export class RpcStore {
  readonly #store: Store;
  readonly #cursors = new Map<string, unknown>();
  readonly #cache: Map<string, Kept>;
  readonly #clock: Clock;

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    this.#cache = new Map(store.list('cache', kept).map((each) => [each.key, each]));
  }

  /** Answers a call of core. Undefined when it isn't one, or one that the stand-in doesn't know. */
  answer(body: unknown): { id: string | number; result: unknown } | undefined {
    const { data } = call.safeParse(body);
    return data && { id: data.id, result: this.#run(data) ?? null };
  }

  #run({ method, storeKey, params }: z.output<typeof call>): unknown {
    switch (method) {
      case 'get_cursor':
        return this.#cursors.get(storeKey ?? '');
      case 'set_cursor':
        return void this.#cursors.set(storeKey ?? '', params[0]);
      case 'zcache_get':
        return this.#read(String(params[0]));
      case 'zcache_set':
        return this.#setCache(params);
      case 'zcache_delete':
        return this.#deleteCache(String(params[0]));
    }
  }

  #read(key: string): string | undefined {
    const { value, until, seconds = Number.POSITIVE_INFINITY } = this.#cache.get(key) ?? {};
    if (until === undefined) return value;
    const left = until - this.#clock.now();
    // More time than it had is left when the clock went back.
    return left > 0 && left <= seconds * 1000 ? value : undefined;
  }

  #setCache(params: unknown[]): boolean {
    const { data } = setCache.safeParse(params);
    if (!data) return false;
    const [key, value, seconds, , isFirstOnly] = data;
    if (isFirstOnly && this.#read(key) !== undefined) return false;
    const [oldest] = this.#cache.keys();
    if (this.#cache.size >= maxEntries && oldest !== undefined) this.#deleteCache(oldest);
    const entry = { key, value, ...(seconds && { seconds, until: this.#clock.now() + seconds * 1000 }) };
    this.#cache.set(key, entry);
    this.#store.put('cache', key, entry);
    return true;
  }

  #deleteCache(key: string): boolean {
    this.#store.remove('cache', key);
    return this.#cache.delete(key);
  }
}

import * as z from 'zod/mini';
import type { Store } from './store';

const call = z.object({
  id: z.union([z.string(), z.number()]),
  storeKey: z.optional(z.nullable(z.string())),
  method: z.string(),
  params: z.array(z.unknown()),
});
const setCache = z.tuple([z.string(), z.string()], z.unknown());

const kept = z.object({ key: z.string(), value: z.string() });

const maxEntries = 10_000;

/** The store behind `z.cursor` and `z.cache`, which Zapier keeps for an app. */
export class RpcStore {
  readonly #store: Store;
  readonly #cursors = new Map<string, unknown>();
  readonly #cache: Map<string, string>;

  constructor(store: Store) {
    this.#store = store;
    this.#cache = new Map(store.list('cache', kept).map(({ key, value }) => [key, value]));
  }

  /** Answers a call of core. Throws when it isn't one. */
  answer(body: unknown): { id: string | number; result: unknown } {
    const { id, storeKey, method, params } = call.parse(body);
    return { id, result: this.#run(method, storeKey ?? '', params) ?? null };
  }

  #run(method: string, storeKey: string, params: unknown[]): unknown {
    switch (method) {
      case 'get_cursor':
        return this.#cursors.get(storeKey);
      case 'set_cursor':
        return void this.#cursors.set(storeKey, params[0]);
      case 'zcache_get':
        return this.#cache.get(String(params[0]));
      case 'zcache_set':
        return this.#setCache(params);
      case 'zcache_delete':
        return this.#deleteCache(String(params[0]));
      default:
        throw new Error(`The stand-in for Zapier doesn't support ${method}.`);
    }
  }

  /** Sets a value. With `nx`, the fifth parameter, only when the key has none. */
  #setCache(params: unknown[]): boolean {
    const [key, value] = setCache.parse(params);
    if (params[4] === true && this.#cache.has(key)) return false;
    const [oldest] = this.#cache.keys();
    if (this.#cache.size >= maxEntries && oldest !== undefined) this.#deleteCache(oldest);
    this.#cache.set(key, value);
    this.#store.put('cache', key, { key, value });
    return true;
  }

  #deleteCache(key: string): boolean {
    this.#store.remove('cache', key);
    return this.#cache.delete(key);
  }
}

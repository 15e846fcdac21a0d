import * as z from 'zod/mini';
import type { Store } from '../zap/store';

const call = z.object({
  id: z.union([z.string(), z.number()]),
  storeKey: z.optional(z.nullable(z.string())),
  method: z.enum(['get_cursor', 'set_cursor', 'zcache_get', 'zcache_set', 'zcache_delete']),
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
        return this.#cache.get(String(params[0]));
      case 'zcache_set':
        return this.#setCache(params);
      case 'zcache_delete':
        return this.#deleteCache(String(params[0]));
    }
  }

  /** Sets a value. With `nx`, the fifth parameter, only when the key has none. */
  #setCache(params: unknown[]): boolean {
    const { data } = setCache.safeParse(params);
    if (!data) return false;
    const [key, value] = data;
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

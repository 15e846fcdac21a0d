import * as z from 'zod/mini';
import type { Store } from '../../zapier/zap/store';

const kept = z.object({
  id: z.literal('tour'),
  phase: z.enum(['new', 'playing', 'over']),
  /** Whether the tour turned its Zap on, which is off again when it ends. */
  turnedOn: z.boolean(),
});
type Kept = z.output<typeof kept>;

/** Whether the tour was played, plays or is over. Kept in the store. */
export class TourState {
  readonly #store: Store;
  #kept: Kept;

  constructor(store: Store) {
    this.#store = store;
    this.#kept = store.list('tour', kept)[0] ?? { id: 'tour', phase: 'new', turnedOn: false };
  }

  get phase(): Kept['phase'] {
    return this.#kept.phase;
  }

  get turnedOn(): boolean {
    return this.#kept.turnedOn;
  }

  change(changed: Partial<Omit<Kept, 'id'>>): void {
    this.#kept = { ...this.#kept, ...changed };
    this.#store.put('tour', this.#kept.id, this.#kept);
  }
}

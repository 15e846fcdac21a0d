import * as z from 'zod/mini';
import type { Store } from '../../zapier/zap/store';

const saved = z.object({
  id: z.literal('tour'),
  phase: z.enum(['new', 'playing', 'over']),
  /** Whether the tour turned its Zap on, which is off again when it ends. */
  turnedOn: z.boolean(),
});
type Saved = z.output<typeof saved>;

/** Whether the tour was played, plays or is over. Kept in the store. */
export class TourState {
  readonly #store: Store;
  #saved: Saved;

  constructor(store: Store) {
    this.#store = store;
    this.#saved = store.list('tour', saved)[0] ?? { id: 'tour', phase: 'new', turnedOn: false };
  }

  get phase(): Saved['phase'] {
    return this.#saved.phase;
  }

  get turnedOn(): boolean {
    return this.#saved.turnedOn;
  }

  change(changed: Partial<Omit<Saved, 'id'>>): void {
    this.#saved = { ...this.#saved, ...changed };
    this.#store.put('tour', this.#saved.id, this.#saved);
  }
}

import { randomUUID } from 'node:crypto';
import type { Step } from '../kinds';
import type { Store } from './store';
import { Versions } from './versions';
import { maxSteps, type Zap, zap } from './zap';

/** The Zaps, kept in the store. */
export class Zaps {
  readonly #store: Store;
  readonly #zaps: Map<string, Zap>;
  readonly #versions: Versions;

  constructor(store: Store) {
    this.#store = store;
    this.#zaps = new Map(store.list('zap', zap).map((each) => [each.id, each]));
    this.#versions = new Versions(store);
    // Earlier versions ran the steps that the editor has.
    for (const each of this.#zaps.values()) if (each.isOn) each.published ??= structuredClone(each.steps);
  }

  /** Adds a Zap that is off. Without a title, it has its number. */
  add(steps: Step[], title?: string, madeFrom?: string): Zap {
    // A Zap that couldn't be read left a gap.
    const number = Math.max(0, ...[...this.#zaps.keys()].map((id) => Number(id.split('-')[1]) || 0)) + 1;
    const added: Zap = {
      id: `zap-${number}`,
      title: title ?? `Zap ${number}`,
      madeFrom,
      steps,
      isOn: false,
      seen: [],
    };
    this.#zaps.set(added.id, added);
    this.save(added);
    return added;
  }

  /** Keeps what is new about a Zap, such as its subscription. */
  save(changed: Zap): void {
    this.#store.put('zap', changed.id, changed);
  }

  /** Changes a Zap as a person does, which Undo takes back. */
  change(changed: Zap, change: Partial<Pick<Zap, 'title' | 'steps'>>): void {
    this.#versions.change(changed, change);
    this.save(changed);
  }

  canUndo(of: Zap): boolean {
    return this.#versions.canUndo(of);
  }

  canRedo(of: Zap): boolean {
    return this.#versions.canRedo(of);
  }

  /** Takes back the last change of a Zap, if there is one. */
  undo(changed: Zap): void {
    if (this.#versions.undo(changed)) this.save(changed);
  }

  /** Makes the change that Undo took back, if there is one. */
  redo(changed: Zap): void {
    if (this.#versions.redo(changed)) this.save(changed);
  }

  /** Adds a copy of a Zap as the editor has it. The copy is off. */
  duplicate({ title, steps, madeFrom }: Zap): Zap {
    const copies = structuredClone(steps).map((step) => ({ ...step, id: randomUUID() }));
    return this.add(copies, `Copy of ${title}`, madeFrom ?? title);
  }

  /** Marks a Zap as deleted, or restores it. */
  setDeleted(changed: Zap, isDeleted: boolean): void {
    changed.isDeleted = isDeleted;
    this.save(changed);
  }

  /** The Zaps that aren't deleted, oldest first. */
  list(): Zap[] {
    return [...this.#zaps.values()].filter(({ isDeleted }) => !isDeleted);
  }

  /** The deleted Zaps, oldest first. */
  listDeleted(): Zap[] {
    return [...this.#zaps.values()].filter(({ isDeleted }) => isDeleted);
  }

  /** The Zap with this id, also when it's deleted. */
  find(id: string): Zap | undefined {
    return this.#zaps.get(id);
  }

  /** Arranges the steps of a Zap in another way, unless it would have too many. */
  arrange(changed: Zap, steps: Step[]): void {
    if (steps.length <= maxSteps) this.change(changed, { steps });
  }
}

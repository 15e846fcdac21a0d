import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock';
import { recipes } from '../recipes';
import type { Store } from '../store';
import { fromRecipe, startingZap } from './from-recipe';
import { withoutStep, withStep } from './references';
import { type Run, run } from './run';
import { maxSteps, type Step, type Zap, zap } from './zap';

const maxRuns = 500;

/** A step of this app with an empty form. */
export const emptyStep = (place = 'creates.send_message'): Step => ({
  type: 'own',
  id: randomUUID(),
  place,
  values: {},
  labels: {},
});

/** The Zaps and their runs, kept in the store. */
export class Zaps {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #zaps: Map<string, Zap>;
  /** Newest first. */
  #runs: Run[];

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    this.#zaps = new Map(store.list('zap', zap).map((each) => [each.id, each]));
    this.#runs = store.list('run', run).reverse();
    if (this.#zaps.size === 0) this.#add('Send the delivery time', startingZap());
  }

  #add(title: string, steps: Step[]): Zap {
    const added: Zap = { id: `zap-${this.#zaps.size + 1}`, title, steps, isOn: false, seen: [] };
    this.#zaps.set(added.id, added);
    this.save(added);
    return added;
  }

  /** Adds the Zap of a recipe by its index, or undefined when there is none. */
  addRecipe(index: number): Zap | undefined {
    const recipe = recipes[index];
    return recipe && this.#add(recipe.title, fromRecipe(recipe));
  }

  /** Adds a Zap with a trigger and an action that have nothing filled in. */
  addNew(): Zap {
    return this.#add(`Zap ${this.#zaps.size + 1}`, [emptyStep('triggers.message_received'), emptyStep()]);
  }

  /** Keeps the changes of a Zap. */
  save(changed: Zap): void {
    this.#store.put('zap', changed.id, changed);
  }

  list(): Zap[] {
    return [...this.#zaps.values()];
  }

  find(id: string): Zap | undefined {
    return this.#zaps.get(id);
  }

  newest(): Zap {
    return this.list().at(-1) ?? this.addNew();
  }

  /** Adds a step at a place after the trigger. Later steps keep what they map. */
  addStep(changed: Zap, index: number): void {
    if (changed.steps.length < maxSteps) changed.steps = withStep(changed.steps, index, emptyStep());
    this.save(changed);
  }

  /** Removes a step, but never the trigger. Later steps keep what they map. */
  removeStep(changed: Zap, index: number): void {
    if (index > 0) changed.steps = withoutStep(changed.steps, index);
    this.save(changed);
  }

  addRun(added: Omit<Run, 'id' | 'startedAt'>): Run {
    const started: Run = { ...added, id: randomUUID(), startedAt: new Date(this.#clock.now()).toISOString() };
    this.#runs.unshift(started);
    this.saveRun(started);
    for (const { id } of this.#runs.splice(maxRuns)) this.#store.remove('run', id);
    return started;
  }

  /** Keeps the progress of a run. */
  saveRun(changed: Run): void {
    this.#store.put('run', changed.id, changed);
  }

  runs(): readonly Run[] {
    return this.#runs;
  }

  findRun(id: string): Run | undefined {
    return this.#runs.find((each) => each.id === id);
  }
}

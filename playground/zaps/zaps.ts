import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { recipes } from '../recipes';
import { fromRecipe, startingZap } from './from-recipe';
import { maxSteps, type Run, type Step, type Zap } from './zap';

const maxRuns = 500;

const emptyStep: Step = { type: 'own', place: 'creates.send_message', values: {}, labels: {} };

/** The Zaps and their runs, as long as the playground runs. */
export class Zaps {
  readonly #zaps = new Map<string, Zap>();
  /** Newest first. */
  #runs: Run[] = [];
  #count = 0;

  constructor() {
    this.add('Send the delivery time', startingZap());
  }

  add(title: string, steps: Step[]): Zap {
    const zap: Zap = { id: `zap-${++this.#count}`, title, steps, isOn: false, seen: new Set() };
    this.#zaps.set(zap.id, zap);
    return zap;
  }

  /** Adds the Zap of a recipe by its index, or undefined when there is none. */
  addRecipe(index: number): Zap | undefined {
    const recipe = recipes[index];
    return recipe && this.add(recipe.title, fromRecipe(recipe));
  }

  /** Adds a Zap with a trigger and an action that have nothing filled in. */
  addNew(): Zap {
    const trigger: Step = { type: 'own', place: 'triggers.message_received', values: {}, labels: {} };
    return this.add(`Zap ${this.#count + 1}`, [trigger, structuredClone(emptyStep)]);
  }

  list(): Zap[] {
    return [...this.#zaps.values()];
  }

  /** The Zap of that id, or the newest one. */
  find(id: string | undefined): Zap {
    const zap = this.#zaps.get(id ?? '') ?? this.list().at(-1);
    return zap ?? this.addNew();
  }

  addStep(zap: Zap): void {
    if (zap.steps.length < maxSteps) zap.steps.push(structuredClone(emptyStep));
  }

  /** Removes a step, but never the trigger. */
  removeStep(zap: Zap, index: number): void {
    if (index > 0) zap.steps.splice(index, 1);
  }

  addRun(run: Omit<Run, 'id' | 'startedAt'>): Run {
    const added = { ...run, id: randomUUID(), startedAt: new Date().toISOString() };
    this.#runs = [added, ...this.#runs].slice(0, maxRuns);
    return added;
  }

  runs(): readonly Run[] {
    return this.#runs;
  }

  findRun(id: string): Run | undefined {
    return this.#runs.find((run) => run.id === id);
  }
}

/** Parses a number of a form or an address within limits, or returns the other value. */
export const readNumber = (value: unknown, otherwise: number, max: number): number => {
  const parsed = z.coerce.number().check(z.int(), z.minimum(0), z.maximum(max)).safeParse(value);
  return value === undefined || value === '' ? otherwise : (parsed.data ?? otherwise);
};

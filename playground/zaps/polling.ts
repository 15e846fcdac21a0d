import * as z from 'zod/mini';
import { findOperation } from './operations';
import { runPart } from './run-step';
import type { Runner, RunnerParts } from './runner';
import type { OwnStep, Zap } from './zap';

type PollingParts = Pick<RunnerParts, 'zaps' | 'connection'> & { runner: Runner };

const records = z.array(z.looseObject({ id: z.union([z.string(), z.number()]) }));

const intervalMs = 2000;
const maxSeen = 10_000;

/** Polls the triggers that have no webhook, and starts a run for each new record. */
export class Polling {
  readonly #parts: PollingParts;
  readonly #timer: NodeJS.Timeout;
  #isPolling = false;

  constructor(parts: PollingParts) {
    this.#parts = parts;
    this.#timer = setInterval(() => void this.#pollAll(), intervalMs);
  }

  async #poll(trigger: OwnStep): Promise<z.output<typeof records>> {
    return records.parse(await runPart(trigger, 'perform', this.#parts.runner.context([])));
  }

  /** Notes the records that exist, which start no run. */
  async noteSeen(zap: Zap, trigger: OwnStep): Promise<void> {
    const { plan } = this.#parts.connection;
    zap.seen = (await this.#poll(trigger)).map(({ id }) => String(id));
    zap.seenPlan = plan;
    this.#parts.zaps.save(zap);
  }

  /** Polls every Zap that is on. A poll that fails is repeated the next time. */
  async #pollAll(): Promise<void> {
    if (this.#isPolling || this.#parts.connection.holdsRuns) return;
    this.#isPolling = true;
    for (const zap of this.#parts.zaps.list().filter(({ isOn }) => isOn)) {
      const trigger = zap.steps[0];
      if (trigger?.type !== 'own' || findOperation(trigger.place)?.isHook) continue;
      const isSameWorkspace = zap.seenPlan === this.#parts.connection.plan;
      const poll = isSameWorkspace ? this.#startNew(zap, trigger) : this.noteSeen(zap, trigger);
      await poll.catch(() => undefined);
    }
    this.#isPolling = false;
  }

  async #startNew(zap: Zap, trigger: OwnStep): Promise<void> {
    const polled = await this.#poll(trigger);
    const before = new Set(zap.seen);
    const found = polled.filter(({ id }) => !before.has(String(id)));
    if (found.length === 0) return;
    const seen = [...zap.seen, ...found.map(({ id }) => String(id))].slice(-maxSeen);
    zap.seen = seen;
    this.#parts.zaps.save(zap);
    for (const record of found.toReversed()) {
      // A person may turn the Zap off meanwhile. Turning it on again marks the remaining records as seen.
      if (zap.isOn && zap.seen === seen) await this.#parts.runner.startWith(zap, 'live', record);
    }
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

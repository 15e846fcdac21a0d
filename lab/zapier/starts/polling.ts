import * as z from 'zod/mini';
import type { FieldOfApp } from '../core/app-definition';
import { sentenceOf } from '../core/failure';
import type { AppStep } from '../kinds';
import { liveContext } from '../kinds/app-runner';
import { platform } from '../platform';
import type { Runner, RunnerParts } from '../runs/run-zaps';
import { runningTrigger, type Zap } from '../zap/zap';

type PollingParts = Pick<RunnerParts, 'definition' | 'app' | 'zaps' | 'connection' | 'clock'> & {
  runner: Runner;
};

const record = z.looseObject({});
type PolledRecord = z.output<typeof record>;
const records = z.array(record);
const id = z.pipe(z.union([z.string(), z.number()]), z.transform(String));

/** The polls of a Zap since one found something. */
export interface Checks {
  zapId: string;
  count: number;
  /** In ms since 1970. */
  since: number;
  /** Why the last one failed. */
  problem: string | undefined;
}

const maxSeen = 10_000;

/** What tells a record apart from others: its `id`, or the outputs that the app declares as primary. */
const keyOf = (polled: PolledRecord, outputs: readonly FieldOfApp[]): string => {
  const primary = outputs.filter((each) => each.primary).map(({ key }) => String(polled[key] ?? ''));
  return primary.length > 0 ? primary.join(' ') : id.parse(polled.id);
};

/** Polls the triggers that have no webhook, and starts a run for each new record. */
export class Polling {
  readonly #parts: PollingParts;
  readonly #timer: NodeJS.Timeout;
  readonly #checks = new Map<string, Checks>();
  #isPolling = false;

  constructor(parts: PollingParts) {
    this.#parts = parts;
    this.#timer = setInterval(() => void this.#pollAll(), platform.pollSeconds.is * 1000);
  }

  async #poll(trigger: AppStep): Promise<{ key: string; record: PolledRecord }[]> {
    const outputs = this.#parts.definition.find(trigger.operation)?.outputs ?? [];
    const given = await this.#parts.app.runMethod(trigger, 'perform', liveContext([]));
    return records.parse(given).map((each) => ({ key: keyOf(each, outputs), record: each }));
  }

  /** Notes the records that exist, which start no run. */
  async noteSeen(zap: Zap, trigger: AppStep): Promise<void> {
    const { account } = this.#parts.connection;
    zap.seen = (await this.#poll(trigger)).map(({ key }) => key);
    zap.seenIn = account;
    this.#parts.zaps.save(zap);
  }

  /** Polls every Zap that is on. A poll that fails is repeated the next time. */
  async #pollAll(): Promise<void> {
    if (this.#isPolling || this.#parts.connection.holdsRuns) return;
    this.#isPolling = true;
    for (const zap of this.#parts.zaps.list().filter(({ isOn }) => isOn)) {
      const trigger = runningTrigger(zap);
      if (!trigger || this.#parts.definition.find(trigger.operation)?.isHook) continue;
      const isSameAccount = zap.seenIn === this.#parts.connection.account;
      const poll = isSameAccount ? this.#startNew(zap, trigger) : this.noteSeen(zap, trigger).then(() => undefined);
      const outcome = await poll.catch((error: unknown) => ({ problem: sentenceOf(error) }));
      this.#count(zap, outcome);
    }
    this.#isPolling = false;
  }

  #count({ id: zapId }: Zap, outcome: 'news' | undefined | { problem: string }): void {
    if (outcome === 'news') return void this.#checks.delete(zapId);
    const { count, since } = this.#checks.get(zapId) ?? { count: 0, since: this.#parts.clock.now() };
    this.#checks.set(zapId, { zapId, count: count + 1, since, problem: outcome?.problem });
  }

  /** The polls without news of each Zap that polls. */
  checks(): Checks[] {
    return [...this.#checks.values()];
  }

  async #startNew(zap: Zap, trigger: AppStep): Promise<'news' | undefined> {
    const polled = await this.#poll(trigger);
    const before = new Set(zap.seen);
    const found = polled.filter(({ key }) => !before.has(key));
    if (found.length === 0) return undefined;
    const seen = [...zap.seen, ...found.map(({ key }) => key)].slice(-maxSeen);
    zap.seen = seen;
    this.#parts.zaps.save(zap);
    for (const { record: each } of found.toReversed()) {
      // A person may turn the Zap off meanwhile. Turning it on again marks the remaining records as seen.
      if (zap.isOn && zap.seen === seen) await this.#parts.runner.startWith(zap, 'live', each);
    }
    return 'news';
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

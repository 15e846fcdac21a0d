import * as z from 'zod/mini';
import { hour, minute, second, toIso } from '../../zapier/clock';
import type { Job } from '../engine/scheduler';
import type { SandboxContext } from '../store/context';
import { type DeliveryResult, type SenderOptions, send } from './sender';
import { removeWithDeliveries } from './webhooks';

/** Delays before the second attempt and those after it: eight attempts in total. */
const retryDelaysMs = [5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute, 2 * hour, 6 * hour];
const maxConcurrent = 32;
/** Keeps one slow receiver from delaying the others. */
const maxConcurrentPerWebhook = 8;

const deliveryRow = z.object({
  seq: z.number(),
  event_id: z.string(),
  webhook_id: z.string(),
  due_at: z.number(),
  tries: z.number(),
  body: z.string(),
  url: z.string(),
  secret: z.string(),
  old_secret: z.nullable(z.string()),
});
type DueDelivery = z.output<typeof deliveryRow>;

interface Attempt {
  webhookId: string;
  dueAt: number;
  finished: Promise<void>;
}

/**
 * Sends queued deliveries, several at a time, and retries those that fail. The next start sends again the deliveries that
 * `shutdown` interrupts.
 */
export class Deliveries implements Job {
  readonly #context: SandboxContext;
  readonly #options: SenderOptions;
  readonly #attempts = new Map<number, Attempt>();

  /** Queues again the deliveries that an earlier process was sending or holding, since they may not have arrived. */
  constructor(context: SandboxContext, options: SenderOptions) {
    this.#context = context;
    this.#options = options;
    context.database.run("UPDATE deliveries SET status = 'pending' WHERE status IN ('sending', 'held')");
  }

  nextDue(): number | undefined {
    if (this.#attempts.size >= maxConcurrent) return undefined;
    const sql = `SELECT min(due_at) FROM deliveries
      WHERE status = 'pending' AND webhook_id NOT IN (SELECT value FROM json_each(?))`;
    return this.#context.database.number(sql, this.#busyWebhooks());
  }

  /** Returns the ids of webhooks that have the maximum number of attempts in progress, as JSON. */
  #busyWebhooks(): string {
    const counts = new Map<string, number>();
    for (const { webhookId } of this.#attempts.values()) counts.set(webhookId, (counts.get(webhookId) ?? 0) + 1);
    return JSON.stringify([...counts].filter(([, count]) => count >= maxConcurrentPerWebhook).map(([id]) => id));
  }

  run(until: number): void {
    while (this.#attempts.size < maxConcurrent) {
      const delivery = this.#claim(until);
      if (!delivery) return;
      this.#attempt(delivery);
    }
  }

  #claim(until: number): DueDelivery | undefined {
    const { database } = this.#context;
    const sql = `SELECT delivery.seq, event_id, webhook_id, due_at, json_array_length(attempts) AS tries, body,
        document ->> 'url' AS url, document ->> 'secret' AS secret,
        CASE WHEN document ->> 'old_secret_until' > ? THEN document ->> 'old_secret' END AS old_secret
      FROM deliveries AS delivery JOIN events AS event ON event.id = event_id
      JOIN records AS webhook ON kind = 'webhook' AND webhook.id = webhook_id
      WHERE delivery.status = 'pending' AND due_at <= ? AND webhook_id NOT IN (SELECT value FROM json_each(?))
      ORDER BY due_at, delivery.seq LIMIT 1`;
    const found = database.first(deliveryRow, sql, until, until, this.#busyWebhooks());
    if (found) database.run("UPDATE deliveries SET status = 'sending' WHERE seq = ?", found.seq);
    return found;
  }

  #attempt(delivery: DueDelivery): void {
    const finished = send(delivery, this.#options).then((result) => {
      this.#attempts.delete(delivery.seq);
      if (!this.#options.shutdown.aborted) this.#record(delivery, result);
    });
    this.#attempts.set(delivery.seq, { webhookId: delivery.webhook_id, dueAt: delivery.due_at, finished });
  }

  /** Attempts every delivery due by `until`, for one timeout of real time. One whose attempt failed is due again later. */
  async settle(until: number): Promise<void> {
    const { timeoutMs, shutdown } = this.#options;
    const deadline = performance.now() + timeoutMs;
    while (!shutdown.aborted && performance.now() < deadline) {
      this.run(until);
      const due = [...this.#attempts.values()].filter(({ dueAt }) => dueAt <= until);
      if (due.length === 0) return;
      await Promise.race(due.map(({ finished }) => finished));
    }
  }

  /** Returns how many deliveries due by `until` still wait for their attempt, because too many receivers don't respond. */
  countDue(until: number): number {
    const sql = "SELECT count(*) FROM deliveries WHERE status IN ('pending', 'sending') AND due_at <= ?";
    return this.#context.database.number(sql, until) ?? 0;
  }

  #record(delivery: DueDelivery, result: DeliveryResult): void {
    const { database } = this.#context;
    const { status, error } = result;
    const now = this.#context.clock.now();
    database.transaction(() => {
      if (status === 410) removeWithDeliveries(this.#context, delivery.webhook_id);
      database.run(
        "UPDATE deliveries SET status = ?, due_at = ?, attempts = json_insert(attempts, '$[#]', json(?)) WHERE seq = ?",
        this.#statusAfter(delivery, result),
        now + (retryDelaysMs[delivery.tries] ?? 0),
        JSON.stringify({ at: toIso(now), status, error }),
        delivery.seq,
      );
    });
  }

  #statusAfter({ webhook_id, tries }: DueDelivery, { status, isPermanent }: DeliveryResult): string {
    if (status !== null && status >= 200 && status < 300) return 'delivered';
    const webhook = this.#context.database.number(
      "SELECT 1 FROM records WHERE kind = 'webhook' AND id = ?",
      webhook_id,
    );
    if (!webhook) return 'canceled';
    return !isPermanent && tries < retryDelaysMs.length ? 'pending' : 'failed';
  }
}

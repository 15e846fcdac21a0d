import * as z from 'zod/mini';
import { type Job, readDue } from './agenda';
import { type SandboxClock, toIso } from './clock';
import { Courier, type Outcome } from './courier';
import type { Service } from './service';
import { removeWebhook } from './webhooks';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** Pauses before the second try and those after it; with the first there are eight tries in all. */
const pauses = [5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute, 2 * hour, 6 * hour];
/** How long an answer may take: real time, since the receiver lives in it. */
const patience = 10 * second;
const mostAtOnce = 32;
/** So that one slow receiver does not keep the others waiting. */
const mostPerWebhook = 8;

const deliveryRow = z.object({
  seq: z.number(),
  event_id: z.string(),
  webhook_id: z.string(),
  tries: z.number(),
  body: z.string(),
  url: z.string(),
  secret: z.string(),
  old_secret: z.nullable(z.string()),
});
type Due = z.output<typeof deliveryRow>;

interface Underway {
  webhookId: string;
  deadline: number;
  giveUp: () => void;
}

/** Delivers what is queued: signed, several at a time, each again after growing pauses until it arrives. */
export class Deliveries implements Job {
  readonly #service: Service;
  readonly #clock: SandboxClock;
  readonly #courier = new Courier();
  readonly #underway = new Map<number, Underway>();
  #stopped = false;

  /** What was underway or held back when the process last ended may not have arrived: it is due again. */
  constructor(service: Service, clock: SandboxClock) {
    this.#service = service;
    this.#clock = clock;
    service.database.run("UPDATE deliveries SET status = 'pending' WHERE status IN ('sending', 'held')");
  }

  nextDue(): number {
    const deadlines = [...this.#underway.values()].map(({ deadline }) => deadline);
    return Math.min(...deadlines, this.#nextWaiting() ?? Number.POSITIVE_INFINITY);
  }

  #nextWaiting(): number | undefined {
    if (this.#underway.size >= mostAtOnce) return undefined;
    const sql = `SELECT min(due_at) AS due_at FROM deliveries
      WHERE status = 'pending' AND webhook_id NOT IN (SELECT value FROM json_each(?))`;
    return readDue(this.#service.database, sql, this.#busyWebhooks());
  }

  /** As JSON, the webhooks to which no more can be underway. */
  #busyWebhooks(): string {
    const counts = new Map<string, number>();
    for (const { webhookId } of this.#underway.values()) counts.set(webhookId, (counts.get(webhookId) ?? 0) + 1);
    return JSON.stringify([...counts].filter(([, count]) => count >= mostPerWebhook).map(([id]) => id));
  }

  run(until: number): void {
    for (const { deadline, giveUp } of this.#underway.values()) {
      if (deadline <= until) giveUp();
    }
    while (this.#underway.size < mostAtOnce) {
      const delivery = this.#claim(until);
      if (!delivery) return;
      this.#attempt(delivery);
    }
  }

  #claim(until: number): Due | undefined {
    const { database } = this.#service;
    const sql = `SELECT delivery.seq, event_id, webhook_id, json_array_length(attempts) AS tries, body, url, secret,
        CASE WHEN old_secret_until > ? THEN old_secret END AS old_secret
      FROM deliveries AS delivery JOIN events AS event ON event.id = event_id
      JOIN webhooks AS webhook ON webhook.id = webhook_id
      WHERE delivery.status = 'pending' AND due_at <= ? AND webhook_id NOT IN (SELECT value FROM json_each(?))
      ORDER BY due_at, delivery.seq LIMIT 1`;
    const found = database.first(deliveryRow, sql, until, until, this.#busyWebhooks());
    if (found) database.run("UPDATE deliveries SET status = 'sending' WHERE seq = ?", found.seq);
    return found;
  }

  #attempt(delivery: Due): void {
    const { seq, webhook_id: webhookId } = delivery;
    const underway: Underway = { webhookId, deadline: this.#clock.afterReal(patience), giveUp: () => {} };
    this.#underway.set(seq, underway);
    underway.giveUp = this.#courier.post(delivery, (outcome) => {
      if (this.#underway.delete(seq) && !this.#stopped) this.#record(delivery, outcome);
    });
  }

  #record(delivery: Due, outcome: Outcome): void {
    const { database } = this.#service;
    const { status, error } = outcome;
    const now = this.#clock.now();
    database.transaction(() => {
      if (status === 410) removeWebhook(this.#service, delivery.webhook_id);
      database.run(
        "UPDATE deliveries SET status = ?, due_at = ?, attempts = json_insert(attempts, '$[#]', json(?)) WHERE seq = ?",
        this.#statusAfter(delivery, outcome),
        now + (pauses[delivery.tries] ?? 0),
        JSON.stringify({ at: toIso(now), status, error }),
        delivery.seq,
      );
    });
  }

  #statusAfter({ webhook_id, tries }: Due, { status, final }: Outcome): string {
    if (status !== null && status >= 200 && status < 300) return 'delivered';
    const webhook = this.#service.database.first(z.object({}), 'SELECT 1 FROM webhooks WHERE id = ?', webhook_id);
    if (!webhook) return 'canceled';
    return !final && tries < pauses.length ? 'pending' : 'failed';
  }

  /** Hangs up. What was underway is tried again when the database is opened next. */
  stop(): void {
    this.#stopped = true;
    for (const { giveUp } of this.#underway.values()) giveUp();
    this.#courier.stop();
  }
}

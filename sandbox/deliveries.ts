import http from 'node:http';
import https from 'node:https';
import { Webhook as Signer } from 'standardwebhooks';
import * as z from 'zod/mini';
import { deliveryHeaders } from '../src/api/events';
import type { Job } from './agenda';
import { type SandboxClock, toIso } from './clock';
import type { Service } from './service';
import { isLoopback, removeWebhook } from './webhooks';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** Pauses before the second try and those after it; with the first there are eight tries in all. */
const pauses = [5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute, 2 * hour, 6 * hour];
/** Real time, since the receiver lives in it: how long an answer may take. */
const patience = 10 * second;
const mostAtOnce = 32;
/** So that one slow receiver does not keep the others waiting. */
const mostPerWebhook = 8;

const deliveryRow = z.object({
  seq: z.number(),
  event_id: z.string(),
  webhook_id: z.string(),
  attempts: z.number(),
  body: z.string(),
  url: z.string(),
  secret: z.string(),
  old_secret: z.nullable(z.string()),
});
type Due = z.output<typeof deliveryRow>;

/** What came of one try: the receiver's status, or why there was none. */
interface Outcome {
  status: number | null;
  error: string | null;
}

interface Underway {
  webhookId: string;
  deadline: number;
  giveUp: () => void;
}

const sign = ({ event_id, body, secret, old_secret }: Due, at: Date): string =>
  [secret, old_secret]
    .filter((key) => key !== null)
    .map((key) => new Signer(key).sign(event_id, at, body))
    .join(' ');

const dueRow = z.object({ due_at: z.nullable(z.number()) });

/** Delivers what is queued: signed, several at a time, each again after growing pauses until it arrives. */
export class Deliveries implements Job {
  readonly #service: Service & { clock: SandboxClock };
  readonly #underway = new Map<number, Underway>();
  readonly #agents = { 'http:': new http.Agent({ keepAlive: true }), 'https:': new https.Agent({ keepAlive: true }) };
  #stopped = false;

  /** What was underway or held back when the process last ended may not have arrived: it is due again. */
  constructor(service: Service & { clock: SandboxClock }) {
    this.#service = service;
    service.database.run("UPDATE deliveries SET status = 'pending' WHERE status IN ('sending', 'held')");
  }

  #busyWebhooks(): string {
    const counts = new Map<string, number>();
    for (const { webhookId } of this.#underway.values()) counts.set(webhookId, (counts.get(webhookId) ?? 0) + 1);
    return JSON.stringify([...counts].filter(([, count]) => count >= mostPerWebhook).map(([id]) => id));
  }

  nextDue(): number | undefined {
    const deadlines = [...this.#underway.values()].map(({ deadline }) => deadline);
    const waiting =
      this.#underway.size < mostAtOnce
        ? this.#service.database.first(
            dueRow,
            `SELECT min(due_at) AS due_at FROM deliveries
              WHERE status = 'pending' AND webhook_id NOT IN (SELECT value FROM json_each(?))`,
            this.#busyWebhooks(),
          )?.due_at
        : undefined;
    return Math.min(...deadlines, waiting ?? Number.POSITIVE_INFINITY);
  }

  run(): void {
    const now = this.#service.clock.now();
    for (const { deadline, giveUp } of this.#underway.values()) {
      if (deadline <= now) giveUp();
    }
    for (const delivery of this.#claim(now)) this.#attempt(delivery);
  }

  #claim(now: number): Due[] {
    const { database } = this.#service;
    return database.transaction(() => {
      const due = database.all(
        deliveryRow,
        `SELECT delivery.seq, event_id, webhook_id, json_array_length(attempts) AS attempts, body, url, secret,
            CASE WHEN old_secret_until > ? THEN old_secret END AS old_secret
          FROM deliveries AS delivery JOIN events AS event ON event.id = event_id
          JOIN webhooks AS webhook ON webhook.id = webhook_id
          WHERE delivery.status = 'pending' AND due_at <= ?
            AND webhook_id NOT IN (SELECT value FROM json_each(?))
          ORDER BY due_at, delivery.seq LIMIT ?`,
        now,
        now,
        this.#busyWebhooks(),
        Math.min(mostAtOnce - this.#underway.size, mostPerWebhook),
      );
      for (const { seq } of due) database.run("UPDATE deliveries SET status = 'sending' WHERE seq = ?", seq);
      return due;
    });
  }

  #attempt(delivery: Due): void {
    const { clock } = this.#service;
    const url = new URL(delivery.url);
    const settle = (outcome: Outcome) => {
      if (!this.#underway.delete(delivery.seq) || this.#stopped) return;
      this.#record(delivery, outcome);
    };
    const underway = { webhookId: delivery.webhook_id, deadline: clock.afterReal(patience), giveUp: () => {} };
    this.#underway.set(delivery.seq, underway);
    if (!isLoopback(url.hostname)) {
      settle({ status: null, error: 'The sandbox delivers to this machine only.' });
      return;
    }
    const at = new Date();
    const secure = url.protocol === 'https:';
    const request = (secure ? https : http).request(url, {
      method: 'POST',
      agent: this.#agents[secure ? 'https:' : 'http:'],
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(delivery.body),
        'user-agent': 'messaging-service-sandbox',
        [deliveryHeaders.id]: delivery.event_id,
        [deliveryHeaders.timestamp]: String(Math.floor(at.getTime() / 1000)),
        [deliveryHeaders.signature]: sign(delivery, at),
      },
    });
    underway.giveUp = () => request.destroy(new Error('No answer within 10 seconds.'));
    request.on('response', (response) => {
      response.resume();
      response.on('end', () => settle({ status: response.statusCode ?? null, error: null }));
      response.on('error', ({ message }) => settle({ status: null, error: message }));
    });
    request.on('error', ({ message }) => settle({ status: null, error: message }));
    request.end(delivery.body);
  }

  #record(delivery: Due, outcome: Outcome): void {
    const { database, clock } = this.#service;
    const now = clock.now();
    database.transaction(() => {
      if (outcome.status === 410) removeWebhook(this.#service, delivery.webhook_id);
      database.run(
        "UPDATE deliveries SET status = ?, due_at = ?, attempts = json_insert(attempts, '$[#]', json(?)) WHERE seq = ?",
        this.#nextStatus(delivery, outcome),
        now + (pauses[delivery.attempts] ?? 0),
        JSON.stringify({ at: toIso(now), ...outcome }),
        delivery.seq,
      );
    });
  }

  #nextStatus({ webhook_id, attempts }: Due, { status }: Outcome): string {
    if (status !== null && status >= 200 && status < 300) return 'delivered';
    if (!this.#isWanted(webhook_id)) return 'canceled';
    return attempts < pauses.length ? 'pending' : 'failed';
  }

  #isWanted(webhookId: string): boolean {
    return this.#service.database.first(z.object({}), 'SELECT 1 FROM webhooks WHERE id = ?', webhookId) !== undefined;
  }

  /** Hangs up. What was underway is tried again when the database is opened next. */
  stop(): void {
    this.#stopped = true;
    for (const { giveUp } of this.#underway.values()) giveUp();
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }
}

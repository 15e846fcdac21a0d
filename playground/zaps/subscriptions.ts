import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import type { Webhook } from '../../src/api/resources';
import type { Service } from '../service';
import { sentenceOf } from './failures';
import { findOperation } from './operations';
import type { Polling } from './polling';
import { runPart } from './run-step';
import type { Runner, RunnerParts } from './runner';
import type { OwnStep, Subscription, Zap } from './zap';

type SubscriptionsParts = RunnerParts & { runner: Runner; polling: Polling; service: Service };

const subscribed = z.looseObject({ id: z.string(), expiration_date: z.optional(z.string()) });

const filters = z.record(z.string(), z.array(z.string()));

/** Returns the events and filters of a webhook as short texts. Without filters, everything passes. */
const describeWebhook = (webhook: Webhook): string[] => [
  ...(webhook.events ?? []),
  ...Object.entries(filters.safeParse(webhook.filters).data ?? {})
    .filter(([, values]) => values.length > 0)
    .map(([name, values]) => `${name}: ${values.join(', ')}`),
];

const retryDelayMs = 60_000;

/** Turns Zaps on and off, and renews their subscriptions when they expire. */
export class Subscriptions {
  readonly #parts: SubscriptionsParts;
  /** The ids of the Zaps that are being turned on. */
  readonly #starting = new Set<string>();

  constructor(parts: SubscriptionsParts) {
    this.#parts = parts;
  }

  /** Subscribes to the events of a Zap, or notes the records that it has already seen. */
  async turnOn(zap: Zap): Promise<void> {
    const trigger = zap.steps[0];
    // Another tab may turn it on too, and a second subscription would never be removed.
    if (trigger?.type !== 'own' || zap.isOn || this.#starting.has(zap.id)) return;
    this.#starting.add(zap.id);
    try {
      if (findOperation(trigger.place)?.isHook) this.#keep(zap, await this.#subscribe(zap, trigger));
      else await this.#parts.polling.noteSeen(zap, trigger);
      zap.isOn = true;
      // A delivery may arrive meanwhile, and finds the Zap on.
      await this.#readWatches(zap);
      this.#save(zap);
    } finally {
      this.#starting.delete(zap.id);
      // Also when it fails: the request may have used up a simulated failure.
      this.#parts.notify();
    }
  }

  /** Turns a Zap off. Returns a sentence when its webhook stays at the service, as it does when Zapier can't remove it. */
  async turnOff(zap: Zap): Promise<string | undefined> {
    const trigger = zap.steps[0];
    const { subscription } = zap;
    zap.isOn = false;
    zap.subscription = undefined;
    zap.problem = undefined;
    this.#save(zap);
    if (trigger?.type !== 'own' || !subscription) return undefined;
    return this.#unsubscribe(trigger, subscription).then(
      () => undefined,
      (error: unknown) =>
        `The webhook ${subscription.id} stays at the service. While the Zap is off, it starts no runs, and the service deletes it after its next event. The service didn't remove it: ${sentenceOf(error)}`,
    );
  }

  #isHere({ targetUrl }: Subscription): boolean {
    return targetUrl.startsWith(`${this.#parts.address}/`);
  }

  /** Returns a new URL each time a Zap is turned on, because its last webhook may still exist. A renewal keeps its URL. */
  #targetUrl({ subscription }: Zap): string {
    if (subscription && this.#isHere(subscription)) return subscription.targetUrl;
    return `${this.#parts.address}/zapier/hooks/${randomUUID()}`;
  }

  async #subscribe(zap: Zap, trigger: OwnStep): Promise<Subscription> {
    const targetUrl = this.#targetUrl(zap);
    const data = await runPart(trigger, 'performSubscribe', this.#parts.runner.context([]), { targetUrl });
    const { id, expiration_date: expiresAt } = subscribed.parse(data);
    return { id, targetUrl, data, expiresAt };
  }

  #keep(zap: Zap, subscription: Subscription): void {
    zap.subscription = subscription;
    zap.problem = undefined;
    this.#scheduleRenewal(zap, subscription);
  }

  /** Asks the service what it sends to the Zap. */
  async #readWatches({ subscription }: Zap): Promise<void> {
    if (!subscription) return;
    const webhooks = await this.#parts.service.listWebhooks().catch(() => []);
    subscription.watches = webhooks.filter(({ id }) => id === subscription.id).flatMap(describeWebhook);
  }

  async #unsubscribe(trigger: OwnStep, { data, targetUrl }: Subscription): Promise<void> {
    const bundle = { subscribeData: data, targetUrl };
    await runPart(trigger, 'performUnsubscribe', this.#parts.runner.context([]), bundle);
  }

  #scheduleRenewal(zap: Zap, subscription: Subscription): void {
    if (!subscription.expiresAt) return;
    this.#parts.clock.at(Date.parse(subscription.expiresAt), () => this.#renew(zap, subscription));
  }

  /** Replaces the subscription of a Zap that is on and still has it. Tries again every minute while the service refuses. */
  async #renew(zap: Zap, old: Subscription | undefined): Promise<void> {
    const trigger = zap.steps[0];
    // A person may turn the Zap off before or during the renewal.
    const isCurrent = () => zap.isOn && zap.subscription === old;
    if (!isCurrent() || trigger?.type !== 'own') return;
    try {
      const renewed = await this.#subscribe(zap, trigger);
      if (!isCurrent()) return await this.#unsubscribe(trigger, renewed);
      this.#keep(zap, renewed);
      await this.#readWatches(zap);
    } catch (error) {
      if (!isCurrent()) return;
      zap.problem = `The subscription wasn't renewed. ${sentenceOf(error)}`;
      this.#parts.clock.at(this.#parts.clock.now() + retryDelayMs, () => this.#renew(zap, old));
    }
    this.#save(zap);
    // The service may have removed it already.
    if (!old || zap.subscription === old) return;
    await this.#unsubscribe(trigger, old).catch(() => undefined);
    await this.#removeUnknown(zap);
  }

  /** Removes webhooks that an earlier renewal created without a response. Zapier can't verify their payloads. */
  async #removeUnknown({ subscription }: Zap): Promise<void> {
    const { service } = this.#parts;
    if (!subscription) return;
    for (const { id, url } of await service.listWebhooks().catch(() => [])) {
      const isUnknown = id !== subscription.id && url?.startsWith(subscription.targetUrl);
      if (isUnknown) await service.unsubscribe(id).catch(() => undefined);
    }
  }

  /** Takes over the subscriptions of an earlier process. `known` has the ids of the service's webhooks. */
  async restore(known: ReadonlySet<string>): Promise<void> {
    for (const zap of this.#parts.zaps.list()) {
      const trigger = zap.steps[0];
      if (!zap.isOn || trigger?.type !== 'own' || !findOperation(trigger.place)?.isHook) continue;
      const { subscription } = zap;
      const isLive = subscription && known.has(subscription.id) && this.#isHere(subscription);
      if (isLive) this.#scheduleRenewal(zap, subscription);
      else await this.#renew(zap, subscription);
    }
  }

  #save(zap: Zap): void {
    this.#parts.zaps.save(zap);
    this.#parts.notify();
  }
}

import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { sentenceOf } from '../core/failure';
import type { AppStep, Step } from '../kinds';
import { liveContext } from '../kinds/app-runner';
import type { RunnerParts } from '../runs/run-zaps';
import { asApp } from '../zap/steps';
import { runningTrigger, type Subscription, type Zap } from '../zap/zap';
import type { Polling } from './polling';
import { changesTrigger } from './trigger-settings';

export interface SubscriptionsParts extends RunnerParts {
  polling: Polling;
  /** Hears of a Zap that was subscribed, or whose subscription was renewed. May describe what the service sends to it. */
  onSubscribed?: ((subscription: Subscription, isRenewal: boolean) => Promise<void>) | undefined;
}

const subscribed = z.looseObject({ id: z.string(), expiration_date: z.optional(z.string()) });

const retryDelayMs = 60_000;

/** Turns Zaps on and off, and renews their subscriptions when they expire. */
export class Subscriptions {
  readonly #parts: SubscriptionsParts;
  /** The ids of the Zaps that are being turned on. */
  readonly #starting = new Set<string>();

  constructor(parts: SubscriptionsParts) {
    this.#parts = parts;
  }

  /** Subscribes to the events of a Zap, or notes the records that it has already seen. Another app starts it by itself. */
  async turnOn(zap: Zap): Promise<void> {
    const steps = structuredClone(zap.steps);
    const trigger = asApp(steps[0]);
    // Another tab may turn it on too, and a second subscription would never be removed.
    if (zap.isOn || this.#starting.has(zap.id)) return;
    this.#starting.add(zap.id);
    try {
      const subscription = trigger && (await this.#listen(zap, trigger, this.#targetUrl(zap)));
      if (subscription) this.#keep(zap, subscription);
      zap.isOn = true;
      zap.published = steps;
      // A delivery may arrive meanwhile, and finds the Zap on.
      if (zap.subscription) await this.#parts.onSubscribed?.(zap.subscription, false);
      this.#save(zap);
    } finally {
      this.#starting.delete(zap.id);
      // Also when it fails: the request may have used up a simulated failure.
      this.#parts.notify();
    }
  }

  /** Turns a Zap off. Returns a sentence when its webhook stays at the service, as it does when Zapier can't remove it. */
  async turnOff(zap: Zap): Promise<string | undefined> {
    const trigger = runningTrigger(zap);
    const { subscription } = zap;
    zap.isOn = false;
    zap.published = undefined;
    zap.subscription = undefined;
    zap.problem = undefined;
    this.#save(zap);
    if (!trigger || !subscription) return undefined;
    return this.#unsubscribe(trigger, subscription).then(
      () => undefined,
      (error: unknown) =>
        `The service didn't remove the webhook ${subscription.id}: ${sentenceOf(error)} The webhook starts no runs while the Zap is off, and the service deletes it after its next event.`,
    );
  }

  /**
   * Lets a Zap that is on run the steps that its editor has. Subscribes again when its trigger changed. Rejects when the
   * service refuses, and then the Zap runs as before.
   */
  async publish(zap: Zap): Promise<void> {
    const steps = structuredClone(zap.steps);
    const [old, trigger] = [runningTrigger(zap), asApp(steps[0])];
    if (!zap.isOn || this.#starting.has(zap.id)) return;
    if (old && trigger && !changesTrigger(old, trigger)) {
      zap.published = steps;
      return this.#save(zap);
    }
    this.#starting.add(zap.id);
    try {
      await this.#replaceTrigger(zap, trigger, steps);
    } finally {
      this.#starting.delete(zap.id);
      this.#parts.notify();
    }
  }

  /** Subscribes to the events of an instant trigger. Notes the records that another one has already seen. */
  async #listen(zap: Zap, trigger: AppStep, targetUrl: string): Promise<Subscription | undefined> {
    if (this.#parts.definition.find(trigger.operation)?.isHook) return this.#subscribe(trigger, targetUrl);
    await this.#parts.polling.noteSeen(zap, trigger);
    return undefined;
  }

  /** Listens for another trigger at a new URL, and no longer for the one before. */
  async #replaceTrigger(zap: Zap, trigger: AppStep | undefined, steps: Step[]): Promise<void> {
    const old = runningTrigger(zap);
    const renewed = trigger && (await this.#listen(zap, trigger, this.#newUrl()));
    // A person may turn the Zap off meanwhile.
    if (!zap.isOn) return trigger && renewed && this.#unsubscribe(trigger, renewed);
    const before = zap.subscription;
    zap.published = steps;
    zap.subscription = undefined;
    if (renewed) this.#keep(zap, renewed);
    this.#save(zap);
    // The service deletes one that stays, because its URL responds with 410.
    if (old && before) await this.#unsubscribe(old, before).catch(() => undefined);
    if (renewed) await this.#parts.onSubscribed?.(renewed, false);
    this.#save(zap);
  }

  #isHere({ targetUrl }: Subscription): boolean {
    return targetUrl.startsWith(`${this.#parts.address}/`);
  }

  /** Returns a new URL each time a Zap is turned on, because its last webhook may still exist. A renewal keeps its URL. */
  #targetUrl({ subscription }: Zap): string {
    if (subscription && this.#isHere(subscription)) return subscription.targetUrl;
    return this.#newUrl();
  }

  #newUrl(): string {
    return `${this.#parts.address}/hooks/${randomUUID()}`;
  }

  async #subscribe(trigger: AppStep, targetUrl: string): Promise<Subscription> {
    const data = await this.#parts.app.runMethod(trigger, 'performSubscribe', liveContext([]), { targetUrl });
    const { id, expiration_date: expiresAt } = subscribed.parse(data);
    return { id, targetUrl, data, expiresAt };
  }

  #keep(zap: Zap, subscription: Subscription): void {
    zap.subscription = subscription;
    zap.problem = undefined;
    this.#scheduleRenewal(zap, subscription);
  }

  async #unsubscribe(trigger: AppStep, { data, targetUrl }: Subscription): Promise<void> {
    const bundle = { subscribeData: data, targetUrl };
    await this.#parts.app.runMethod(trigger, 'performUnsubscribe', liveContext([]), bundle);
  }

  #scheduleRenewal(zap: Zap, subscription: Subscription): void {
    if (!subscription.expiresAt) return;
    this.#parts.clock.at(Date.parse(subscription.expiresAt), () => this.#renew(zap, subscription));
  }

  /** Replaces the subscription of a Zap that is on and still has it. While the service refuses, it tries again every minute. */
  async #renew(zap: Zap, old: Subscription | undefined): Promise<void> {
    const trigger = runningTrigger(zap);
    // A person may turn the Zap off before or during the renewal.
    const isCurrent = () => zap.isOn && zap.subscription === old;
    if (!isCurrent() || !trigger) return;
    try {
      const renewed = await this.#subscribe(trigger, this.#targetUrl(zap));
      if (!isCurrent()) return await this.#unsubscribe(trigger, renewed);
      this.#keep(zap, renewed);
    } catch (error) {
      if (!isCurrent()) return;
      zap.problem = `The subscription wasn't renewed. ${sentenceOf(error)}`;
      this.#parts.clock.at(this.#parts.clock.now() + retryDelayMs, () => this.#renew(zap, old));
    }
    this.#save(zap);
    if (zap.subscription === old) return;
    // The service may have removed it already.
    if (old) await this.#unsubscribe(trigger, old).catch(() => undefined);
    if (zap.subscription) await this.#parts.onSubscribed?.(zap.subscription, true);
    this.#save(zap);
  }

  /** Takes over the subscriptions of an earlier process. `known` has the ids of the service's webhooks. */
  async restore(known: ReadonlySet<string>): Promise<void> {
    for (const zap of this.#parts.zaps.list()) {
      const trigger = runningTrigger(zap);
      if (!zap.isOn || !trigger || !this.#parts.definition.find(trigger.operation)?.isHook) continue;
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

import type { IncomingMessage } from 'node:http';
import * as z from 'zod/mini';
import { isGenuine } from '../../src/webhooks/signature';
import { receiveDelivery } from '../zapier';
import type { Connection } from './connection';
import { runOnCore } from './core';
import { explainFailure } from './failures';
import { findOperation } from './operations';
import { bundleOf, exampleOf, runOwnStep, runStep, type StepContext, titleOf } from './run-step';
import type { OwnStep, Run, Step, StepResult, Zap } from './zap';
import type { Zaps } from './zaps';

/** A delivery that reached a Zap. */
export interface Received {
  webhookId: string;
  eventId: string;
  at: string;
  isGenuine: boolean;
  wasSeen: boolean;
  /** What the Zap did with it. */
  outcome: string;
  headers: Record<string, string>;
  body: string;
}

/** A run that waits for a callback. */
interface Waiting {
  run: Run;
  steps: Step[];
  index: number;
  outputs: unknown[];
}

const subscribed = z.looseObject({ id: z.string(), expiration_date: z.optional(z.string()) });
const identified = z.looseObject({ id: z.union([z.string(), z.number()]) });
const secretOf = z.object({ secret: z.string() });

const maxReceived = 1000;

const byStatus = (steps: readonly StepResult[]): Run['status'] =>
  steps.find(({ status }) => status !== 'success')?.status ?? 'success';

/** Runs Zaps as Zapier does: tests in the editor, deliveries, polls, callbacks and replays. */
export class Runner {
  readonly #zaps: Zaps;
  readonly #connection: Connection;
  readonly #notify: (result?: StepResult) => void;
  readonly #address: string;
  readonly #waiting = new Map<string, Waiting>();
  /** Newest first. */
  #received: Received[] = [];

  constructor(
    { zaps, connection, notify }: { zaps: Zaps; connection: Connection; notify: (result?: StepResult) => void },
    address: string,
  ) {
    this.#zaps = zaps;
    this.#connection = connection;
    this.#notify = notify;
    this.#address = address;
  }

  received(): readonly Received[] {
    return this.#received;
  }

  #context(outputs: readonly unknown[], isTest: boolean): StepContext {
    return { connection: this.#connection, rpcUrl: `${this.#address}/zapier/rpc`, outputs, isTest };
  }

  /** The context of a step in the editor: earlier steps give their examples. */
  contextOf(zap: Zap, index: number, isTest = true): StepContext {
    return this.#context(zap.steps.slice(0, index).map(exampleRecord), isTest);
  }

  /** Runs one step as the editor does. A test of a trigger reads recent records. */
  async runOne(zap: Zap, index: number, isTest: boolean): Promise<Run> {
    const step = zap.steps[index];
    if (!step) throw new Error('The Zap has no such step.');
    const context = this.contextOf(zap, index, isTest);
    const type = isTest ? 'test' : 'run';
    const run = this.#zaps.addRun({
      zapId: zap.id,
      title: `${titleOf(step)} (${isTest ? 'test' : 'one step'})`,
      type,
      status: 'success',
      steps: [],
      trigger: undefined,
    });
    const result = await this.#runInEditor(step, { ...context, callbackUrl: this.#callbackUrl(run, 0) });
    run.steps = [result];
    run.status = result.status;
    if (step.type === 'own' && result.output !== undefined) step.example = result.output;
    if (result.status === 'waiting') this.#wait({ run, steps: [step], index: 0, outputs: [...context.outputs] });
    this.#notify(result);
    return run;
  }

  async #runInEditor(step: Step, context: StepContext): Promise<StepResult> {
    if (step.type !== 'own') return runStep({ ...step, onlyIf: undefined } as Step, context);
    return runOwnStep(step, context, findOperation(step.place)?.isHook ? 'performList' : 'perform');
  }

  #callbackUrl(run: Run, index: number): string {
    return `${this.#address}/zapier/callbacks/${run.id}-${index}`;
  }

  #wait(waiting: Waiting): void {
    this.#waiting.set(`${waiting.run.id}-${waiting.index}`, waiting);
  }

  /** Runs a whole Zap from what its trigger gave. Resolves when it ends or waits. */
  async start(zap: Zap, trigger: unknown, type: Run['type'], triggerResult?: StepResult): Promise<Run> {
    const [first, ...rest] = zap.steps;
    if (!first) throw new Error('The Zap has no trigger.');
    const started: StepResult = triggerResult ?? {
      title: titleOf(first),
      status: 'success',
      input: {},
      output: trigger,
      requests: [],
    };
    const status = rest.length > 0 ? 'running' : 'success';
    const run = this.#zaps.addRun({ zapId: zap.id, title: zap.title, type, status, steps: [started], trigger });
    await this.#continue({ run, steps: structuredClone(zap.steps), index: 1, outputs: [trigger] });
    return run;
  }

  async #continue({ run, steps, index, outputs }: Waiting): Promise<void> {
    for (let at = index; at < steps.length; at += 1) {
      const step = steps[at];
      if (!step) break;
      const context = { ...this.#context(outputs, false), callbackUrl: this.#callbackUrl(run, at) };
      const result = await runStep(step, context);
      run.steps.push(result);
      this.#notify(result);
      if (result.status === 'waiting') {
        run.status = 'waiting';
        this.#wait({ run, steps, index: at, outputs: [...outputs] });
        return;
      }
      outputs.push(result.output);
      if (result.status !== 'success' && result.status !== 'filtered') break;
    }
    run.status = byStatus(run.steps.filter(({ status }) => status !== 'filtered'));
    this.#notify();
  }

  /** Continues a run whose step waits for this callback. Returns whether there is one. */
  resume(id: string, cleanedRequest: unknown): boolean {
    const waiting = this.#waiting.get(id);
    if (!waiting) return false;
    this.#waiting.delete(id);
    void this.#resume(waiting, cleanedRequest);
    return true;
  }

  async #resume({ run, steps, index, outputs }: Waiting, cleanedRequest: unknown): Promise<void> {
    const step = steps[index];
    const before = run.steps.at(-1);
    if (step?.type !== 'own' || !before) return;
    const result = await runOwnStep(step, this.#context(outputs, false), 'performResume', {
      outputData: before.output,
      cleanedRequest,
    });
    run.steps[run.steps.length - 1] = { ...result, requests: [...before.requests, ...result.requests] };
    run.status = result.status;
    if (result.status !== 'success') return this.#notify();
    await this.#continue({ run, steps, index: index + 1, outputs: [...outputs, result.output] });
  }

  async replay(run: Run): Promise<Run> {
    return this.start(this.#zaps.find(run.zapId), run.trigger, 'replay');
  }

  /** Turns a Zap on: subscribes to its events, or notes the records that it has already seen. */
  async turnOn(zap: Zap): Promise<void> {
    const trigger = zap.steps[0];
    if (trigger?.type === 'own') await this.#subscribe(zap, trigger);
    zap.isOn = true;
    this.#notify();
  }

  async #subscribe(zap: Zap, trigger: OwnStep): Promise<void> {
    const context = this.#context([], false);
    if (!findOperation(trigger.place)?.isHook) {
      for (const { id } of await this.#poll(trigger)) zap.seen.add(String(id));
      return;
    }
    const targetUrl = `${this.#address}/zapier/hooks/${zap.id}`;
    const path = `${trigger.place}.operation.performSubscribe`;
    const data = await runOnCore(path, { ...bundleOf(trigger, context), targetUrl }, { rpcUrl: context.rpcUrl });
    const { id, expiration_date: expiresAt } = subscribed.parse(data);
    zap.subscription = { id, targetUrl, data, expiresAt };
  }

  async turnOff(zap: Zap): Promise<void> {
    const trigger = zap.steps[0];
    const { subscription } = zap;
    zap.isOn = false;
    zap.subscription = undefined;
    this.#notify();
    if (trigger?.type !== 'own' || !subscription) return;
    const context = this.#context([], false);
    const bundle = {
      ...bundleOf(trigger, context),
      subscribeData: subscription.data,
      targetUrl: subscription.targetUrl,
    };
    await runOnCore(`${trigger.place}.operation.performUnsubscribe`, bundle, { rpcUrl: context.rpcUrl });
  }

  async #poll(trigger: OwnStep): Promise<z.output<typeof identified>[]> {
    const context = this.#context([], false);
    const records = await runOnCore(`${trigger.place}.operation.perform`, bundleOf(trigger, context), {
      rpcUrl: context.rpcUrl,
    });
    return z.array(identified).parse(records);
  }

  /** Polls the triggers that have no webhook, and starts a run for each new record. */
  async pollAll(): Promise<void> {
    for (const zap of this.#zaps.list()) {
      const trigger = zap.steps[0];
      if (!zap.isOn || zap.subscription || trigger?.type !== 'own') continue;
      const records = await this.#poll(trigger).catch(() => []);
      for (const record of records.filter(({ id }) => !zap.seen.has(String(id))).reverse()) {
        zap.seen.add(String(record.id));
        await this.start(zap, record, 'live');
      }
    }
  }

  /** Takes a delivery. Returns false when the Zap is off, which Zapier says with a 410. */
  async receive(zapId: string, request: IncomingMessage): Promise<boolean> {
    const zap = this.#zaps.list().find(({ id }) => id === zapId);
    const trigger = zap?.steps[0];
    if (!zap?.isOn || !zap.subscription || trigger?.type !== 'own') return false;
    const delivery = await receiveDelivery(request);
    void this.#take(zap, trigger, delivery);
    return true;
  }

  async #take(zap: Zap, trigger: OwnStep, delivery: Awaited<ReturnType<typeof receiveDelivery>>): Promise<void> {
    const { content, headers } = delivery.rawRequest;
    const webhookId = zap.subscription?.id ?? '';
    const eventId = headers['Http-Webhook-Id'] ?? '';
    const received: Received = {
      webhookId,
      eventId,
      at: new Date().toISOString(),
      isGenuine: isGenuine({ content, headers }, secretOf.safeParse(zap.subscription?.data).data?.secret ?? ''),
      wasSeen: this.#received.some((each) => each.webhookId === webhookId && each.eventId === eventId),
      outcome: '',
      headers,
      body: content,
    };
    this.#received = [received, ...this.#received].slice(0, maxReceived);
    const extra = { ...delivery, subscribeData: zap.subscription?.data };
    const result = await runOwnStep(trigger, this.#context([], false), 'perform', extra);
    const records = Array.isArray(result.results) ? result.results : [];
    received.outcome = result.failure?.message ?? (records.length > 0 ? 'Started a run' : 'Started no run');
    if (result.failure) {
      const run = { zapId: zap.id, title: zap.title, type: 'live', status: result.status } as const;
      this.#zaps.addRun({ ...run, steps: [result], trigger: undefined });
    }
    this.#notify();
    for (const record of records) await this.start(zap, record, 'live', { ...result, output: record });
  }
}

/** What a step gives while the Zap is built: what its last test gave, or its sample. */
export const exampleRecord = (step: Step): unknown => {
  if (step.type === 'own') return step.example ?? findOperation(step.place)?.sample ?? {};
  return step.type === 'other' ? exampleOf(step) : {};
};

/** A sentence for a person about an error of Zapier's core. */
export const sentenceOf = (error: unknown): string => explainFailure(error).failure.message;

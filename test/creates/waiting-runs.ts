/** Zapier around runs of Send Message and Wait for Reply: callbacks, repeats after errors, and replays. */
import { errors } from 'zapier-platform-core';
import * as z from 'zod/mini';
import { message } from '../../src/api/resources';
import { authData } from '../support/service';
import { runStep } from '../support/zapier';
import { person } from './waiting-service';

export interface RunsStory {
  /** What Zapier does with a callback that comes before its step has returned. */
  early: 'hold' | 'run' | 'refuse';
  /** Whether Zapier tells a step the query of its callback address. */
  passesQuery: boolean;
  /** Whether the form says to go on with a reply that may answer another message. */
  continues: boolean;
  /** Whether the form has a value in Send Only Once Per. */
  isKeyed: boolean;
}

const result = z.object({
  reply: message.schema,
  sent: message.schema,
  already_sent: z.boolean(),
  answers_another: z.boolean(),
});

/** One attempt of a run. A repeat is another one, with another callback address. */
export interface Attempt {
  run: string;
  url: string;
  state: 'runs' | 'waits' | 'ended';
  isUsed: boolean;
  held?: unknown;
  kept?: unknown;
  result?: z.output<typeof result>;
  error?: unknown;
}

const path = 'creates.send_message_and_wait.operation';

export class Runs {
  readonly #story: RunsStory;
  readonly attempts: Attempt[] = [];
  /** How long each step took, in milliseconds. */
  readonly durations: number[] = [];

  constructor(story: RunsStory) {
    this.#story = story;
  }

  #bundle(run: string) {
    const key = this.#story.isKeyed ? { deduplication_key: run } : {};
    const choice = { if_another_question: this.#story.continues ? 'continue' : 'stop' };
    const inputData = { channel: 'whatsapp', template: 'hello', to: person, variables: { run }, ...key, ...choice };
    return { inputData, inputDataRaw: inputData, authData, meta: {} };
  }

  async #measure<T>(step: () => Promise<T>): Promise<T> {
    const start = Date.now();
    return step().finally(() => this.durations.push(Date.now() - start));
  }

  async start(run: string): Promise<Attempt> {
    const url = `https://zapier.example.com/callbacks/${this.attempts.length}`;
    const attempt: Attempt = { run, url, state: 'runs', isUsed: false };
    this.attempts.push(attempt);
    try {
      const around = { rpcUrl: '', callbackUrl: url };
      attempt.kept = await this.#measure(() => runStep(`${path}.perform`, this.#bundle(run), around));
      attempt.state = attempt.isUsed ? 'ended' : 'waits';
    } catch (error) {
      attempt.state = 'ended';
      attempt.error ??= error;
      return attempt;
    }
    if (attempt.held) await this.#resume(attempt, attempt.held);
    return attempt;
  }

  async #resume(attempt: Attempt, callback: unknown): Promise<void> {
    const { kept: outputData } = attempt;
    const bundle = { ...this.#bundle(attempt.run), cleanedRequest: callback, outputData };
    try {
      const resumed = await this.#measure(() => runStep(`${path}.performResume`, bundle, { rpcUrl: '' }));
      attempt.result = result.parse(resumed);
    } catch (error) {
      attempt.error = error;
    }
    attempt.state = 'ended';
  }

  /** Takes a callback, and returns the status of the response. The first one uses up its address. */
  async receive(address: string, body: unknown): Promise<number> {
    const { origin, pathname, searchParams } = new URL(address);
    const attempt = this.attempts.find((each) => each.url === origin + pathname);
    if (!attempt) return 200;
    const querystring = Object.fromEntries(searchParams);
    const payload = this.#story.passesQuery ? { ...Object(body), querystring } : body;
    if (attempt.isUsed || attempt.state === 'ended') return 410;
    if (attempt.state === 'runs' && this.#story.early === 'refuse') return 404;
    attempt.isUsed = true;
    if (attempt.state === 'runs' && this.#story.early === 'hold') {
      attempt.held = payload;
      return 200;
    }
    await this.#resume(attempt, payload);
    return 200;
  }

  /** Returns the last attempt of a run; undefined when it never started. */
  lastOf(run: string): Attempt | undefined {
    return this.attempts.findLast((each) => each.run === run);
  }

  /** Repeats the runs that failed without halting, as Autoreplay does an hour later. Returns whether there were any. */
  async repeatFailed(): Promise<boolean> {
    const runs = [...new Set(this.attempts.map(({ run }) => run))];
    const failed = runs.filter((run) => {
      const { error, result: got } = this.lastOf(run) ?? {};
      return error && !got && !(error instanceof errors.HaltedError);
    });
    for (const run of failed) {
      jest.advanceTimersByTime(60 * 60_000);
      await this.start(run);
    }
    return failed.length > 0;
  }
}

import { EventEmitter } from 'node:events';
import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';

/** The parts of the page that change by themselves. */
export const topics = ['phones', 'runs', 'simulation'] as const;
export type Topic = (typeof topics)[number];

const pauseMs = 50;

/** Tells open pages which of their parts changed: at once, then at most every 50 ms. */
export class Live {
  readonly #emitter = new EventEmitter().setMaxListeners(100);
  readonly #changed = new Set<Topic>();
  #timer: NodeJS.Timeout | undefined;

  changed(...changed: Topic[]): void {
    for (const topic of changed) this.#changed.add(topic);
    if (!this.#timer) this.#send();
  }

  #send(): void {
    this.#timer = undefined;
    if (this.#changed.size === 0) return;
    this.#timer = setTimeout(() => this.#send(), pauseMs);
    const sent = [...this.#changed];
    this.#changed.clear();
    this.#emitter.emit('changed', sent);
  }

  /** Responds with a stream of server-sent events, one for each part that changes. */
  stream(c: Context): Response {
    return streamSSE(c, async (stream) => {
      const send = async (changed: readonly Topic[]) => {
        for (const topic of changed) await stream.writeSSE({ event: topic, data: '' });
      };
      this.#emitter.on('changed', send);
      // A page that reconnects may have missed changes.
      await send(topics);
      const ended = new Promise((resolve) => this.#emitter.once('ended', () => resolve('ended')));
      const left = new Promise((resolve) => stream.onAbort(() => resolve('left')));
      if ((await Promise.race([ended, left])) === 'ended') await stream.writeSSE({ event: 'over', data: '' });
      this.#emitter.off('changed', send);
    });
  }

  /** Tells open pages that the playground started over, and ends their streams. */
  end(): void {
    this.#emitter.emit('ended');
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

import nock from 'nock';
import { headers } from '../../src/api/endpoints';
import { authData } from '../support/service';
import { type Attempt, Runs, type RunsStory } from './waiting-runs';
import { Service, type ServiceStory } from './waiting-service';

export interface Story extends ServiceStory, RunsStory {
  /** The number of the request during which a second run writes to the same person; null for none. */
  second: number | null;
  /** Whether somebody replays the first run after it ended. */
  isReplayed: boolean;
}

/** A messaging service, with Zapier around it. The runs are `a` and `b`. */
export class World {
  readonly story: Story;
  readonly zapier: Runs;
  readonly service: Service;
  replay: Attempt | undefined;
  readonly #handling: Promise<unknown>[] = [];

  constructor(story: Story) {
    this.story = story;
    this.zapier = new Runs(story);
    this.service = new Service(story, {
      before: async (request) => {
        if (request === story.second) await this.zapier.start('b');
      },
      deliver: (url, payload) => this.zapier.receive(url, payload),
    });
  }

  /** Remembers a request, since a step may give it up while somebody still handles it. */
  #handle<T>(handled: Promise<T>): Promise<T> {
    this.#handling.push(handled);
    return handled;
  }

  #listen(): void {
    for (const method of ['get', 'post', 'delete'] as const) {
      const { service } = this;
      const handle = this.#handle.bind(this);
      nock(authData.base_url)
        .persist()
        [method](/.*/)
        .reply(function (uri, body, respond) {
          const key = this.req.headers[headers.idempotencyKey];
          void handle(service.handle(this.req.method, uri, body, key && String(key))).then((reply) => {
            if ('error' in reply) respond(reply.error, [500]);
            else respond(null, reply.response);
          });
        });
    }
    nock(/zapier/)
      .persist()
      .post(/.*/)
      .reply(async (uri, body) => [
        await this.#handle(this.zapier.receive(`https://zapier.example.com${uri}`, body)),
        '{}',
      ]);
  }

  async #settle(): Promise<void> {
    do {
      await Promise.all(this.#handling.splice(0));
      await this.service.settle();
    } while (this.#handling.length > 0);
  }

  /** Starts the first run, and lets everything happen that follows. */
  async #start(): Promise<Attempt | undefined> {
    await this.zapier.start('a');
    await this.#settle();
    for (let repeats = 0; repeats < 4 && (await this.zapier.repeatFailed()); repeats += 1) await this.#settle();
    return this.zapier.lastOf('a');
  }

  async #tell(): Promise<void> {
    const { result } = (await this.#start()) ?? {};
    if (result && this.story.isReplayed && this.story.isKeyed) this.replay = await this.#start();
  }

  /** Lets the whole story happen. */
  async tell(): Promise<this> {
    this.#listen();
    await this.#tell().finally(() => nock.cleanAll());
    return this;
  }
}

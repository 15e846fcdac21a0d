import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { deadlineMs } from '../../../test/support/deadline';
import { skipPauses } from '../../../test/support/pauses';
import { writeSeeded } from '../../../test/support/seeded';
import { startPlayground as startHere } from '../playground';
import { startPlayground } from './playground-server';

/** A response of the page. */
export interface Shown {
  status: number;
  html: string;
  headers: Headers;
}

/** The text of HTML, without its tags. */
export const textOf = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ');

export const count = (html: string, pattern: string): number => html.split(pattern).length - 1;

/** The first group of the pattern. Throws when the pattern isn't in the HTML. */
export const found = (html: string, pattern: RegExp): string =>
  z.string().parse(html.match(pattern)?.[1], { error: () => `${pattern} isn't in: ${textOf(html)}` });

/** The form of a step that sends the parcel message to whoever wrote. */
export const sendForm = {
  'f.channel': 'whatsapp',
  'f.template': 'parcel_out_for_delivery',
  'f.variable_parcel_id': 'PX-1',
  'f.variable_arrival_time': '14:30',
  'f.to': '{{1.from}}',
};

type Respond = (request: Request) => Promise<Response>;

/** A playground, which a test uses as the page does: over HTTP, or without a connection when it's in this process. */
export class Client {
  #server: Awaited<ReturnType<typeof startPlayground>> | undefined;
  #respond: Respond = fetch;
  #serviceUrl: () => string | undefined = () => undefined;

  /** Starts it, or starts it again after a stop. */
  async start(options: readonly string[] = [], cwd?: string): Promise<void> {
    this.#server = await startPlayground(options, cwd);
    this.#respond = fetch;
  }

  /** Starts it in this process, with a database, or starts it again at the same address after a stop. */
  async startHere(database: string): Promise<void> {
    const port = Number(new URL(this.#server?.url ?? 'http://localhost:0').port);
    const { url, stop, respond, serviceUrl } = await startHere({ port, database });
    this.#serviceUrl = serviceUrl;
    this.#server = { url, stop, errors: () => '' };
    this.#respond = respond;
  }

  get url(): string {
    if (!this.#server) throw new Error('The playground has not started yet.');
    return this.#server.url;
  }

  async stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    await this.#server?.stop(signal);
  }

  /** What the process printed as errors. */
  errors(): string {
    return this.#server?.errors() ?? '';
  }

  async #send(path: string, init: RequestInit = {}): Promise<Shown> {
    // A compressed response takes longer to pack than to read.
    const headers = { host: new URL(this.url).host, 'accept-encoding': 'identity' };
    const signal = AbortSignal.timeout(deadlineMs);
    const response = await this.#respond(new Request(this.url + path, { ...init, headers, signal }));
    return { status: response.status, html: await response.text(), headers: response.headers };
  }

  get(path: string): Promise<Shown> {
    return this.#send(path);
  }

  /** Posts a form. A list posts its name more than once. */
  post(path: string, form: Record<string, string | readonly string[]> = {}): Promise<Shown> {
    const pairs = Object.entries(form).flatMap(([name, value]) =>
      [value].flat().map((text): [string, string] => [name, text]),
    );
    return this.#send(path, { method: 'POST', body: new URLSearchParams(pairs) });
  }

  /** Gets a part of the page again whenever the page would, until it passes. Fails after two minutes. */
  async waitFor(path: string, passes: (html: string) => boolean): Promise<string> {
    const signal = AbortSignal.timeout(deadlineMs);
    const headers = { host: new URL(this.url).host };
    const { body } = await this.#respond(new Request(`${this.url}/live`, { headers, signal }));
    const topic = path.startsWith('/phones') ? 'phones' : 'runs';
    // It may have happened before the page began to listen.
    let last = (await this.get(path)).html;
    if (passes(last)) return last;
    try {
      for await (const heard of body?.pipeThrough(new TextDecoderStream(), { signal }) ?? []) {
        if (!heard.includes(`event: ${topic}`)) continue;
        last = (await this.get(path)).html;
        if (passes(last)) return last;
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    throw new Error(`${path} did not show it within two minutes: ${textOf(last)}`);
  }

  /** Waits until no run goes on, no request is in flight and nothing is due. What hasn't happened by then won't. */
  async settled(): Promise<void> {
    const { status } = await this.post('/simulate/settled');
    if (status !== 204) throw new Error(`The playground didn't settle: ${status}.`);
  }

  /** Adds a Zap with an empty trigger and an empty action. Returns its id. */
  async newZap(): Promise<string> {
    return found((await this.post('/zap/new')).html, /hx-post="\/zap\/([^/]+)\/on"/);
  }

  /** Saves the form of a step, and shows the step again unless `action` asks for something else. */
  fill(zap: string, index: number, form: Record<string, string | readonly string[]> = {}): Promise<Shown> {
    return this.post(`/zap/${zap}/${index}`, { at: String(index), action: 'reload', ...form });
  }

  /** Turns on a Zap that another app starts, as it is now, and adds the next record there, which runs it. */
  async addRecord(zap: string): Promise<void> {
    await this.post(`/zap/${zap}/off`);
    await this.post(`/zap/${zap}/on`);
    const { html } = await this.get(`/windows/${zap}`);
    const cell = [...html.matchAll(/name="cell" value="([^"]*)"/g)].map(([, value = '']) => value);
    await this.post(`/windows/${zap}/records`, { cell });
  }

  /** Adds a failure of the service's requests or deliveries. */
  async addFault(fault: object): Promise<void> {
    await fetch(`${this.#serviceUrl()}/sandbox/faults`, { method: 'POST', body: JSON.stringify(fault) });
  }

  /** Lets a customer write. */
  write(from: string, text: string): Promise<Shown> {
    return this.post('/phones', { from, text, channel: 'whatsapp' });
  }

  readonly #turnedOn: string[] = [];

  /** Turns on a Zap until the test ends. */
  async turnOn(zap: string): Promise<void> {
    this.#turnedOn.push(zap);
    expect(textOf((await this.post(`/zap/${zap}/on`)).html)).toContain('Turn off');
  }

  /** Turns on a Zap for customers who write the word, whose second step sends the parcel message or has this form. */
  async turnOnFor(word: string, form: Record<string, string> = {}): Promise<string> {
    const zap = await this.newZap();
    await this.fill(zap, 0, { 'f.channel': 'whatsapp', 'l.contains': word, 'f.match': 'contains' });
    if (form.operation) await this.fill(zap, 1, { operation: form.operation });
    await this.fill(zap, 1, { ...sendForm, 'f.deduplication_key': '{{1.text}}', ...form });
    await this.turnOn(zap);
    return zap;
  }

  /** Waits until the newest run says so at a step, as its panel shows it. */
  waitForRun(zap: string, text: string, step = 1): Promise<string> {
    return this.waitFor(`/zap/${zap}/${step}/result`, (html) => textOf(html).includes(text));
  }

  /** The ids of the runs of a Zap, by its newest stories. */
  async runsOf(zap: string): Promise<string[]> {
    const { html } = await this.get(`/activity/${zap}`);
    return [...html.matchAll(/id="show-run-([^"]+)"/g)].map(([, id = '']) => id);
  }

  /** Ends what a test turned on and simulated. */
  async tidy(): Promise<void> {
    await this.post('/simulate', { clear: 'faults' });
    for (const zap of this.#turnedOn.splice(0)) await this.post(`/zap/${zap}/off`);
  }
}

/** A playground in this process, with a seeded database, for the tests of a block. What it prints as an error fails one. */
export const usePage = (prepare: (database: string) => unknown = () => undefined) => {
  // Made before the first test, since a block whose tests are all left out never removes it.
  const folder = join(tmpdir(), `playground-${randomUUID()}`);
  const database = join(folder, 'sandbox.db');
  const client = new Client();
  const problems: unknown[] = [];
  skipPauses();
  beforeAll(async () => {
    mkdirSync(folder);
    writeSeeded(folder);
    prepare(database);
    jest.spyOn(console, 'error').mockImplementation((...line) => void problems.push(line));
    await client.startHere(database);
  });
  afterEach(async () => {
    await client.tidy();
    expect(problems.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await client.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return { client, database };
};

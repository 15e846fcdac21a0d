import * as z from 'zod/mini';
import { startPlayground as startHere } from '../../playground/playground';
import { deadlineMs } from './deadline';
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

/** A playground, which a test uses as the page does, over HTTP. */
export class Client {
  #server: Awaited<ReturnType<typeof startPlayground>> | undefined;

  /** Starts it, or starts it again after a stop. */
  async start(options: readonly string[] = [], cwd?: string): Promise<void> {
    this.#server = await startPlayground(options, cwd);
  }

  /** Starts it in this process, with a database, or starts it again at the same address after a stop. */
  async startHere(database: string): Promise<void> {
    const port = Number(new URL(this.#server?.url ?? 'http://localhost:0').port);
    const { url, stop } = await startHere({ port, database });
    this.#server = { url, stop, errors: () => '' };
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
    const response = await fetch(this.url + path, { ...init, signal: AbortSignal.timeout(deadlineMs) });
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

  /** Gets a part of the page again whenever something changed, until it passes. Fails after two minutes. */
  async waitFor(path: string, passes: (html: string) => boolean): Promise<string> {
    const signal = AbortSignal.timeout(deadlineMs);
    const { body } = await fetch(`${this.url}/live`, { signal });
    let last = '';
    try {
      for await (const _ of body ?? []) {
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
    await fetch(`${await this.serviceUrl()}/sandbox/faults`, { method: 'POST', body: JSON.stringify(fault) });
  }

  /** Where the service is, from the `Host` of the first request that it received, which a search makes if there is none. */
  async serviceUrl(): Promise<string> {
    const list = async () => (await this.get('/activity?kind=request')).html;
    const search = { operation: 'searches.find_contact', 'f.phone': '+12025550123', action: 'test' };
    if (!(await list()).includes('"activity-req_')) await this.fill(await this.newZap(), 1, search);
    const request = found(await list(), /"activity-(req_\w+)"/);
    const { html } = await this.get(`/activity?kind=request&open=${request}`);
    return `http://${found(textOf(html), /"host": "(127[\d.:]+)"/)}`;
  }
}

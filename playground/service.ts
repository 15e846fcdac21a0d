import * as z from 'zod/mini';
import type { EndpointName } from '../src/api/endpoints';
import { endpoints } from '../src/api/endpoints';
import { errorResponse } from '../src/api/errors';
import { type Webhook, webhook } from '../src/api/resources';

/** The `User-Agent` of requests that the page makes for itself. The activity list leaves them out. */
export const ownAgent = 'playground';

/** A request that the service refused. The message is a sentence for a person. */
export class ServiceError extends Error {}

const errorOf = async (response: Response): Promise<ServiceError> => {
  const { error } = errorResponse.safeParse(await response.json().catch(() => null)).data ?? {};
  const problems = error?.details?.map(({ field, message }) => `${field} ${message}`).join('; ');
  return new ServiceError(problems || error?.message || `The service responded with status ${response.status}.`);
};

const send = async (url: string, init: RequestInit): Promise<unknown> => {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(30_000) });
  if (!response.ok) throw await errorOf(response);
  return response.status === 204 || response.status === 202 ? undefined : response.json();
};

const webhooks = z.object({ data: z.array(webhook.schema) });
const subscribed = z.object({ id: z.string(), expires_at: z.optional(z.string()) });

/** The service as any client reaches it: its API with a token, and the control calls of the sandbox. */
export class Service {
  readonly url: string;
  readonly #token: string;

  constructor(url: string, token: string) {
    this.url = url;
    this.#token = token;
  }

  async #call(method: string, path: string, body?: unknown): Promise<unknown> {
    const headers = {
      authorization: `Bearer ${this.#token}`,
      'user-agent': ownAgent,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    return send(this.url + path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
  }

  /** Every item of a list, newest first. */
  async listAll<S extends z.ZodMiniType>(list: EndpointName, item: S): Promise<z.output<S>[]> {
    const page = z.object({ data: z.array(item), next_cursor: z.nullish(z.string()) });
    const found: z.output<S>[] = [];
    for (let cursor: string | null | undefined = ''; cursor !== null && cursor !== undefined; ) {
      const { data, next_cursor } = page.parse(
        await this.#call('GET', `${endpoints[list].path}?limit=100${cursor && `&after=${cursor}`}`),
      );
      found.push(...data);
      cursor = next_cursor;
    }
    return found;
  }

  /** Creates a webhook. Returns its id and when it expires. */
  async subscribe(url: string, events: readonly string[]): Promise<{ id: string; expires_at?: string | undefined }> {
    const { method, path } = endpoints.createWebhook;
    return subscribed.parse(await this.#call(method, path, { url, events }));
  }

  async unsubscribe(id: string): Promise<void> {
    const { method, path } = endpoints.deleteWebhook;
    await this.#call(method, path.replace('{id}', encodeURIComponent(id)));
  }

  /** Every webhook of the account. */
  async listWebhooks(): Promise<Webhook[]> {
    return webhooks.parse(await this.#call('GET', endpoints.listWebhooks.path)).data;
  }

  /** Makes a control call, such as `messages`, which lets a customer write. */
  async control(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<unknown> {
    const init = { method, ...(body !== undefined && { body: JSON.stringify(body) }) };
    return send(`${this.url}/sandbox/${path}`, init);
  }
}

const created = z.object({ token: z.string() });

/** Creates a token through the control calls, so that the page doesn't share one with the Zaps. */
export const connect = async (url: string): Promise<Service> => {
  const { token } = created.parse(await new Service(url, '').control('POST', 'tokens', {}));
  return new Service(url, token);
};

import * as z from 'zod/mini';
import { type AnyInput, type BodyOf, type Endpoint, endpoints, pageSize } from '../../../src/api/endpoints';
import type { Campaign, Message, Template, Webhook } from '../../../src/api/resources';
import { type Account, callApi, control } from '../../sandbox/client';

interface Page<T> {
  data: T[];
  next_cursor?: string | null | undefined;
}

/** The service as any client reaches it: its API with a token, and the control calls of the sandbox. */
export class Service {
  readonly url: string;
  readonly #token: string;
  #templates: Promise<readonly Template[]> | undefined;

  constructor(url: string, token: string) {
    this.url = url;
    this.#token = token;
  }

  /** The address and the token. */
  get account(): Account {
    return { url: this.url, token: this.#token };
  }

  #call<S extends z.ZodMiniType>(endpoint: Endpoint & { response: S }, input?: AnyInput): Promise<z.output<S>> {
    return callApi(this.account, endpoint, input);
  }

  /** Returns the records on all pages of a list, newest first. */
  async #list<T>(endpoint: Endpoint & { response: z.ZodMiniType<Page<T>> }): Promise<T[]> {
    const found: T[] = [];
    for (let after: string | undefined; ; ) {
      const { data, next_cursor } = await this.#call(
        endpoint,
        endpoint.query && { query: { limit: pageSize.max, after } },
      );
      found.push(...data);
      if (!next_cursor) return found;
      after = next_cursor;
    }
  }

  /** Returns all messages, newest first. */
  listMessages(): Promise<Message[]> {
    return this.#list(endpoints.listMessages);
  }

  getMessage(id: string): Promise<Message> {
    return this.#call(endpoints.getMessage, { id });
  }

  /** Returns the campaign with this id, or undefined. */
  async findCampaign(id: string): Promise<Campaign | undefined> {
    return id === '' ? undefined : this.#call(endpoints.getCampaign, { id }).catch(() => undefined);
  }

  /** Whether the customer with this phone number opted out. */
  async hasOptedOut(phone: string): Promise<boolean> {
    const { data } = await this.#call(endpoints.listContacts, { query: { phone, consent: 'opted_out' } });
    return data.length > 0;
  }

  /** Returns all templates, including those that aren't approved. They never change, so they are read once. */
  listTemplates(): Promise<readonly Template[]> {
    this.#templates ??= this.#list(endpoints.listTemplates).catch((error: unknown) => {
      this.#templates = undefined;
      throw error;
    });
    return this.#templates;
  }

  /** How the business is called. */
  async workspaceName(): Promise<string> {
    const { name } = await this.#call(endpoints.getWorkspace);
    return name ?? '';
  }

  /** Creates a webhook. Returns its id and when it expires. */
  subscribe(url: string, events: readonly string[]): Promise<Webhook> {
    return this.#call(endpoints.createWebhook, { body: { url, events } });
  }

  async unsubscribe(id: string): Promise<void> {
    await this.#call(endpoints.deleteWebhook, { id });
  }

  /** Returns every webhook of the account. */
  listWebhooks(): Promise<Webhook[]> {
    return this.#list(endpoints.listWebhooks);
  }

  async addContact(contact: BodyOf<'createContact'>): Promise<void> {
    await this.#call(endpoints.createContact, { body: contact });
  }

  /** Makes a control call, such as `messages`, which lets a customer write. */
  control(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<unknown> {
    return control(this.url, method, path, body);
  }
}

const created = z.object({ token: z.string() });

/** Creates a token through the control calls, so that the page doesn't share one with the Zaps. */
export const connect = async (url: string): Promise<Service> => {
  const { token } = created.parse(await control(url, 'POST', 'tokens'));
  return new Service(url, token);
};

import * as z from 'zod/mini';
import { type AnyInput, type Endpoint, type EndpointName, endpoints, pageSize } from '../../src/api/endpoints';
import { idOf, readPage } from '../contract/response';
import type { Answer, Service } from '../service';
import { NotChecked } from './check';

/** The calls that only read, by name. */
export const reads = Object.entries<Endpoint>(endpoints).filter(([, { method }]) => method === 'GET');

/** The list that gives the records which a call can be asked for. */
const sources: Partial<Record<string, EndpointName>> = {
  getMessage: 'listMessages',
  getTemplate: 'listTemplates',
  getContact: 'listContacts',
  getConversation: 'listConversations',
  listConversationMessages: 'listConversations',
  getCampaign: 'listCampaigns',
} satisfies Partial<Record<EndpointName, EndpointName>>;

const nameOf = (endpoint: Endpoint): string => reads.find(([, read]) => read === endpoint)?.[0] ?? '';

/** Whether the endpoint answers with a list. */
export const isList = ({ answer }: Endpoint): boolean => answer instanceof z.ZodMiniObject && 'data' in answer.shape;

/** Whether it does so in pages. */
export const isPaged = ({ query }: Endpoint): boolean => Boolean(query && 'after' in query.shape);

/** What the workspace has, asked for once however many checks look at it. */
export class Records {
  readonly #service: Service;
  readonly #answers = new Map<Endpoint, Promise<Answer>>();

  constructor(service: Service) {
    this.#service = service;
  }

  /** What the endpoint answers, without a filter and with as much as it gives; for one record, the first of its list. */
  answer(endpoint: Endpoint): Promise<Answer> {
    const known = this.#answers.get(endpoint);
    if (known) return known;
    const query = isPaged(endpoint) && { query: { limit: pageSize.most } };
    const asked = this.inputs(endpoint).then(([input = {}]) => this.#service.ask(endpoint, { ...input, ...query }));
    this.#answers.set(endpoint, asked);
    return asked;
  }

  /** What to put into the path: the records of the list that has them, those of most messages first. Never empty. */
  async inputs(endpoint: Endpoint): Promise<AnyInput[]> {
    const source = sources[nameOf(endpoint)];
    if (!source) return [{}];
    const page = await this.answer(endpoints[source])
      .then(readPage)
      .catch(() => undefined);
    if (!page?.records.length) throw new NotChecked(`${source} gives no record to ask for`);
    const size = ({ message_count: count }: Record<string, unknown>) => (typeof count === 'number' ? count : 0);
    const records = page.records.toSorted((one, other) => size(other) - size(one));
    return records.map((record) => ({ id: idOf(record), name: idOf(record) }));
  }
}

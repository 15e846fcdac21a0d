import { type AnyInput, calls, type Endpoint, endpoints, nameOf, pageSize } from '../../../src/api/endpoints';
import { exists } from '../../../src/api/missing';
import type { EndpointName } from '../../../src/api/transport';
import { type AnyRecord, idOf, readPage } from '../compare/response';
import type { ServiceClient, ServiceResponse } from '../service-client';
import { CheckAborted, Lacking, Skipped } from './check';
import { memoize } from './memoize';

/** The endpoints that only read, by name. */
export const reads = calls.filter(([, { method }]) => method === 'GET');

/** The list that has the records whose ids go into the path of an endpoint. */
const sources: Partial<Record<string, EndpointName>> = {
  getMessage: 'listMessages',
  getContact: 'listContacts',
  getConversation: 'listConversations',
  listConversationMessages: 'listConversations',
  getCampaign: 'listCampaigns',
} satisfies Partial<Record<EndpointName, EndpointName>>;

/** Whether the path of the endpoint names a record. */
export const isInPath = ({ path }: Endpoint): boolean => path.includes('{');

/** Whether the endpoint returns a list in pages. */
export const returnsPages = ({ query }: Endpoint): boolean => Boolean(query && 'after' in query.shape);

/** Throws when a list has no record to look at. */
export const requireSome = ({ length }: readonly AnyRecord[]): void => {
  if (length === 0) throw new Lacking('add a record to look at');
};

const messageCount = ({ message_count: count }: AnyRecord): number => (typeof count === 'number' ? count : 0);

/** The records of the workspace. Each endpoint is requested once, however many checks read it. */
export class Records {
  readonly #service: ServiceClient;
  readonly #responses = new Map<Endpoint, () => Promise<ServiceResponse>>();

  constructor(service: ServiceClient) {
    this.#service = service;
  }

  /** Requests the endpoint without a filter and with the largest page; for one record, the first of its list. */
  read(endpoint: Endpoint): Promise<ServiceResponse> {
    const query = returnsPages(endpoint) && { query: { limit: pageSize.max } };
    const known = this.#responses.get(endpoint);
    const read =
      known ??
      memoize(async () => {
        const [input = {}] = await this.inputs(endpoint);
        const response = await this.#service.request(endpoint, { ...input, ...query });
        // The checks of pages report the refused parameter.
        const isRefused = query && (response.status === 400 || response.status === 422);
        return isRefused ? this.#service.request(endpoint, input) : response;
      });
    this.#responses.set(endpoint, read);
    return read();
  }

  /** Returns the path parameters of every record that the endpoint can read, conversations with most messages first. */
  async inputs(endpoint: Endpoint): Promise<AnyInput[]> {
    const source = sources[nameOf(endpoint) ?? ''];
    if (!source) return [{}];
    if (!exists(source)) throw new Skipped(`try it by hand: the contract says that ${source} is missing`);
    const records = await this.list(source);
    if (records.length === 0) throw new Lacking(`add a record that ${source} returns`);
    return records
      .toSorted((one, other) => messageCount(other) - messageCount(one))
      .map((record) => ({ id: idOf(record) }));
  }

  /** Returns the records of a list; none when there is no such list or it can't be read. */
  async list(name: EndpointName): Promise<AnyRecord[]> {
    if (!exists(name)) return [];
    try {
      return readPage(await this.read(endpoints[name])).records;
    } catch (error) {
      if (error instanceof CheckAborted) throw error;
      return [];
    }
  }
}

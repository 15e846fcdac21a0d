import { type AnyInput, calls, type Endpoint, endpoints, nameOf, pageSize } from '../../src/api/endpoints';
import { exists } from '../../src/api/missing';
import type { EndpointName } from '../../src/api/transport';
import { CheckAborted, memoize, Skipped } from './check';
import { type AnyRecord, idOf, readPage } from './response';
import type { ServiceClient, ServiceResponse } from './service-client';

/** The calls that only read and that the service has, by name. */
export const reads = calls.filter(([name, { method }]) => method === 'GET' && exists(name));

/** The list that has the records whose ids go into the path of a call. */
const sources: Partial<Record<EndpointName, EndpointName>> = {
  getMessage: 'listMessages',
  getContact: 'listContacts',
  getConversation: 'listConversations',
  listConversationMessages: 'listConversations',
  getCampaign: 'listCampaigns',
};

/** Whether the path of a call names a record. */
export const isInPath = ({ path }: Endpoint): boolean => path.includes('{');

/** Whether a call returns a list in pages. */
export const returnsPages = ({ query }: Endpoint): boolean => Boolean(query && 'after' in query.shape);

const messageCount = ({ message_count: count }: AnyRecord): number => (typeof count === 'number' ? count : 0);

/** The records of the workspace. Each call is requested once, however many checks read it. */
export class Records {
  readonly #service: ServiceClient;
  readonly #responses = new Map<Endpoint, () => Promise<ServiceResponse>>();

  constructor(service: ServiceClient) {
    this.#service = service;
  }

  /** Requests a call without a filter and with the largest page; for one record, the first of its list. */
  read(endpoint: Endpoint): Promise<ServiceResponse> {
    const query = returnsPages(endpoint) && { query: { limit: pageSize.max } };
    const read =
      this.#responses.get(endpoint) ??
      memoize(async () => {
        const [input = {}] = await this.inputs(endpoint);
        return this.#service.request(endpoint, { ...input, ...query });
      });
    this.#responses.set(endpoint, read);
    return read();
  }

  /** Returns the path of every record that the call can read, conversations with most messages first. */
  async inputs(endpoint: Endpoint): Promise<AnyInput[]> {
    const name = nameOf(endpoint);
    const source = name && sources[name];
    if (!source) return [{}];
    if (!exists(source)) throw new Skipped(`try it by hand, because the service lacks ${source}`);
    const records = await this.list(source);
    if (records.length === 0) throw new Skipped(`add a record that ${source} returns`);
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

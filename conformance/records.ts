import * as z from 'zod/mini';
import { type AnyInput, type Endpoint, endpoints } from '../src/api/endpoints';
import { idOf, readPage } from './answers';
import { NotChecked } from './check';
import type { Answer, Service } from './service';

/** The calls that only read, by name. */
export const reads = Object.entries<Endpoint>(endpoints).filter(([, { method }]) => method === 'GET');

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

  /** What the endpoint answers without a query; for one record, the first of its list. */
  answer(endpoint: Endpoint): Promise<Answer> {
    const known = this.#answers.get(endpoint);
    if (known) return known;
    const asked = this.inputs(endpoint).then(([input = {}]) => this.#service.ask(endpoint, input));
    this.#answers.set(endpoint, asked);
    return asked;
  }

  /** What to put into the path: the records of the list that the path goes on from. Never empty. */
  async inputs({ path }: Endpoint): Promise<AnyInput[]> {
    if (!path.includes('/{')) return [{}];
    const listPath = path.slice(0, path.indexOf('/{'));
    const [listName = '', list] = reads.find(([, read]) => read.path === listPath) ?? [];
    const records =
      list &&
      (
        await this.answer(list)
          .then(readPage)
          .catch(() => undefined)
      )?.records;
    if (!records?.length) throw new NotChecked(`${listName} gives no record to ask for`);
    return records.map((record) => ({ id: idOf(record), name: idOf(record) }));
  }
}

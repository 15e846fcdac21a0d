import type { Message } from '../../../src/api/resources';
import type { Service } from './service';

/** Whether a message goes on without anybody's doing. */
export const isOnItsWay = ({ status }: { status?: unknown }): boolean => status === 'queued' || status === 'sent';

/** The messages of the Growth plan, which has no webhooks to tell what became of them. */
export class GrowthMessages {
  readonly #service: Service;
  /** By id. A message that arrived or failed isn't asked for again. */
  readonly #known = new Map<string, Message>();

  /** `service` has the token of the Growth plan. */
  constructor(service: Service) {
    this.#service = service;
  }

  /** Reads a message as it is now. Returns the given one if the account doesn't have it. */
  async read(given: Message): Promise<Message> {
    const id = `${given.id}`;
    const known = this.#known.get(id) ?? given;
    if (!isOnItsWay(known)) return known;
    const now = await this.#service.getMessage(id).catch(() => given);
    this.#known.set(id, now);
    return now;
  }
}

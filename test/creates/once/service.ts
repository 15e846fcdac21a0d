import { callAt } from '../../../sandbox/http/route';
import { type EndpointName, endpoints } from '../../../src/api/endpoints';
import { fieldsOf } from '../../../src/api/object';
import { contact } from '../../../src/api/resources';
import { fromWire } from '../../../src/api/translate';
import { goodResponse } from '../../support/calls';
import { toResponse } from '../../support/service';

export interface Request {
  method: string;
  path: string;
  key: string | undefined;
  body: unknown;
}

export type Reply = [status: number, body: string, headers: Record<string, string>];

/** How a service differs from the usual one. */
export interface Quirks {
  /** Does the same again for the same key. */
  ignoresKeys?: boolean;
  /** Starts campaigns by PUT, and keeps a key only if a request has one. */
  startsByPut?: boolean;
  /** Has the contact that a step creates. */
  hasContact?: boolean;
}

/** The calls whose effect people would notice if it came twice. */
const harmful: readonly string[] = [
  'sendMessage',
  'triggerCampaign',
  'createContact',
  'updateContact',
  'deleteContact',
] satisfies EndpointName[];

/** A service that does what it's asked, once for each idempotency key, as the contract says. */
export class Service {
  /** The calls that it has carried out. */
  readonly done: string[] = [];
  /** The requests of the current run that aren't reads. */
  readonly requests: Request[] = [];
  /** Whether it has repeated the response to a run before, or to another step, in the current run. */
  hasRepeated = false;
  readonly #quirks: Quirks;
  /** The responses that it keeps, and whether the current run was the first to use the key. */
  readonly #kept = new Map<string, { reply: Reply; isOwn: boolean }>();

  constructor(quirks: Quirks = {}) {
    this.#quirks = quirks;
  }

  /** Forgets which requests were those of the run before. */
  startRun(): void {
    this.requests.length = 0;
    this.hasRepeated = false;
    for (const kept of this.#kept.values()) kept.isOwn = false;
  }

  /** Responds to a request, after it has done what it asks for. */
  respond(request: Request): Reply {
    const { key } = request;
    if (!key || this.#quirks.ignoresKeys) return this.#carryOut(request);
    const kept = this.#kept.get(key);
    if (kept) {
      this.hasRepeated = !kept.isOwn;
      const [status, body, headers] = kept.reply;
      return [status, body, { ...headers, 'idempotent-replayed': 'true' }];
    }
    const reply = this.#carryOut(request);
    // A refused request did nothing, so its key stays free.
    if (reply[0] < 300) this.#kept.set(key, { reply, isOwn: true });
    return reply;
  }

  /** Carries out a request for another step, which has the same key, unless this run has used the key before. */
  respondToOther(request: Request): void {
    const { key } = request;
    const isNew = key && !this.#kept.has(key) && !this.requests.slice(0, -1).some((each) => each.key === key);
    this.respond(request);
    const kept = key && isNew ? this.#kept.get(key) : undefined;
    if (kept) kept.isOwn = false;
  }

  #carryOut({ method, path, body }: Request): Reply {
    const name = callAt(this.#quirks.startsByPut && method === 'PUT' ? 'POST' : method, path);
    if (!name) return this.#reply(404, '{"error": {"code": "not_found", "message": "No such call"}}');
    if (name === 'createContact' && this.#quirks.hasContact) {
      const error = { code: 'contact_exists', message: 'Exists', existing_id: contact.sample.id };
      return this.#reply(409, toResponse(name, 409, { error }));
    }
    if (name === 'deleteContact' && this.done.includes(name)) {
      return this.#reply(404, toResponse(name, 404, { error: { code: 'not_found', message: 'Gone' } }));
    }
    if (harmful.includes(name)) this.done.push(name);
    const { filters } = fieldsOf(name === 'createWebhook' && fromWire(endpoints.createWebhook.body, body));
    const record = { ...goodResponse(name), ...(method !== 'GET' && { created_at: new Date().toISOString() }) };
    const { status } = endpoints[name];
    return this.#reply(
      status,
      status === 204 ? '' : toResponse(name, status, { ...record, ...(filters !== undefined && { filters }) }),
    );
  }

  #reply(status: number, body: string): Reply {
    return [status, body, { date: new Date().toUTCString() }];
  }
}

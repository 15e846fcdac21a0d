/** A messaging service in fake time that a test keeps itself: one person in two conversations, a stranger, a colleague. */

import { callAt } from '../../sandbox/http/route';
import { type EndpointName, endpoints, headers } from '../../src/api/endpoints';
import { conversation, type Message, message, type Webhook, webhook } from '../../src/api/resources';
import { fromWire } from '../../src/api/translate';
import { deliveryOf, toPayload } from '../support/deliveries';
import { authData, toResponse } from '../support/service';

export const person = '+12025550123';
export const stranger = '+12025550145';

/** Who writes to the person, instead of them. */
export const colleague = 'a colleague';

/** A line that somebody writes just before the service handles a request, or after all of them. */
export interface Line {
  from: string;
  /** The run whose message the line quotes, if there is one yet. */
  quotes: 'a' | 'b' | null;
  conversation_id: string;
  /** The number of requests before it. */
  after: number;
  /** The milliseconds since the event before it. */
  later: number;
}

export const faultKinds = [
  '429',
  '503',
  'lost before',
  'hang before',
  '500',
  'lost after',
  'cut after',
  'hang after',
] as const;

/** A failure of the service, before or after it has acted. */
export interface Fault {
  kind: (typeof faultKinds)[number];
  /** The number of the first request that fails. */
  at: number;
  /** How many requests in a row fail. */
  count: number;
}

export interface ServiceStory {
  lines: Line[];
  faults: Fault[];
  /** Whether times have fractions of a second. */
  isPrecise: boolean;
  /** Whether a send returns only the ID of the message. */
  givesOnlyId: boolean;
  /** Whether a webhook can report what came since a message. */
  knowsAfter: boolean;
  /** After how many milliseconds reads of messages show a change. */
  lagMs: number;
  /** After how many milliseconds an event goes to the webhooks that there are by then. */
  fanOutMs: number;
  /** Whether deliveries come after all requests, the newest first. */
  isReversed: boolean;
  /** Whether each delivery comes twice. */
  isTwice: boolean;
}

/** A delivery of a line to the address of a webhook. */
interface Delivery {
  webhook_id: string;
  url: string;
  line: Message;
}

type Response = [status: number, body: string, headers: Record<string, string>];

/** Where a request goes on after the service has handled it, and what it gets. */
type Reply = { response: Response } | { error: Error };

const lost = (): Reply => ({ error: Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }) });

const pass = (ms: number): unknown => jest.advanceTimersByTime(ms);

interface Surroundings {
  /** What happens elsewhere just before a request. */
  before: (request: number) => Promise<void>;
  /** Takes a delivery, and returns the status of the response. */
  deliver: (url: string, payload: unknown) => Promise<number>;
}

export class Service {
  readonly #story: ServiceStory;
  readonly #around: Surroundings;
  readonly #lines: Line[];
  readonly #replies = new Map<string, string>();
  #events: { line: Message; due: number }[] = [];
  #deliveries: Delivery[] = [];
  #requests = 0;
  #webhooksMade = 0;
  /** The messages, newest first. */
  readonly messages: (Message & { at: number })[] = [];
  webhooks: Webhook[] = [
    { ...webhook.sample, id: 'other', url: 'https://other.example.com', filters: { from: [person] } },
  ];
  /** The lines that a receiver took, by its address. */
  readonly heard: { url: string; id: string }[] = [];

  constructor(story: ServiceStory, around: Surroundings) {
    this.#story = story;
    this.#around = around;
    this.#lines = [...story.lines];
  }

  #time(): string {
    const iso = new Date(Date.now()).toISOString();
    return this.#story.isPrecise ? iso : iso.replace(/\.\d+/, '');
  }

  #add(fields: Partial<Message>): Message {
    const id = `msg_${this.messages.length + 1}`;
    const phone = fields.direction === 'inbound' ? fields.from : fields.to;
    const contact = { id: phone === person ? 'con_1' : 'con_2', phone };
    const added = { ...message.sample, contact, created_at: this.#time(), ...fields, id };
    this.messages.unshift({ ...added, at: Date.now() });
    return added;
  }

  #write({ from, later, conversation_id, quotes }: Line): void {
    pass(later);
    if (from === colleague) {
      const question = { template: null, text: 'Is Friday all right?', source: 'colleague', status: 'sent' };
      this.#add({ ...question, direction: 'outbound', to: person, conversation_id });
      return;
    }
    const quoted = quotes && this.messages.find(({ variables }) => variables?.run === quotes);
    const text = { template: null, text: 'Yes', source: 'contact', reply_to: quoted?.id ?? null };
    const line = this.#add({ ...text, direction: 'inbound', from, to: '+12025550190', conversation_id });
    this.#events.push({ line, due: Date.now() + this.#story.fanOutMs });
    this.#fanOut();
  }

  /** Sends each event that is due to the webhooks that there are now. */
  #fanOut(): void {
    const due = this.#events.filter((event) => event.due <= Date.now());
    this.#events = this.#events.filter((event) => !due.includes(event));
    for (const { line } of due) {
      const watching = this.webhooks.filter((each) => this.#isWatched(each, line));
      const deliveries = watching.map(({ id, url }) => ({ webhook_id: id, url: url ?? '', line }));
      this.#deliveries.push(...deliveries, ...(this.#story.isTwice ? deliveries : []));
    }
  }

  #isWatched({ filters }: Webhook, { id, from, contact }: Message): boolean {
    const { from: numbers, contact_id, after } = Object(filters);
    const placeOf = (wanted: string) => this.messages.findIndex((each) => each.id === wanted);
    const isLater = !after || placeOf(id) < placeOf(after);
    return isLater && (!numbers || numbers.includes(from)) && (!contact_id || contact_id.includes(contact?.id));
  }

  /** Queues the lines that a new webhook wants. */
  #deliverSince({ id, url, ...created }: Webhook): void {
    const lines = this.messages.filter(({ direction }) => direction === 'inbound').toReversed();
    for (const { at: _, ...line } of lines) {
      if (this.#isWatched({ id, ...created }, line)) this.#deliveries.push({ webhook_id: id, url: url ?? '', line });
    }
  }

  async #deliver(): Promise<void> {
    const deliveries = this.#deliveries.splice(0);
    for (const delivery of this.#story.isReversed ? deliveries.toReversed() : deliveries) {
      const { webhook_id, url, line } = delivery;
      const status = await this.#around.deliver(url, toPayload(deliveryOf('message.received', line)));
      if (status === 200) this.heard.push({ url, id: line.id });
      if (status === 410) this.#remove(webhook_id);
      else if (status !== 200) this.#deliveries.push(delivery);
    }
  }

  #remove(id: string): void {
    this.webhooks = this.webhooks.filter((each) => each.id !== id);
  }

  /** Lets all lines be written, and delivers all events. */
  async settle(): Promise<void> {
    for (const line of this.#lines.splice(0)) {
      this.#write(line);
      if (!this.#story.isReversed) await this.#settleEvents();
    }
    await this.#settleEvents();
  }

  async #settleEvents(): Promise<void> {
    pass(this.#story.fanOutMs);
    this.#fanOut();
    await this.#deliver();
  }

  /** Handles a request: what happens before it, the fault, and what it changes. */
  async handle(method: string, uri: string, body: unknown, key: string | undefined): Promise<Reply> {
    const request = this.#requests;
    this.#requests += 1;
    for (const line of this.#lines.filter(({ after }) => after === request)) {
      this.#lines.splice(this.#lines.indexOf(line), 1);
      this.#write({ ...line, later: Math.min(line.later, 1_500) });
    }
    await this.#around.before(request);
    pass(20);
    const kind = this.#story.faults.find(({ at, count }) => request >= at && request < at + count)?.kind;
    if (kind === '429' || kind === '503') return { response: [Number(kind), '{}', {}] };
    if (kind === 'hang before') jest.advanceTimersToNextTimer();
    if (kind?.endsWith('before')) return lost();
    const response = this.#act(method, new URL(uri, authData.base_url), body, key);
    this.#fanOut();
    if (!this.#story.isReversed) await this.#deliver();
    pass(20);
    if (kind === '500') return { response: [500, '{}', {}] };
    if (kind === 'hang after') jest.advanceTimersToNextTimer();
    if (kind === 'cut after' && response[0] < 300) return { response: [response[0], response[1].slice(0, -9), {}] };
    return kind ? lost() : { response };
  }

  #act(method: string, { pathname, searchParams }: URL, body: unknown, key: string | undefined): Response {
    const name = callAt(method, pathname);
    const known = key && this.#replies.get(key);
    if (name && known) return [202, known, { [headers.idempotentReplayed]: 'true' }];
    const [status, record] = this.#change(name, pathname.split('/').at(-1) ?? '', searchParams, body);
    const text = name && record ? toResponse(name, status, record) : '';
    if (key) this.#replies.set(key, text);
    return [status, text, {}];
  }

  #listed(): Message[] {
    return this.messages.filter(({ at }) => at + this.#story.lagMs <= Date.now()).map(({ at: _, ...each }) => each);
  }

  #change(name: EndpointName | undefined, id: string, query: URLSearchParams, body: unknown): [number, unknown?] {
    const list = (data: object[]): [number, object] => [200, { data, next_cursor: null }];
    switch (name) {
      case 'sendMessage': {
        const { template, to, variables } = Object(fromWire(endpoints.sendMessage.body, body));
        const content = { direction: 'outbound', conversation_id: 'cnv_1', status: 'queued', source: 'api' };
        const sent = this.#add({ ...content, template, to, variables });
        return [202, this.#story.givesOnlyId ? { id: sent.id } : sent];
      }
      case 'createWebhook': {
        const { url, filters } = Object(fromWire(endpoints.createWebhook.body, body));
        const times = { created_at: this.#time(), expires_at: null };
        this.#webhooksMade += 1;
        const { after: _, ...others } = filters;
        const known = this.#story.knowsAfter ? filters : others;
        const created = { ...webhook.sample, ...times, id: `wh_${this.#webhooksMade}`, url, filters: known };
        this.webhooks.unshift(created);
        if (known.after) this.#deliverSince(created);
        return [201, created];
      }
      case 'deleteWebhook':
        this.#remove(id);
        return [204];
      case 'listWebhooks':
        return list(this.webhooks.map(({ secret: _, ...each }) => each));
      case 'getMessage': {
        const found = this.#listed().find((each) => each.id === id);
        return found ? [200, found] : [404, { error: { code: 'not_found', message: 'No' } }];
      }
      case 'listMessages': {
        const ids = query.get('conversation_id')?.split(',');
        return list(this.#listed().filter((each) => ids?.includes(String(each.conversation_id)) ?? true));
      }
      case 'listConversations': {
        const ofContact = this.#listed().filter(({ contact }) => contact?.id === query.get('contact_id'));
        const newest = new Map(ofContact.toReversed().map((each) => [each.conversation_id, each]));
        return list(
          [...newest].map(([id, { contact, created_at }]) => ({
            ...conversation.sample,
            id,
            contact,
            last_message_at: created_at,
          })),
        );
      }
      default:
        return [404];
    }
  }
}

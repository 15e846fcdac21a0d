/** The messaging service in memory, written from the contract alone. It acts at once, and keeps who made it act. */
import { createHmac } from 'node:crypto';
import { asFields, type Fields, listOf, textOf } from './fields';
import type { Draws, Random } from './random';
import {
  type Entity,
  noteText,
  nulls,
  type Sender,
  type ServiceEvent,
  type ServiceSettings,
  view,
  type Written,
} from './records';
import { approvedOf, attachmentsOf, fits, templatesFor, textOfMessage } from './templates';
import { after, day, hour, minute, now, second } from './time';
import type { Call, How, WireResponse } from './wire';

type Deliver = (url: string, headers: Record<string, string>, body: string) => Promise<number | undefined>;

/** The pauses before the second and later attempts of a delivery. */
const pauses = [5 * second, 30 * second, 2 * minute, 10 * minute, hour, 2 * hour, 4 * hour];

const ownNumber = '+15550001111';

const reply = (status: number, body: unknown, headers: Record<string, string> = {}): WireResponse => ({
  status,
  headers: { 'content-type': 'application/json', 'x-request-id': 'req_1', ...headers },
  body: body === undefined ? '' : JSON.stringify(body),
});
const refuse = (status: number, code: string, more: Fields = {}): WireResponse =>
  reply(status, { error: { code, message: `Refused: ${code}.`, ...more }, request_id: 'req_1' });

export class Service {
  token: string;
  readonly messages: Entity[] = [];
  readonly contacts: Entity[] = [];
  readonly conversations: Entity[] = [];
  readonly campaigns: Entity[] = [];
  readonly runs: Entity[] = [];
  readonly webhooks: Entity[] = [];
  readonly events: ServiceEvent[] = [];
  readonly templates: Entity[] = [];
  readonly channels: Entity[] = [];
  /** Grows with everything that changes. */
  version = 0;
  /** Called when the service has accepted a message of the app. */
  readonly onAccepted: ((message: Entity) => void)[] = [];
  readonly #keys = new Map<string, { request: string; at: number; busyUntil: number; response: WireResponse }>();
  readonly #counts = new Map<string, number>();
  #seq = 0;
  /** How much later than now what it adds was created. */
  #shiftMs = 0;
  /** Whether what it sends now fails at once. */
  #fails = false;

  constructor(
    readonly settings: ServiceSettings,
    readonly draws: Draws,
    readonly deliver: Deliver,
  ) {
    this.token = settings.token;
    for (const key of ['whatsapp', 'sms']) this.#add('ch', this.channels, { key, name: key.toUpperCase() });
    for (const template of templatesFor(draws, settings.hasPlainTemplates)) this.#add('tpl', this.templates, template);
    for (const size of [3, 6, null]) this.addCampaign(size);
    for (const status of ['canceled', 'draft']) this.addCampaign(3, { name: 'Spring Sale', status });
  }

  /** Adds what a service has after years, more than a page of each. The newest messages came every 40 minutes. */
  fill(people: readonly { firstName: string; lastName: string }[]): void {
    for (let count = 0; count < 130; count += 1) {
      this.#shiftMs = (count - 130) * 40 * minute;
      const { firstName: first_name, lastName } = people[count % people.length] ?? { firstName: 'Noor', lastName: '' };
      const name = { first_name, last_name: `${lastName} ${count}` };
      const contact = this.addContact({ ...name, phone: `+31611${100_000 + count}` });
      const conversation = this.#conversation(contact, count % 2 ? 'sms' : 'whatsapp');
      this.#message(contact, textOf(conversation.channel), {
        ...(count % 3 ? { direction: 'inbound', from: contact.phone } : { direction: 'outbound', to: contact.phone }),
        status: count % 3 ? 'received' : 'sent',
        text: `Line ${count}`,
        source: count % 3 ? 'contact' : 'colleague',
      });
      if (count % 4 === 0) Object.assign(conversation, { status: 'closed', closed_at: this.#time(now()) });
      this.addCampaign(3, { name: `Old Campaign ${count}`, status: 'completed' });
    }
    this.#shiftMs = 0;
  }

  #time(ms: number): string {
    const time = new Date(ms).toISOString();
    return this.settings.isExact ? time : time.replace(/\.\d+Z/, 'Z');
  }

  /** Returns the next ID of a kind. Two services count alike. */
  #nextId(kind: string): string {
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    return `${kind}_${count}`;
  }

  #add(prefix: string, into: Entity[], fields: Fields, by?: Call): Entity {
    this.#seq += 1;
    this.version += 1;
    const entity = {
      ...fields,
      id: this.#nextId(prefix),
      created_at: this.#time(now() + this.#shiftMs),
      seq: this.#seq,
      at: now() + this.#shiftMs,
      by,
    };
    into.push(entity);
    by?.created.push(entity.id);
    return entity;
  }

  addCampaign(size: number | null, more: Fields = {}): Entity {
    const fields = { ...nulls('url started_at completed_at'), channel: 'whatsapp', template: 'parcel_update' };
    const stats = { recipients: 0, sent: 0, delivered: 0, read: 0, replied: 0, failed: 0 };
    const name = `Campaign ${this.campaigns.length + 1}`;
    return this.#add('cmp', this.campaigns, { ...fields, name, status: 'draft', audience_size: size, stats, ...more });
  }

  growAudience(campaign: Entity): void {
    campaign.audience_size = Number(campaign.audience_size) + 1;
    this.version += 1;
  }

  addContact(fields: Fields, by?: Call): Entity {
    const none = {
      ...nulls('phone username email first_name last_name url'),
      language: ['nl', 'en', null][this.contacts.length % 3],
      tags: [],
      attributes: {},
      consent: 'unknown',
      consent_changed_at: null,
    };
    return this.#add('con', this.contacts, { ...none, ...fields, updated_at: this.#time(now()) }, by);
  }

  /** Returns the contact with a number, which the service may know and not show. */
  contactAt(number: string): Entity | undefined {
    return this.contacts.find((each) => each.phone === number || each.number === number);
  }

  /** Returns the contact who a person is to this service, or adds one. */
  contactOf({ phone, username, knows }: Sender): Entity {
    const number = knows ? { number: phone } : {};
    const known = username ? this.contacts.find((each) => each.username === username) : this.contactAt(phone);
    return known ?? this.addContact(username ? { username, ...number } : { phone });
  }

  /** Returns the open conversation with a contact, or opens one. */
  #conversation(contact: Entity, channel: string): Entity {
    const known = this.conversations.find(
      (each) => asFields(each.contact).id === contact.id && each.channel === channel,
    );
    if (known?.status === 'open') return known;
    if (known) {
      Object.assign(known, { status: 'open', closed_at: null });
      this.#emit('conversation.reopened', known);
      return known;
    }
    const { id, phone, username, first_name, last_name } = contact;
    const rest = nulls('assignee url last_message last_message_at closed_at');
    const person = { id, phone, username, first_name, last_name };
    const fields = { ...rest, channel, status: 'open', contact: person, message_count: 0 };
    const opened = this.#add('cnv', this.conversations, fields);
    this.#emit('conversation.opened', opened);
    return opened;
  }

  /** Takes a new token. The app can't know the old one, so what repeats it goes. */
  rotateToken(token: string): void {
    for (const message of this.messages) {
      if (textOf(asFields(message.error).message).includes(this.token))
        message.error = { code: 'blocked', message: 'Blocked.' };
    }
    this.token = token;
  }

  closeConversation(conversation: Entity): void {
    if (conversation.status === 'closed') return;
    Object.assign(conversation, { status: 'closed', closed_at: this.#time(now()) });
    this.#emit('conversation.closed', conversation);
  }

  #message(person: Entity, channel: string, fields: Fields, by?: Call): Entity {
    const conversation = this.#conversation(person, channel);
    const source = this.settings.hasSource ? { source: fields.source } : {};
    const none = nulls(
      'campaign_id campaign_name reply_to template text button error url sent_at delivered_at read_at failed_at',
    );
    const { id: conversation_id, contact } = conversation;
    const all = { ...none, conversation_id, contact, channel, variables: {}, attachments: [], ...fields };
    const message = this.#add('msg', this.messages, { ...all, source: undefined, ...source }, by);
    const { id, direction, text, created_at } = message;
    const message_count = Number(conversation.message_count) + 1;
    const last_message = { id, direction, text, created_at };
    Object.assign(conversation, { last_message, last_message_at: created_at, message_count });
    return message;
  }

  /** A colleague notes something in a conversation, which is among its messages and its newest one. Nobody gets it. */
  note(conversation: Entity, direction: string): void {
    const none = nulls('campaign_id campaign_name reply_to template button error url from to status');
    const times = nulls('sent_at delivered_at read_at failed_at');
    const { id: conversation_id, contact, channel } = conversation;
    const fields = { ...none, ...times, conversation_id, contact, channel, variables: {}, attachments: [], direction };
    const source = this.settings.hasSource ? 'colleague' : undefined;
    const note = this.#add('msg', this.messages, { ...fields, text: noteText, source });
    const { id, created_at } = note;
    const last_message = { id, direction, text: noteText, created_at };
    Object.assign(conversation, { last_message, last_message_at: created_at });
    if (this.settings.reportsNotes) this.#emit('message.sent', note);
  }

  /** Makes a conversation odd until its next message: without a newest message, or without a time. */
  makeOdd(conversation: Entity, kind: 'deleted' | 'timeless'): void {
    const last_message = { ...asFields(conversation.last_message), created_at: null };
    const timeless = { last_message, last_message_at: 'soon' };
    Object.assign(conversation, kind === 'deleted' ? { last_message: null } : timeless);
    this.version += 1;
  }

  /** A person writes, and may quote a message, or press a button of it. */
  receive(sender: Sender, channel: string, text: string | null, written: Written = {}): Entity {
    const { attachments = [], reply_to = null, button = null } = written;
    const contact = this.contactOf(sender);
    const fields = { direction: 'inbound', from: contact.phone, to: ownNumber, status: 'received', source: 'contact' };
    const said = text ?? this.draws('blanks').pick([null, '', ' \n']);
    const message = this.#message(contact, channel, { ...fields, text: said, attachments, reply_to, button });
    this.#emit('message.received', message);
    return message;
  }

  /** Sends a message and lets it take its course. */
  send(contact: Entity, channel: string, fields: Fields, by?: Call): Entity {
    const base = { direction: 'outbound', from: ownNumber, to: contact.phone, status: 'queued' };
    if (by && this.#fails) return this.#sendFailed(contact, channel, { ...base, ...fields }, by);
    const message = this.#message(contact, channel, { ...base, ...fields }, by);
    const random = this.draws(`course ${message.id}`);
    const fails = random.chance(0.1);
    const course = fails ? ['sent', 'failed'] : ['sent', 'delivered', 'read'].slice(0, random.int(1, 3));
    let delay = 0;
    for (const status of this.#reported(course, random)) {
      delay += random.int(200, 5_000);
      after(delay, () => {
        const reached = status === 'delivered' && message.read_at ? 'read' : status;
        this.#change(message, {
          status: reached,
          [`${status}_at`]: this.#time(now()),
          error: status === 'failed' ? { code: 'blocked', message: `Blocked for ${this.token}.` } : null,
        });
        this.#emit(`message.${status}`, message);
      });
    }
    return message;
  }

  /** Returns what of its course a service reports. What is read at once may not be delivered, or only later. */
  #reported(course: readonly string[], random: Random): readonly string[] {
    if (!this.settings.readsAtOnce || !course.includes('read')) return course;
    return random.pick([course, course, ['sent', 'read'], ['sent', 'read', 'delivered']]);
  }

  #change(message: Entity, changes: Fields): void {
    message.states ??= [{ at: message.at, fields: structuredClone(view(message)) }];
    Object.assign(message, changes);
    message.states.push({ at: now(), fields: structuredClone(view(message)) });
  }

  #sendFailed(contact: Entity, channel: string, fields: Fields, by: Call): Entity {
    // Some services say it by the status, some by the time or the reason alone.
    const random = this.draws('failures');
    const error = random.chance(0.5) ? { code: 'blocked', message: 'Blocked.' } : null;
    const status = random.chance(0.5) || error ? 'failed' : 'queued';
    const message = this.#message(contact, channel, { ...fields, status, error }, by);
    message.failed_at = message.created_at;
    this.#emit('message.failed', message);
    return message;
  }

  #start(campaign: Entity, body: Fields, by: Call): Entity {
    const to = textOf(body.to);
    const known = this.contacts.flatMap(({ phone, consent }) =>
      phone && consent !== 'opted_out' ? textOf(phone) : [],
    );
    const others = Array.from({ length: 6 }, (_, index) => `+4479110000${10 + index}`);
    const recipients = to ? [to] : [...known, ...others].slice(0, Number(campaign.audience_size ?? 2));
    const its = { campaign_id: campaign.id, campaign_name: campaign.name };
    const run = this.#add('run', this.runs, { ...its, status: 'queued', recipients: recipients.length, to }, by);
    const more = { template: campaign.template, ...its, source: 'campaign' };
    const variables = asFields(body.variables);
    for (const phone of recipients) {
      this.send(this.contactOf({ phone }), textOf(campaign.channel), { ...more, to: phone, variables }, by);
    }
    after(second, () => this.#emit('campaign.started', Object.assign(campaign, { status: 'sending' })));
    after(minute, () => this.#emit('campaign.completed', Object.assign(campaign, { status: 'completed' })));
    return run;
  }

  #emit(type: string, entity: Entity): void {
    this.#seq += 1;
    this.version += 1;
    const event = { id: this.#nextId(`evt_${type}`), type, at: now(), data: structuredClone(view({ ...entity })) };
    this.events.push(event);
    after(this.settings.fanOutMs, () => {
      for (const webhook of this.webhooks) if (this.#isWatched(webhook, event)) this.#deliverTo(webhook, event, 0);
    });
  }

  #isWatched(webhook: Entity, { type, data }: ServiceEvent): boolean {
    const { channel, from, contact_id, source, campaign_id, after: since } = asFields(webhook.filters);
    const seqOf = (id: unknown) => this.messages.find((each) => each.id === id)?.seq ?? 0;
    if (since && seqOf(data.id) <= seqOf(since)) return false;
    const passes = (wanted: unknown, value: unknown) => listOf(wanted).length === 0 || listOf(wanted).includes(value);
    const campaignId = type.startsWith('campaign.') ? data.id : data.campaign_id;
    const isKnownSource = !this.settings.hasSource || passes(source, data.source);
    return (
      listOf(webhook.events).includes(type) &&
      passes(channel, data.channel) &&
      passes(from, data.from) &&
      passes(contact_id, asFields(data.contact).id) &&
      isKnownSource &&
      passes(campaign_id, campaignId)
    );
  }

  #deliverTo(webhook: Entity, event: ServiceEvent, attempt: number): void {
    const delay = this.draws(`delivery to ${webhook.id}`).int(30, 1_500);
    after((pauses[attempt - 1] ?? 0) + delay, async () => {
      if (!this.webhooks.includes(webhook)) return;
      const { id, type, data } = event;
      const body = JSON.stringify({
        id,
        type,
        created_at: this.#time(event.at),
        workspace_id: this.settings.workspace,
        data,
      });
      const timestamp = String(Math.floor(now() / second));
      const key = Buffer.from(textOf(webhook.secret).slice(6), 'base64');
      const signature = `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
      const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
      const status = await this.deliver(textOf(webhook.url), headers, body);
      if (status === 410) this.#remove(this.webhooks, webhook.id);
      else if (!(status && status < 300) && attempt < pauses.length) this.#deliverTo(webhook, event, attempt + 1);
    });
  }

  #remove(from: Entity[], id: string): boolean {
    const index = from.findIndex((each) => each.id === id);
    if (index !== -1) from.splice(index, 1);
    this.version += 1;
    return index !== -1;
  }

  #createWebhook(body: Fields, by: Call): WireResponse {
    const filters = this.settings.echoesFilters ? asFields(body.filters) : undefined;
    const random = this.draws('webhooks');
    const lifeMs = random.int(2, 30) * hour;
    const at = new Date(now() + lifeMs);
    const iso = at.toISOString();
    const space = iso.slice(0, 19).replace('T', ' ');
    const forms = { iso, unix: at.getTime() / second, rfc: at.toUTCString(), space };
    const { expiry } = this.settings;
    const secret = `whsec_${Buffer.from(random.digits(32)).toString('base64')}`;
    const fields = { url: body.url, events: body.events, filters, expires_at: expiry ? forms[expiry] : null };
    const all = { ...fields, secret, expiresMs: expiry && at.getTime() };
    const webhook = this.#add(`wh_${listOf(body.events)[0]}`, this.webhooks, all, by);
    if (expiry) after(lifeMs, () => this.#remove(this.webhooks, webhook.id));
    if (filters && 'after' in filters) {
      const earlier = this.events.filter((event) => this.#isWatched(webhook, event));
      for (const event of earlier) this.#deliverTo(webhook, event, 0);
    }
    return reply(201, { ...view(webhook), secret });
  }

  #list(
    all: Entity[],
    query: URLSearchParams,
    tests: Record<string, (entity: Entity, value: string) => boolean> = {},
  ): WireResponse {
    const limit = Math.min(100, Number(query.get('limit') ?? 20));
    const start = Number(query.get('after') ?? Number.POSITIVE_INFINITY);
    const passes = (entity: Entity) =>
      [...query].every(([name, value]) => {
        if (name === 'limit' || name === 'after') return true;
        const test = tests[name] ?? ((each: Entity, wanted: string) => wanted.split(',').includes(String(each[name])));
        return test(entity, value);
      });
    const found = all.filter((entity) => entity.seq < start && passes(entity)).toReversed();
    const page = found.slice(0, limit);
    const overlap = this.settings.overlaps && page.length > 1 ? 1 : 0;
    const next = found.length > limit ? String((page.at(-1)?.seq ?? 0) + overlap) : null;
    return reply(200, { data: page.map(view), next_cursor: next });
  }

  /** Returns the version of a template for a contact, or any where nothing is checked. */
  #versionFor({ channel, to, template }: Fields): Entity | undefined {
    const wanted = this.contactAt(textOf(to))?.language;
    const approved = approvedOf(this, template, channel);
    return approved.find(({ language }) => language === wanted) ?? approved[0];
  }

  /** Returns why a message doesn't fit its template, if it doesn't. */
  #mistakeIn(body: Fields): WireResponse | undefined {
    const { channel, template, variables } = body;
    const versions = this.templates.filter((each) => each.name === template && each.channel === channel);
    if (versions.length === 0) return refuse(422, 'template_not_found');
    const found = this.#versionFor(body);
    if (!found) return refuse(422, 'template_not_approved');
    if (fits(asFields(variables), [found], approvedOf(this, template, channel))) return undefined;
    const details = [{ field: 'variables.parcel_id', message: 'is required' }];
    return refuse(422, 'template_variables_missing', { details });
  }

  #sendFrom(body: Fields, by: Call): WireResponse {
    const { channel, to, template, variables, ...unknown } = body;
    if (Object.keys(unknown).length > 0) return refuse(400, 'malformed_request');
    if (!/^\+[1-9]\d{6,14}$/.test(textOf(to))) return refuse(422, 'validation_failed', { field: 'to' });
    const refused = this.settings.checksMessages && this.#mistakeIn(body);
    if (refused) return refused;
    const found = this.#versionFor(body);
    const given = asFields(variables);
    if (this.contactAt(textOf(to))?.consent === 'opted_out') return refuse(422, 'recipient_opted_out');
    const contact = this.contactAt(textOf(to)) ?? this.addContact({ phone: to });
    const shown = contact.username && !this.settings.showsHidden ? null : to;
    const rendered = found && { text: textOfMessage(found, given), attachments: attachmentsOf(found, given) };
    const sent = { to: shown, number: to, template, variables: given, ...rendered, source: 'api' };
    const message = this.send(contact, textOf(channel), sent, by);
    for (const listen of this.onAccepted) listen(message);
    return reply(202, this.settings.givesOnlyId ? { id: message.id } : view(message));
  }

  #writeContact(body: Fields, by: Call, existing?: Entity): WireResponse {
    const { add_tags, remove_tags, ...fields } = body;
    if (!existing) {
      const same = (name: string) => this.contacts.find((each) => fields[name] && each[name] === fields[name]);
      const known = same('phone') ?? same('email');
      return known
        ? refuse(409, 'contact_exists', this.settings.namesExisting ? { existing_id: known.id } : {})
        : reply(201, view(this.addContact(fields, by)));
    }
    by.before = structuredClone(view(existing));
    const added = new Set([...listOf(existing.tags), ...listOf(add_tags)]);
    const tags = [...added].filter((tag) => !listOf(remove_tags).includes(tag));
    const attributes = { ...asFields(existing.attributes), ...asFields(fields.attributes) };
    const isNews = fields.consent !== undefined && fields.consent !== existing.consent;
    const consent_changed_at = isNews ? this.#time(now()) : existing.consent_changed_at;
    const changes = { attributes, tags: fields.tags ?? tags, consent_changed_at, updated_at: this.#time(now()) };
    Object.assign(existing, fields, changes);
    by.after = structuredClone(view(existing));
    by.created.push(existing.id);
    this.version += 1;
    return reply(200, view(existing));
  }

  /** Answers a request. `staleMs` hides what was created that recently, as a copy that lags behind does. */
  handle(call: Call, { staleMs, busyMs, fails }: How): WireResponse {
    this.#fails = fails;
    if (call.headers.authorization !== `Bearer ${this.token}`) return refuse(401, 'invalid_token');
    const [, version, kind = '', id = '', action] = call.url.pathname.split('/');
    if (version !== 'v1') return refuse(404, 'not_found');
    if (kind === 'webhooks' && this.settings.plan !== 'advanced')
      return refuse(403, 'plan_required', { required_plan: 'advanced' });
    const key = call.headers['idempotency-key'];
    const { ignoresKeys, repeatsWebhooks } = this.settings;
    if (!key || ignoresKeys || (repeatsWebhooks && kind === 'webhooks'))
      return this.#act(call, kind, id, action, staleMs);
    const request = `${call.url.pathname} ${call.body}`;
    const first = this.#keys.get(key);
    if (first && first.at > now() - day) {
      if (first.request !== request) return refuse(422, 'idempotency_mismatch');
      if (first.busyUntil > now()) return refuse(409, 'idempotency_in_flight');
      return { ...first.response, headers: { ...first.response.headers, 'idempotent-replayed': 'true' } };
    }
    const response = this.#act(call, kind, id, action, staleMs);
    if (response.status < 300) this.#keys.set(key, { request, at: now(), busyUntil: now() + busyMs, response });
    return response;
  }

  #act(call: Call, kind: string, id: string, action: string | undefined, staleMs: number): WireResponse {
    const isOld = ({ at }: Entity) => at <= now() - staleMs;
    const query = call.url.searchParams;
    const body = call.body ? asFields(JSON.parse(call.body)) : {};
    const { messages, contacts, conversations, campaigns, webhooks, templates, channels } = this;
    const tables: Record<string, Entity[]> = {
      ...{ messages, contacts, conversations, campaigns, webhooks, templates, channels },
    };
    const table = tables[kind];
    const { plan, workspace } = this.settings;
    if (kind === 'workspace')
      return reply(200, { id: workspace, name: 'Shop', plan, scopes: ['messages', 'webhooks'] });
    if (!table) return refuse(404, 'not_found');
    const name = decodeURIComponent(id);
    const entity = table.find((each) => each.id === name && isOld(each));
    const hasText = (each: Entity, text: string) =>
      [each.first_name, each.last_name, each.name].filter(Boolean).join(' ').toLowerCase().includes(text.toLowerCase());
    const tests = {
      query: hasText,
      contact_id: (each: Entity, wanted: string) => asFields(each.contact).id === wanted,
      tag: (each: Entity, tag: string) => listOf(each.tags).includes(tag),
    };
    if (!id && call.method === 'GET') return this.#list(table.filter(isOld), query, tests);
    const created = `${call.method} ${kind}`;
    if (created === 'POST messages') return this.#sendFrom(body, call);
    if (created === 'POST contacts') return this.#writeContact(body, call);
    if (created === 'POST webhooks') return this.#createWebhook(body, call);
    if (!entity) return refuse(404, 'not_found');
    const isIn = (each: Entity) => each.conversation_id === id && isOld(each);
    if (action === 'messages') return this.#list(messages.filter(isIn), query);
    if (action === 'trigger' && call.method !== 'POST') return refuse(404, 'not_found');
    if (action === 'trigger' && entity.status === 'canceled') return refuse(422, 'validation_failed');
    if (action === 'trigger') return reply(202, view(this.#start(entity, body, call)));
    if (call.method === 'PATCH') return this.#writeContact(body, call, entity);
    if (call.method !== 'DELETE') return reply(200, view(entity));
    call.before = view(entity);
    this.#remove(table, id);
    call.created.push(id);
    return reply(204, undefined);
  }
}

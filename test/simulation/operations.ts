/** What people, Zaps and the service do in a world, each by its own chance. */

import { asFields } from './fields';
import { allows, channels, fillIn, type Input, type Send } from './forms';
import { attach, countries, inventMexican, inventPerson, opposite, otherNumberOf, type Person, say } from './people';
import type { Random } from './random';
import { type Entity, forgedMessage, isMessage } from './records';
import type { Service } from './service';
import { addPerson } from './stories';
import { approvedOf, quickRepliesOf, variablesOf } from './templates';
import { after, day, hour, minute, second } from './time';
import { values, zones } from './values';
import { faultKinds, type WireRequest } from './wire';
import type { World } from './world';
import type { Intent, Operation, Run } from './zapier';

type Act = (world: World, operation: Operation) => void;

const startSend = ({ zapier }: World, operation: Operation, { account, input, raw, intent, meta, home }: Send): Run =>
  zapier.start(operation, account, 'send_message', input, intent, { raw, meta, home });

/** Sends the same again: an agent that takes its call for lost, or a form with the same value and the phone's other number. */
const sendAgain = (world: World, operation: Operation, form: Send): void => {
  const random = operation.draws('again');
  const { person, input, raw, intent } = form;
  const isCall = !raw && !intent.key && intent.duty !== 'refuse';
  const other = intent.key && intent.duty === 'take' ? otherNumberOf(person.phone) : undefined;
  if (!(isCall || other) || random.chance(0.3)) return;
  const [changed, meant] = other
    ? [
        { to: other },
        { ...intent, to: other, duty: 'may' as const, sends: intent.sends && { ...intent.sends, to: other } },
      ]
    : [{ to: random.pick([input.to, person.phone]) }, { ...intent, call: operation.id }];
  const again = { ...form, input: { ...input, ...changed }, raw: raw && { ...raw, ...changed } };
  after(random.int(1, 500) * second, () => startSend(world, operation, { ...again, intent: meant }));
};

/** Under the same value, another person or another template is another message. */
const send: Act = (world, operation) => {
  const { random } = operation;
  const mexicans = operation.draws('Mexicans');
  const form = fillIn(world, operation, mexicans.chance(0.08) ? { person: inventMexican(mexicans) } : {});
  const isCall = !form.raw && !form.intent.key;
  startSend(world, operation, { ...form, intent: { ...form.intent, ...(isCall && { call: operation.id }) } });
  sendAgain(world, operation, form);
  const { account, person, intent } = form;
  const { key } = intent;
  if (!key || random.chance(0.5)) return;
  const change = random.pick([
    { person: random.pick(world.people.filter((each) => each !== person)) },
    { person, template: intent.sends?.template === 'hello' ? 'parcel_update' : 'hello' },
  ]);
  const common = { channel: intent.sends?.channel === 'sms' ? ('sms' as const) : ('whatsapp' as const), account, key };
  const sendOther = () => startSend(world, operation, fillIn(world, operation, { ...common, ...change }));
  after(random.int(1, 20) * minute, sendOther);
};

/** Fills in a form that mostly sends, for an account that mostly can wait. */
const fillInToWait = (world: World, operation: Operation): Send => {
  const { random } = operation;
  const able = world.accounts.filter(
    ({ service: { settings } }) => settings.plan === 'advanced' && settings.echoesFilters && !settings.expiry,
  );
  const common = able.length > 0 && random.chance(0.8) ? { account: random.pick(able) } : {};
  const form = fillIn(world, operation, common);
  return form.intent.duty === 'refuse' && random.chance(0.8) ? fillIn(world, operation, common) : form;
};

/** How services call the direction of what is no message. */
const noteDirections = ['internal', 'note', 'activity'] as const;

/** A colleague notes something in the conversation of a message. */
const note = (service: Service, { conversation_id }: Entity, random: Random): void => {
  const conversation = service.conversations.find(({ id }) => id === conversation_id);
  if (conversation) service.note(conversation, random.pick(noteDirections));
};

/** Makes a person press a button of one of the last messages, at times. Returns whether one was pressed. */
const press = (service: Service, person: Person, messages: readonly Entity[], random: Random): boolean => {
  const withButtons = messages.slice(-4).filter((each) => quickRepliesOf(service, each).length > 0);
  if (withButtons.length === 0 || !random.chance(0.4)) return false;
  const message = random.pick(withButtons);
  const text = random.pick(quickRepliesOf(service, message));
  service.receive(person, String(message.channel), text, { reply_to: message.id, button: { text, payload: text } });
  return true;
};

/** Somebody who knows the callback of a wait, with its query or without, names a message that there isn't. */
const forgeCallbacks = ({ zapier }: World, operation: Operation): void => {
  const isWhole = operation.draws('queries').chance(0.5);
  const forged = { id: 'evt_forged', type: 'message.received', created_at: '2026-01-01T00:00:00Z' };
  const body = JSON.stringify({ ...forged, data: { id: forgedMessage } });
  for (const { run, url } of zapier.callbacks.values()) {
    if (run.operation !== operation) continue;
    const webhook = run.account.service.webhooks.find((each) => String(each.url).startsWith(`${url}?`));
    zapier.receive(isWhole && webhook ? String(webhook.url) : url, {}, body);
  }
};

/** A person's lines around a question: before it, while the step runs, right after it, and later. */
const sendAndWait: Act = (world, operation) => {
  const { random, draws } = operation;
  const { account, person, input, raw, intent, meta, home } = fillInToWait(world, operation);
  const channel = String(input.channel);
  const { service } = account;
  const write = (delay: number, by = person) =>
    after(delay, () => {
      const { id } = service.contactOf(by);
      const ofPerson = service.messages.filter((each) => isMessage(each) && asFields(each.contact).id === id);
      if (press(service, by, ofPerson, draws('presses'))) return;
      const reply_to = ofPerson.length > 0 && random.chance(0.25) ? random.pick(ofPerson.slice(-4)).id : null;
      const where = random.chance(0.9) ? channel : random.pick(channels);
      const said = say(random);
      const text = draws('opposites').chance(0.1) ? draws('opposites').pick(opposite) : said;
      service.receive(by, where, text, { attachments: attach(random), reply_to });
    });
  const other = { text: 'Is Friday all right?', source: random.pick(['colleague', 'automation', 'campaign']) };
  for (let lines = random.int(0, 3); lines > 0; lines -= 1) write(random.int(0, 1_500));
  const answers = Array.from({ length: random.int(0, 3) }, () =>
    random.pick([random.int(1, 600), random.int(1, 20) * second, random.int(1, 600) * minute]),
  );
  let isAsked = false;
  service.onAccepted.push((message) => {
    if (isAsked || message.number !== person.phone || message.channel !== channel) return;
    isAsked = true;
    write(random.int(100, 60_000), random.pick(world.people.filter((each) => each !== person)));
    for (const delay of answers) write(delay);
    for (const delay of answers.slice(0, draws('forgeries').int(-5, 1)))
      after(delay, () => forgeCallbacks(world, operation));
    if (random.chance(0.3))
      after(random.int(1, 600 * second), () => service.send(service.contactOf(person), channel, other));
    const notes = draws('notes');
    if (notes.chance(0.3)) after(notes.int(1, 60 * second), () => note(service, message, notes));
  });
  const words = draws('words').pick([{}, { no_words: ['Cancel', 'cancelar'] }]);
  const ask = (text: string) => {
    const form = text && input.variable_parcel_id ? { variable_parcel_id: text } : {};
    const more = { raw: raw && { ...raw, ...form, ...words }, meta, home };
    const sends =
      intent.sends?.variables && 'variable_parcel_id' in form
        ? { ...intent.sends, variables: { ...intent.sends.variables, parcel_id: text } }
        : intent.sends;
    const filled = { ...input, ...form, ...words };
    world.zapier.start(operation, account, 'send_message_and_wait', filled, { ...intent, sends }, more);
  };
  after(random.int(0, 1_000), () => ask(''));
  // Another Zap asks the same person something else. Its value would mend a form whose own value is refused.
  if (random.chance(0.25) && intent.duty !== 'refuse') after(random.int(0, 120) * second, () => ask('P-9'));
};

const startForSaved: Act = (world, operation) => {
  const { random } = operation;
  const account = random.pick(world.accounts);
  const campaign = random.pick(account.service.campaigns);
  const key = random.chance(0.5) ? `day-${random.int(1, 3)}` : undefined;
  const max_recipients = random.pick([undefined, 2, 5, 500]);
  const input = { campaign: campaign.id, deduplication_key: key, audience: 'saved', max_recipients };
  // A part of the number was mapped, and was empty in this run.
  const isLost = max_recipients !== undefined && random.chance(0.2);
  const raw = isLost ? { ...input, max_recipients: `${max_recipients}{{1__zeros}}` } : input;
  const allowed = isLost ? 0 : (max_recipients ?? 0);
  const intent = { ...(key && { key }), maxRecipients: allowed };
  // Somebody adds customers to the audience, perhaps between the check and the start.
  if (campaign.audience_size !== null && random.chance(0.1))
    after(random.int(0, 200), () => account.service.growAudience(campaign));
  world.zapier.start(operation, account, 'start_campaign', input, intent, { raw });
};

/** Starts a campaign for one person, and perhaps for another under the same value. */
const startForOne: Act = (world, operation) => {
  const { random } = operation;
  const account = random.pick(world.accounts);
  const { id: campaign, template, channel } = random.pick(account.service.campaigns);
  const key = random.chance(0.6) ? `day-${random.int(1, 3)}` : undefined;
  const required = variablesOf(approvedOf(account.service, template, channel)).filter((each) => each.required);
  const filled = required.map(({ name, format }) => [name, values[format]?.[0]?.text]);
  const start = (person: Person) => {
    const { phone: to } = person;
    const input = { campaign, deduplication_key: key, audience: 'one', to, variables: Object.fromEntries(filled) };
    const duty = allows(account, person);
    const intent = { ...(key && { key }), to, ...(duty === 'may' ? {} : { duty, starts: duty === 'take' }) };
    world.zapier.start(operation, account, 'start_campaign', input, intent);
  };
  const first = random.pick(world.people);
  const second = random.pick(world.people.filter((each) => each !== first));
  start(first);
  if (random.chance(0.5)) after(random.int(1, 20) * minute, () => start(second));
};

const startCampaign: Act = (world, operation) =>
  operation.random.chance(0.5) ? startForSaved(world, operation) : startForOne(world, operation);

const writeContact: Act = (world, operation) => {
  const { random } = operation;
  const account = random.pick(world.accounts);
  const { phone, email, firstName } = random.pick(world.people);
  const other = random.pick(world.people).phone;
  const step = random.pick([
    ...['create_contact', 'create_or_update_contact', 'create_or_update_contact'],
    ...['update_contact', 'delete_contact'],
  ]);
  const contact = random.pick(['con_none', ...account.service.contacts.map(({ id }) => id)]);
  const form = {
    phone: random.pick([phone, other, other, undefined]),
    email,
    first_name: firstName,
    consent: random.pick([undefined, 'opted_in', 'opted_out']),
    tags: random.pick([['vip'], ['vip', 'new']]),
    attributes: random.pick([undefined, { size: 'M' }]),
  };
  const on_difference = random.pick([undefined, 'keep', 'replace', 'stop']);
  const tags = { add_tags: ['seen'], remove_tags: random.pick([undefined, ['vip']]) };
  const inputs: Record<string, Input> = {
    create_or_update_contact: { ...form, on_difference },
    create_contact: form,
    update_contact: {
      contact,
      consent: form.consent,
      ...tags,
      ...random.pick([
        { first_name: firstName },
        { first_name: firstName, clear: ['email'] },
        { clear: ['first_name'] },
      ]),
    },
    delete_contact: { contact },
  };
  world.zapier.start(operation, account, step, inputs[step] ?? {}, {});
};

/** Whether a record of the list of messages is a note, or was read without having been delivered. */
const isOdd = ({ direction, read_at, delivered_at }: Entity): boolean =>
  !isMessage({ direction }) || Boolean(read_at && !delivered_at);

/** A form for a group of contacts. */
const findPeople = (random: Random): Input => ({
  tag: random.pick([undefined, 'vip']),
  consent: random.pick([undefined, 'opted_in', 'opted_out']),
  created_after: random.pick([undefined, '2 hours ago', '1 day ago']),
  contact_limit: random.pick([undefined, '3', '150']),
});

const search: Act = (world, operation) => {
  const { random, draws } = operation;
  const account = random.pick(world.accounts);
  const { service } = account;
  const person = random.pick(world.people);
  const message = random.pick(['msg_none', ...service.messages.slice(-10).map(({ id }) => id)]);
  const conversation = random.pick(['cnv_none', ...service.conversations.slice(-10).map(({ id }) => id)]);
  // At times any message, such as one with more than a page of newer ones.
  const old = draws('old messages').chance(0.15)
    ? draws('old messages').pick(['msg_none', ...service.messages.map(({ id }) => id)])
    : undefined;
  const { phone, email, firstName, lastName } = person;
  const badPhone = random.pick(['n/a', '12', `${phone} or so`]);
  const channel = random.pick([undefined, ...channels]);
  const status = random.pick([undefined, 'open', 'closed']);
  const times = ['2 hours ago', '90 minutes ago', '1 day ago', '1 day ago', '2 days ago', 'yesterday'];
  const since = random.pick([undefined, ...times]);
  const limit = random.pick([undefined, '3', '150']);
  const name = random.pick([firstName, lastName, `${firstName} ${lastName}`, firstName.slice(0, 2).toUpperCase()]);
  const whose = random.pick<Input>([{ phone }, { contact: service.contactOf(person).id }, { conversation }]);
  const awaiting_reply = random.pick([undefined, 'true', 'false']);
  const identity = { phone: random.pick([phone, badPhone]), email: random.pick([email, undefined, 'n/a']), name };
  const direction = random.pick([undefined, 'inbound', 'outbound']);
  const campaign = {
    name: random.pick(['campaign', 'spring sale', 'Campaign 1']),
    status: random.pick([undefined, 'draft', 'canceled']),
  };
  const reply: [string, Input] = ['find_reply', { message: old ?? message }];
  const [step, input] = random.pick<[string, Input]>([
    ['find_contact', identity],
    ['find_contact', { name }],
    ['find_conversation_history', { ...whose, channel, status, after: since, message_limit: limit }],
    ['find_conversation_history', { ...whose, channel, after: since, message_limit: limit }],
    reply,
    ['find_message_status', { message }],
    ['find_messages', { direction, channel, after: since, message_limit: limit }],
    ['find_conversations', { status, channel, awaiting_reply, quiet_since: since, conversation_limit: limit }],
    ['find_campaign', campaign],
    ['find_template', { name: random.pick(['parcel_update', 'parcel', 'hello', 'draft']), channel }],
    ['list_templates', { channel: random.pick(channels) }],
    ['new_contact', { tag: random.pick([undefined, 'vip']) }],
    [random.pick(['list_channels', 'list_contacts', 'list_campaigns', 'list_conversations', 'list_messages']), {}],
  ]);
  const lists = draws('lists');
  const people = findPeople(lists);
  const odd = lists.pick(['msg_none', ...service.messages.filter(isOdd).map(({ id }) => id)]);
  const of = { campaign: lists.pick(service.campaigns).id, status: lists.pick([undefined, 'not_read', 'failed']) };
  const [list, asked] = lists.pick<[string, Input]>([
    ['contact_opted_out', {}],
    ['find_contacts', people],
    ['find_message_status', { message: odd }],
    ['find_messages', { ...of, message_limit: limit }],
  ]);
  const timezone = random.pick(zones);
  const isList = lists.chance(0.3);
  const isLong = draws('long lists').chance(0.08);
  const untold = draws('untold').chance(0.08) ? draws('untold').pick(['nameless', 'sideless']) : undefined;
  const listing: [string, Input] = isLong ? ['find_contacts', { contact_limit: '150' }] : [list, asked];
  const [ran, form] = untold ? reply : isLong || isList ? listing : [step, input];
  const partial = untold ?? (ran === 'find_reply' && draws('partial lists').pick([undefined, 'short', 'empty']));
  const nextFault = (request: WireRequest) =>
    operation.nextFault(request) ??
    (partial && request.method === 'GET' && request.url.pathname.endsWith('/messages') ? partial : undefined);
  const more = { meta: { timezone } };
  world.zapier.start({ ...operation, nextFault }, account, ran, form, { isReadOnly: true }, more);
};

const triggers = [
  ...['message_received', 'message_received', 'message_sent', 'message_failed'],
  ...['message_status_updated', 'message_status_updated', 'message_status_updated'],
  ...['conversation_opened', 'conversation_closed', 'conversation_reopened', 'campaign_started', 'campaign_completed'],
];

const useZap: Act = (world, operation) => {
  const { random } = operation;
  // Two companies may use the same Zap, and services may count their records alike.
  const accounts = random.chance(0.3) ? world.accounts : [random.pick(world.accounts)];
  const trigger = random.pick(triggers);
  const channel =
    /^(message|conversation)/.test(trigger) && random.chance(0.3) ? { channel: random.pick(channels) } : {};
  const contains =
    trigger === 'message_received' && random.chance(0.5) ? { contains: random.pick([['stop'], ['yes', 'ja']]) } : {};
  const sources =
    /^message_(sent|status|failed)/.test(trigger) && random.chance(0.3) ? { sources: ['api', 'colleague'] } : {};
  const filters = [{}, { statuses: ['delivered'] }, { statuses: ['delivered'] }, { statuses: ['read'] }];
  const statuses = trigger === 'message_status_updated' ? operation.draws('statuses').pick(filters) : {};
  for (const account of accounts) {
    void world.zapier.turnOn(operation, account, trigger, { ...channel, ...contains, ...sources, ...statuses });
  }
  if (random.chance(0.5)) return;
  after(random.int(1, 60) * hour, () => {
    for (const zap of world.zapier.zaps) if (zap.operation === operation) void world.zapier.turnOff(zap);
  });
};

/** A test in the editor: it may message the tester only. */
const test: Act = (world, operation) => {
  const { random } = operation;
  const { account, input, raw: filled, person, home } = fillIn(world, operation);
  const meta = { isLoadingSample: true, timezone: 'Europe/Berlin' };
  const tester = random.pick(world.people.filter((each) => each !== person));
  // The account's number counts, whatever a step still has from before.
  const ofAccount = account.authData.test_recipient;
  const test_recipient = random.chance(0.5) && ofAccount ? undefined : tester.phone;
  const isLost = !ofAccount && random.chance(0.3);
  const message = { ...input, to: person.phone, test_recipient: isLost ? '' : test_recipient };
  const mapped = { deduplication_key: filled?.deduplication_key, ...(isLost && { test_recipient: '{{1__tester}}' }) };
  const raw = { ...filled, ...message, ...mapped };
  const campaign = { campaign: random.pick(account.service.campaigns).id, audience: 'saved', max_recipients: '500' };
  const step = random.pick(['send_message', 'send_message_and_wait', 'start_campaign', 'trigger']);
  if (step === 'trigger') {
    const method = `triggers.${random.pick(triggers)}.operation.performList`;
    return void world.zapier.runMethod(operation, account, method, { inputData: {}, meta });
  }
  const isCampaign = step === 'start_campaign';
  const to = ofAccount ?? tester.phone;
  const intent: Intent = isCampaign ? { isReadOnly: true } : { to, ...(isLost && { duty: 'refuse' }) };
  const more = { meta, home, raw: isCampaign ? campaign : raw };
  world.zapier.start(operation, account, step, isCampaign ? campaign : message, intent, more);
};

const colleagues = ['colleague', 'automation'];

/** Somebody at the service does something that no step asked for. */
const happen: Act = (world, { random, draws }) => {
  const { service } = random.pick(world.accounts);
  const person = random.pick(world.people);
  const channel = random.pick(channels);
  const open = service.conversations.filter((each) => each.status === 'open');
  const oddity = draws('oddities');
  if (oddity.chance(0.2) && service.conversations.length > 0)
    service.makeOdd(oddity.pick(service.conversations), oddity.pick(['deleted', 'timeless'] as const));
  const notes = draws('notes');
  if (notes.chance(0.3) && service.conversations.length > 0)
    service.note(notes.pick(service.conversations.slice(-6)), notes.pick(noteDirections));
  const kind = random.int(0, 6);
  if (kind === 0 && open.length > 0) return service.closeConversation(random.pick(open));
  if (kind === 1)
    return void service.send(service.contactOf(person), channel, { text: 'Hello', source: random.pick(colleagues) });
  for (let lines = random.int(1, 3); lines > 0; lines -= 1)
    after(random.int(0, 3_000), () => service.receive(person, channel, say(random), { attachments: attach(random) }));
};

const finished: readonly Run['state'][] = ['done', 'halted', 'errored'];

const replay: Act = (world, { random }) => {
  const runs = world.zapier.runs.filter(({ state, intent }) => finished.includes(state) && !intent.isReadOnly);
  if (runs.length > 0) world.zapier.replay(random.pick(runs));
};

const failForAWhile: Act = (world, { random }) => {
  const others = ['401', '403', 'slow', 'stale', 'busy', 'late'];
  const kind = random.pick(faultKinds.filter((each) => !others.includes(each)));
  world.startOutage(kind, random.pick([random.int(500, 4_000), random.int(10, 400) * second]));
};

const rotateToken: Act = (world, { random }) => {
  const account = random.pick(world.accounts);
  account.service.rotateToken(`tok_secret_${random.digits(12)}`);
  after(random.int(1, 30) * hour, () => Object.assign(account.authData, { api_token: account.service.token }));
};

/** Somebody who knows a Zap's address repeats a delivery under another ID. */
const forge: Act = (world, { random }) => {
  const zaps = world.zapier.zaps.filter(({ isOn }) => isOn);
  if (zaps.length === 0) return;
  const zap = random.pick(zaps);
  const id = `evt_forged_${random.digits(4)}`;
  const signature = `v1,${random.digits(43)}=`;
  const headers = { 'webhook-id': id, 'webhook-timestamp': '1770000000', 'webhook-signature': signature };
  for (const { type, data } of zap.account.service.events.slice(-5)) {
    world.zapier.receive(zap.url, headers, JSON.stringify({ id, type, created_at: '2026-01-01T00:00:00Z', data }));
  }
};

/** The service sends a message with thousands of values of the wrong type. */
const bloat: Act = (world, { random }) => {
  const attachments = Array.from({ length: 2_500 }, () => random.pick([7, null, 'x', [], true]));
  random.pick(world.accounts).service.receive(random.pick(world.people), 'sms', 'yes', { attachments });
};

/** Tells a story of the plan `faults`. A person answers a wait long after its last repeat. */
const tellStory: Act = (world, operation) => {
  const { id, story, random } = operation;
  if (!story) return;
  const account = random.pick(world.accounts);
  const { service } = account;
  const { step, isTest, fillIn } = story.form;
  const person = addPerson(service, story, id);
  if (step === 'message_received') {
    void world.zapier.turnOn(operation, account, step, {});
    return;
  }
  const { input, intent } = fillIn(person);
  // A value that is left from another contract says nothing.
  const isKept = !service.settings.keyless.includes(step);
  const key = isKept ? `order ${id}` : 'null';
  const filled = { ...input, ...(story.hasKey && { deduplication_key: key }) };
  const raw = { ...input, ...(story.hasKey && { deduplication_key: '{{1__order}}' }) };
  const meta = { timezone: 'UTC', ...(isTest && { isLoadingSample: true }) };
  const meant = { ...intent, ...(story.hasKey && isKept && { key }) };
  world.zapier.start(operation, account, step, filled, meant, { raw, meta });
  if (step.endsWith('_and_wait')) after(12 * hour, () => service.receive({ phone: person.phone }, 'whatsapp', 'Yes'));
};

const acts = {
  ...{ send, sendAndWait, startCampaign, writeContact, search, useZap, test },
  ...{ happen, replay, failForAWhile, rotateToken, forge, bloat, tellStory },
};
export type ActName = keyof typeof acts;

const weights: readonly (readonly [name: ActName, weight: number])[] = [
  ['send', 110],
  ['sendAndWait', 80],
  ['startCampaign', 30],
  ['writeContact', 45],
  ['search', 70],
  ['useZap', 30],
  ['test', 20],
  ['happen', 70],
  ['replay', 20],
  ['failForAWhile', 10],
  ['rotateToken', 2],
  ['forge', 10],
  ['bloat', 1],
];

/** The kinds of operations, as often as their weight. */
export const actNames = weights.flatMap(([name, weight]) => Array.from({ length: weight }, () => name));

/** Does an operation. */
export const act = (name: ActName, world: World, operation: Operation): void => acts[name](world, operation);

/** Invents the people of a world, and tells the service about some of them. */
export const settle = (world: Pick<World, 'people' | 'accounts'>, random: Random, sizes: Random): void => {
  for (let count = 6; count > 0; count -= 1) world.people.push(inventPerson(random, world.people));
  const isLarge = sizes.chance(0.25);
  for (const { service, authData } of world.accounts) {
    // The oldest come first.
    if (isLarge) service.fill(world.people);
    if (random.chance(0.3)) {
      const allowed = countries.filter(() => random.chance(0.75)).map(({ code }) => code);
      authData.allowed_countries = allowed.join(', ');
    }
    if (random.chance(0.4)) authData.test_recipient = random.pick(world.people).phone;
    for (const person of world.people) {
      const { email, firstName: first_name, lastName: last_name } = person;
      const consent = random.pick(['opted_in', 'unknown', 'opted_in', 'unknown', 'opted_out']);
      if (random.chance(0.7)) {
        const tags = random.pick([[], ['vip'], ['old', 'vip']]);
        Object.assign(service.contactOf(person), { email, first_name, last_name, consent, tags });
      }
    }
    service.addContact({ email: 'nobody@example.com', first_name: 'Noor' });
  }
};

/** How long a world goes on after its last operation until every Zap is off. */
export const restMs = 3 * day;

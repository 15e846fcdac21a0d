/** What people, Zaps and the service do in a world, each by its own chance. */
import { inventPerson, type Person, say, spell } from './people';
import type { Entity } from './service';
import { after, day, hour, minute, second } from './time';
import { faultKinds } from './wire';
import type { World } from './world';
import type { Account, Intent, Operation, Run } from './zapier';

type Input = Record<string, unknown>;
type Act = (world: World, operation: Operation) => void;

const channels = ['whatsapp', 'sms'] as const;

/** What people map to a time, and how it must arrive: null isn't a time, undefined may arrive in any form. */
const times: readonly [text: string, means: string | null | undefined][] = [
  ['14:30', '14:30'],
  ['2:30 pm', '14:30'],
  ['2026-06-12T18:30:00Z', '14:30'],
  ['2025550123', null],
  ['', undefined],
];

interface Send {
  account: Account;
  person: Person;
  input: Input;
  raw: Input;
  intent: Intent;
}

/** Invents a filled-in form of a step that sends a template message. */
const fillIn = (world: World, { random }: Operation): Send => {
  const account = random.pick(world.accounts);
  const person = random.pick(world.people);
  const { text, home, duty } = spell(random, person);
  const channel = random.pick(channels);
  const template = random.pick(['parcel_update', 'parcel_update', 'parcel_update', 'hello', 'draft']);
  const [eta, means] = random.pick(times);
  const key = random.chance(0.5) ? `order-${random.int(1, 4)}` : undefined;
  const isUnfilled = !key && random.chance(0.06);
  const fields = template === 'parcel_update' ? { variable_parcel_id: `P-${random.int(1, 3)}`, variable_eta: eta } : {};
  const input = { channel, template, to: text, default_country: home, deduplication_key: key, ...fields };
  const intent: Intent = {
    to: person.phone,
    duty: isUnfilled ? 'refuse' : duty,
    channel,
    template,
    ...(key && { key }),
    eta: template === 'parcel_update' ? means : undefined,
  };
  return { account, person, input, raw: isUnfilled ? { ...input, deduplication_key: '{{1__order}}' } : input, intent };
};

const send: Act = (world, operation) => {
  const { account, input, raw, intent } = fillIn(world, operation);
  world.zapier.start(operation, account, 'send_message', input, intent, { raw });
};

/** A person's lines around a question: before it, while the step runs, right after it, and later. */
const sendAndWait: Act = (world, operation) => {
  const { random } = operation;
  const { account, person, input, raw, intent } = fillIn(world, operation);
  const channel = String(intent.channel);
  const { service } = account;
  const write = (delay: number, by = person) =>
    after(delay, () => {
      const ofPerson = service.messages.filter((each) => each.from === by.phone || each.to === by.phone);
      const reply_to = ofPerson.length > 0 && random.chance(0.25) ? random.pick(ofPerson.slice(-4)).id : null;
      service.receive(by.phone, random.chance(0.9) ? channel : random.pick(channels), say(random).text, { reply_to });
    });
  const other = { text: 'Is Friday all right?', source: random.pick(['colleague', 'automation', 'campaign']) };
  for (let lines = random.int(0, 3); lines > 0; lines -= 1) write(random.int(0, 1_500));
  const answers = Array.from({ length: random.int(0, 3) }, () =>
    random.pick([random.int(1, 600), random.int(1, 20) * second, random.int(1, 600) * minute]),
  );
  let isAsked = false;
  world.onAccepted(account.service, (message) => {
    if (isAsked || message.to !== person.phone || message.channel !== channel) return;
    isAsked = true;
    write(random.int(100, 60_000), random.pick(world.people.filter((each) => each !== person)));
    for (const delay of answers) write(delay);
    if (random.chance(0.3)) after(random.int(1, 600 * second), () => service.send(person.phone, channel, other));
  });
  const if_another_question = random.pick([undefined, 'stop', 'continue']);
  const ask = (text: string) => {
    const form = { if_another_question, ...(text && { variable_parcel_id: text }) };
    const more = { raw: { ...raw, ...form } };
    world.zapier.start(operation, account, 'send_message_and_wait', { ...input, ...form }, intent, more);
  };
  after(random.int(0, 1_000), () => ask(''));
  // Another Zap asks the same person something else.
  if (random.chance(0.25)) after(random.int(0, 120) * second, () => ask('P-9'));
};

const startCampaign: Act = (world, operation) => {
  const { random } = operation;
  const account = random.pick(world.accounts);
  const campaign = random.pick(account.service.campaigns);
  const key = random.chance(0.5) ? `day-${random.int(1, 3)}` : undefined;
  const to = random.chance(0.5) ? random.pick(world.people).phone : undefined;
  const max = random.pick([undefined, 2, 5, 500]);
  const audience = to
    ? { audience: 'one', to, variables: { parcel_id: 'P-1' } }
    : { audience: 'saved', max_recipients: max };
  const input = { campaign: campaign.id, deduplication_key: key, ...audience };
  const intent = { ...(key && { key }), ...(to ? { to } : { maxRecipients: max ?? 0 }) };
  world.zapier.start(operation, account, 'trigger_campaign', input, intent);
};

const writeContact: Act = (world, operation) => {
  const { random } = operation;
  const account = random.pick(world.accounts);
  const { phone, email, firstName } = random.pick(world.people);
  const other = random.pick(world.people).phone;
  const step = random.pick([
    'create_contact',
    'upsert_contact',
    'upsert_contact',
    'update_contact',
    'delete_contact',
    'api_request',
  ]);
  const contact = random.pick(['con_none', ...account.service.contacts.map(({ id }) => id)]);
  const form = {
    phone: random.pick([phone, other, undefined]),
    email,
    first_name: firstName,
    consent: random.pick([undefined, 'opted_in']),
    tags: ['vip'],
  };
  const hasPhone = account.service.contacts.some((each) => form.phone && each.phone === form.phone);
  const found = hasPhone ? undefined : account.service.contacts.find((each) => each.email === email);
  const on_difference = random.pick([undefined, 'keep', 'stop']);
  const keeps =
    found && step === 'upsert_contact' ? { contact: found.id, phone: found.phone, consent: found.consent } : undefined;
  const inputs: Record<string, Input> = {
    upsert_contact: { ...form, on_difference },
    create_contact: form,
    update_contact: { contact, first_name: firstName, add_tags: ['seen'] },
    delete_contact: { contact },
    api_request: {
      method: 'POST',
      path: 'contacts',
      body: JSON.stringify({ email: `${random.digits(6)}@example.com` }),
    },
  };
  world.zapier.start(operation, account, step, inputs[step] ?? {}, { keeps });
};

const search: Act = (world, operation) => {
  const { random } = operation;
  const account = random.pick(world.accounts);
  const { service } = account;
  const person = random.pick(world.people);
  const recent = service.messages.slice(-10).map(({ id }) => id);
  const message = random.pick(['msg_none', ...recent]);
  const { phone, email, firstName } = person;
  const badPhone = random.pick(['n/a', '12', `${phone} or so`]);
  const isPerson: Intent['mayFind'] = (each) => each.phone === phone || each.email === email;
  const [step, input, mayFind] = random.pick<[string, Input, Intent['mayFind']?]>([
    [
      'find_contact',
      { phone: random.pick([phone, badPhone]), email: random.pick([email, undefined, 'n/a']), name: firstName },
      isPerson,
    ],
    ['find_contact', { name: firstName }],
    ['find_conversation', { phone }],
    ['find_reply', { message }],
    ['find_message', { message }],
    ['find_messages', { direction: 'inbound', message_limit: '150' }],
    ['find_conversations', { status: 'open' }],
    ['find_campaign', { name: 'campaign' }],
    ['find_template', { name: 'parcel_update', channel: 'sms' }],
  ]);
  world.zapier.start(operation, account, step, input, { isReadOnly: true, ...(mayFind && { mayFind }) });
};

const triggers = [
  ...['message_received', 'message_received', 'message_sent', 'message_status_updated', 'message_failed'],
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
  for (const account of accounts) {
    void world.zapier.turnOn(operation, account, trigger, { ...channel, ...contains, ...sources });
  }
  if (random.chance(0.5)) return;
  after(random.int(1, 60) * hour, () => {
    for (const zap of world.zapier.zaps) if (zap.operation === operation) void world.zapier.turnOff(zap);
  });
};

/** A test in the editor: it may message the tester only. */
const test: Act = (world, operation) => {
  const { random } = operation;
  const { account, input, person } = fillIn(world, operation);
  const meta = { isLoadingSample: true, timezone: 'Europe/Berlin' };
  const tester = random.pick(world.people.filter((each) => each !== person));
  const message = { ...input, to: person.phone, test_recipient: tester.phone };
  const campaign = { campaign: random.pick(account.service.campaigns).id, audience: 'saved', max_recipients: '500' };
  const step = random.pick(['send_message', 'send_message_and_wait', 'trigger_campaign', 'trigger']);
  if (step === 'trigger') {
    const method = `triggers.${random.pick(triggers)}.operation.performList`;
    return void world.zapier.runMethod(operation, account, method, { inputData: {}, meta });
  }
  const intent = step === 'trigger_campaign' ? { isReadOnly: true } : { to: tester.phone };
  world.zapier.start(operation, account, step, step === 'trigger_campaign' ? campaign : message, intent, { meta });
};

/** Somebody at the service does something that no step asked for. */
const happen: Act = (world, { random }) => {
  const { service } = random.pick(world.accounts);
  const { phone } = random.pick(world.people);
  const channel = random.pick(channels);
  const open = service.conversations.filter((each) => each.status === 'open');
  const kind = random.int(0, 6);
  if (kind === 0 && open.length > 0) return service.closeConversation(random.pick(open));
  if (kind === 1)
    return void service.send(phone, channel, { text: 'Hello', source: random.pick(['colleague', 'automation']) });
  for (let lines = random.int(1, 3); lines > 0; lines -= 1)
    after(random.int(0, 3_000), () => service.receive(phone, channel, say(random).text));
};

const finished: readonly Run['state'][] = ['done', 'halted', 'errored'];

const replay: Act = (world, { random }) => {
  const runs = world.zapier.runs.filter(({ state, intent }) => finished.includes(state) && !intent.isReadOnly);
  if (runs.length > 0) world.zapier.replay(random.pick(runs));
};

const failForAWhile: Act = (world, { random }) => {
  const kind = random.pick(
    faultKinds.filter((each) => !['401', '403', 'slow', 'stale', 'busy', 'late'].includes(each)),
  );
  world.startOutage(kind, random.pick([random.int(500, 4_000), random.int(10, 400) * second]));
};

const rotateToken: Act = (world, { random }) => {
  const account = random.pick(world.accounts);
  account.service.token = `tok_secret_${random.digits(12)}`;
  after(random.int(1, 30) * hour, () => Object.assign(account.authData, { api_token: account.service.token }));
};

/** Somebody who knows a Zap's address repeats a delivery under another ID. */
const forge: Act = (world, { random }) => {
  const zaps = world.zapier.zaps.filter(({ isOn }) => isOn);
  if (zaps.length === 0) return;
  const zap = random.pick(zaps);
  const id = `evt_forged_${random.digits(4)}`;
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': '1770000000',
    'webhook-signature': `v1,${random.digits(43)}=`,
  };
  for (const { type, data } of zap.account.service.events.slice(-5)) {
    world.zapier.receive(zap.url, headers, JSON.stringify({ id, type, created_at: '2026-01-01T00:00:00Z', data }));
  }
};

/** The service sends a message with thousands of values of the wrong type. */
const bloat: Act = (world, { random }) => {
  const attachments = Array.from({ length: 2_500 }, () => random.pick([7, null, 'x', [], true]));
  random.pick(world.accounts).service.receive(random.pick(world.people).phone, 'sms', 'yes', { attachments });
};

const acts = {
  ...{ send, sendAndWait, startCampaign, writeContact, search, useZap, test },
  ...{ happen, replay, failForAWhile, rotateToken, forge, bloat },
};
export type ActName = keyof typeof acts;

const weights: [name: ActName, weight: number][] = [
  ...([
    ['send', 110],
    ['sendAndWait', 80],
    ['startCampaign', 30],
    ['writeContact', 45],
    ['search', 70],
  ] as const),
  ...([
    ['useZap', 30],
    ['test', 20],
    ['happen', 70],
    ['replay', 20],
    ['failForAWhile', 10],
  ] as const),
  ...([
    ['rotateToken', 2],
    ['forge', 10],
    ['bloat', 1],
  ] as const),
].map(([name, weight]) => [name, weight]);

/** The kinds of operations, as often as their weight. */
export const actNames = weights.flatMap(([name, weight]) => Array.from({ length: weight }, () => name));

/** Does an operation. */
export const act = (name: ActName, world: World, operation: Operation): void => acts[name](world, operation);

/** Invents the people of a world, and tells the service about some of them. */
export const settle = (world: Pick<World, 'people' | 'accounts'>, random: Operation['random']): void => {
  for (let count = 6; count > 0; count -= 1) world.people.push(inventPerson(random));
  for (const { service } of world.accounts) {
    for (const { phone, email, firstName, lastName } of world.people) {
      const consent = random.pick(['opted_in', 'unknown', 'opted_in', 'unknown', 'opted_out']);
      const contact: Partial<Entity> = { phone, email, first_name: firstName, last_name: lastName, consent };
      if (random.chance(0.7)) service.addContact(contact);
    }
    service.addContact({ email: 'nobody@example.com', first_name: 'Noor' });
  }
};

/** How long a world goes on after its last operation until every Zap is off. */
export const restMs = 3 * day;

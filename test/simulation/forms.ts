/** The forms of the steps that send: filled in by people, by Zaps and by agents, rightly or not. */
import { type Person, type Spelling, spell } from './people';
import { type Draws, drawsFrom } from './random';
import { approvedOf, type Variable, variablesOf } from './templates';
import { isLinkEnd, oddTexts, type Value, values, zones } from './values';
import type { World } from './world';
import type { Account, Intent, Operation, Run } from './zapier';

export type Input = Record<string, unknown>;

export const channels = ['whatsapp', 'sms'] as const;

/** What a form fills in for a template's variables. */
interface Filled {
  fields: Input;
  /** The values as they must arrive; undefined when the form must send nothing. */
  means?: Input;
}

/** Returns a value for a variable, or undefined to leave it empty. */
const valueFor = (draws: Draws, { format, required }: Variable): Value | undefined => {
  if (draws('empty').chance(required ? 0.04 : 0.3)) return undefined;
  const random = draws(`values of ${format}`);
  if (format === 'text' && draws('odd text').chance(0.06)) return draws('odd text').pick(oddTexts);
  return random.pick(values[format] ?? []);
};

/** Fills in the variables of a template, as fields of the form or in one field by name or label. */
const fillInVariables = (draws: Draws, variables: readonly Variable[], zone: string, channel: string): Filled => {
  const fields: Input = {};
  const listed: Input = {};
  const means: Input = {};
  const isListed = draws('one field').chance(0.3);
  const hasStranger = isListed && draws('stranger').chance(0.06);
  let isClear = !hasStranger;
  for (const variable of variables) {
    const { name, labels, format, required, endsLink } = variable;
    const drawn = valueFor(draws, variable);
    // Without the form's fields, the service judges links.
    const value = drawn && isListed && format === 'url' ? (values.url?.[0] ?? drawn) : drawn;
    const meant = value?.means(zone, channel);
    const meaning = endsLink && !isLinkEnd(meant) ? undefined : meant;
    isClear &&= value ? meaning !== undefined : !required;
    if (!value) continue;
    means[name] = meaning;
    if (isListed) listed[draws('name or label').pick([name, ...labels.filter(Boolean)])] = value.text;
    else fields[`variable_${name}`] = value.text;
  }
  if (hasStranger) listed.stranger = 'P-1';
  return { fields: isListed ? { variables: listed } : fields, ...(isClear && { means }) };
};

export interface Send {
  account: Account;
  person: Person;
  input: Input;
  /** Undefined where nobody filled in a form. */
  raw: Input | undefined;
  intent: Intent;
  meta: Input;
  home: Run['home'];
}

/** Whether an account sends to a person's country. Numbers of several countries begin as those of some do. */
export const allows = ({ authData }: Account, { country: { code } }: Person): Spelling['duty'] => {
  const { allowed_countries } = authData;
  if (!allowed_countries) return 'take';
  if (!allowed_countries.split(', ').includes(code)) return 'refuse';
  return ['US', 'GB', 'IT'].includes(code) ? 'may' : 'take';
};

/** Returns the stricter of two duties. */
const stricter = (one: Spelling['duty'], other: Spelling['duty']): Spelling['duty'] =>
  ['refuse', 'may', 'take'].find((each) => each === one || each === other) === one ? one : other;

/** What a form has in common with another one. */
interface Common {
  account: Account;
  person: Person;
  channel: (typeof channels)[number];
  template: string;
  key: string;
}

/** Invents a filled-in form of a step that sends a template message. */
export const fillIn = (world: World, { random, draws }: Operation, common: Partial<Common> = {}): Send => {
  const account = common.account ?? random.pick(world.accounts);
  const person = common.person ?? random.pick(world.people);
  const { text, home, duty: spelled } = spell(random, person);
  const duty = stricter(spelled, allows(account, person));
  const channel = common.channel ?? random.pick(channels);
  const template =
    common.template ?? random.pick(['parcel_update', 'parcel_update', 'parcel_update', 'hello', 'draft']);
  const timezone = random.pick(zones);
  const key = common.key ?? (random.chance(0.5) ? `order-${random.int(1, 3)}` : undefined);
  // The same order has the same values.
  const chance = key ? drawsFrom(key) : draws;
  const variables = variablesOf(approvedOf(account.service, template, channel));
  const { fields, means } = fillInVariables(chance, variables, timezone, channel);
  const input = { channel, template, to: text, deduplication_key: key, ...fields };
  const intent: Intent = {
    to: person.phone,
    duty: means && template !== 'draft' ? duty : 'refuse',
    sends: { channel, template, to: person.phone, variables: means },
    ...(key && { key }),
  };
  // An agent fills in no form.
  const isAgent = draws('agent').chance(0.12);
  const raw = isAgent ? undefined : { ...input, ...(key && { deduplication_key: '{{1__order}}' }) };
  const form = { account, person, input, raw, intent, meta: { timezone }, home: { default_country: home } };
  const refused = { ...intent, duty: 'refuse' as const };
  if (random.chance(0.04)) {
    const token = account.authData.api_token;
    const withToken = { ...input, deduplication_key: `order ${token}.` };
    return { ...form, input: withToken, raw: withToken, intent: { ...refused, token } };
  }
  if (!key && random.chance(0.06)) {
    const mapped = { ...input, deduplication_key: 'order-{{1__order}}' };
    return { ...form, raw: mapped, input: { ...input, deduplication_key: 'order-' }, intent: refused };
  }
  // A person who hides the number has none to map.
  if (!person.username || random.chance(0.5)) return form;
  return { ...form, input: { ...input, to: '' }, raw: { ...input, to: '{{1__from}}' }, intent: refused };
};

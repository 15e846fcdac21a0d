/** Templates of the service: what is around their text, and which variables they have, listed or not. */

import { asFields, type Fields, listOf, textOf } from './fields';
import type { Draws, Random } from './random';

/** A variable of a template, by the contract. */
export interface Variable {
  name: string;
  labels: readonly string[];
  format: string;
  required: boolean;
  /** Whether it stands behind the beginning of a button's link. */
  endsLink: boolean;
}

/** The texts of each template that has variables, by its language, with the labels of its variables there. */
const texts: readonly { channel: string; language: string; body: string; labels: Record<string, string> }[] = [
  { channel: 'whatsapp', language: 'en', body: 'Parcel {{parcel_id}} comes at {{eta}}.', labels: {} },
  {
    ...{ channel: 'whatsapp', language: 'nl', body: 'Om {{eta}} komt pakket {{parcel_id}}.' },
    labels: { eta: 'Aankomst', parcel_id: 'Pakket' },
  },
  { channel: 'sms', language: 'en', body: '{{day}}: {{parcel_id}}, {{amount}}, {{link}}', labels: {} },
];

const described: Record<string, { label: string; format: string; required: boolean }> = {
  parcel_id: { label: 'Parcel', format: 'text', required: true },
  eta: { label: 'Arrival Time', format: 'time', required: false },
  day: { label: 'Day', format: 'date', required: false },
  amount: { label: 'Amount', format: 'number', required: false },
  link: { label: 'Link', format: 'url', required: false },
  picture: { label: 'Picture', format: 'image', required: true },
  paper: { label: 'Paper', format: 'document', required: true },
};

const place = /\{\{(\w+)\}\}/g;

const namesIn = (text: string): string[] => [...text.matchAll(place)].map(([, name = '']) => name);

/** What a service makes of a template, besides its text. */
interface Shape {
  /** Which of its variables it lists. */
  lists: 'all' | 'some' | 'none';
  /** What it has in place of a list without variables. */
  nothing: null | [] | undefined;
  header: Fields | null;
  buttons: Fields[];
  /** Whether its variables have numbers in place of names. */
  isNumbered: boolean;
}

const plain: Shape = { lists: 'all', nothing: [], header: null, buttons: [], isNumbered: false };

export const replies = ['Yes', 'No'] as const;

const quickReplies: Fields[] = replies.map((text) => ({ type: 'quick_reply', text, url: null }));
const link = (url: string): Fields[] => [{ type: 'url', text: 'Follow it', url }];

const nameOfFile: Record<string, string> = { image: 'picture', document: 'paper' };

const drawShape = (random: Random): Shape => {
  const lists = random.pick(['all', 'all', 'all', 'some', 'none'] as const);
  const text = { type: 'text', text: 'Parcel {{parcel_id}}' };
  // Nothing but a list tells of the file of a header.
  const files = lists === 'none' ? [] : Object.keys(nameOfFile).map((type) => ({ type, text: null }));
  return {
    lists,
    nothing: random.pick([null, [], undefined]),
    header: random.pick([null, null, text, ...files]),
    buttons: random.pick([
      [],
      quickReplies,
      quickReplies,
      link('https://track.example.com/{{parcel_id}}'),
      link('https://track.example.com/{{code}}'),
    ]),
    isNumbered: lists === 'none' && random.chance(0.5),
  };
};

/** Returns a version of a template in its shape. */
const shaped = ({ channel, language, body, labels }: (typeof texts)[number], shape: Shape): Fields => {
  const { lists, nothing, header, buttons, isNumbered } = shape;
  const urls = buttons.map(({ url }) => textOf(url));
  const file = nameOfFile[textOf(header?.type)];
  const names = [...new Set([file ?? [], ...namesIn([textOf(header?.text), body, ...urls].join(' '))].flat())];
  const listed = names.filter(
    (name) => described[name] && (lists === 'all' || (lists === 'some' && name !== 'parcel_id')),
  );
  const variables = listed.map((name) => ({ name, ...described[name], ...(labels[name] && { label: labels[name] }) }));
  // The same number is the same variable in every language.
  const order = ['parcel_id', 'eta', 'day', 'amount', 'link', 'code'];
  const numbered = (text: string): string =>
    isNumbered ? text.replace(place, (_, name: string) => `{{${order.indexOf(name) + 1}}}`) : text;
  return {
    ...{ name: 'parcel_update', channel, language, status: 'approved', category: 'utility', footer: null },
    body: numbered(body),
    header: header && { ...header, text: header.text && numbered(textOf(header.text)) },
    buttons: buttons.map((each) => ({ ...each, url: each.url && numbered(textOf(each.url)) })),
    variables: lists === 'none' ? nothing : variables,
  };
};

/**
 * Returns the templates of a service: one on two channels with other variables, in two languages, and in a third that isn't
 * approved and wants others again.
 */
export const templatesFor = (draws: Draws, isPlain: boolean): Fields[] => {
  const shapes: Record<string, Shape> = {
    whatsapp: isPlain ? plain : drawShape(draws('templates on whatsapp')),
    sms: isPlain ? plain : { ...drawShape(draws('templates on sms')), header: null, buttons: [] },
  };
  const asked = isPlain || draws('questions').chance(0.5) ? [] : quickReplies;
  const simple = (name: string, channel: string, language: string, status: string, body: string): Fields => ({
    ...{ name, channel, language, status, body, category: 'utility', header: null, footer: null },
    ...{ buttons: [], variables: [] },
  });
  const unready = [
    { name: 'eta', label: 'Ankunft', format: 'date', required: true },
    { name: 'code', label: 'Code', format: 'text', required: true },
  ];
  return [
    ...texts.map((each) => shaped(each, shapes[each.channel] ?? plain)),
    { ...simple('parcel_update', 'whatsapp', 'de', 'pending', 'Bald'), variables: unready },
    { ...simple('hello', 'whatsapp', 'en', 'approved', 'Hello!'), buttons: asked },
    simple('hello', 'sms', 'en', 'approved', 'Hello!'),
    simple('draft', 'whatsapp', 'en', 'pending', 'Draft'),
    simple('draft', 'sms', 'nl', 'rejected', 'Draft'),
  ];
};

/** Returns the versions of a template that can be sent. */
export const approvedOf = <T extends Fields>(
  { templates }: { templates: readonly T[] },
  name: unknown,
  channel: unknown,
): T[] => templates.filter((each) => each.name === name && each.channel === channel && each.status === 'approved');

/** Returns the variables of a version, those that it lists first. What only a text has is a required text. */
const variablesOfVersion = ({ header, body, buttons, variables }: Fields): Variable[] => {
  const listed = listOf(variables)
    .map(asFields)
    .map(({ name, label, format, required }) => ({
      name: textOf(name),
      labels: [textOf(label)],
      format: textOf(format),
      required: required === true,
    }));
  const urls = listOf(buttons).map((each) => textOf(asFields(each).url));
  const found = new Set(namesIn([textOf(asFields(header).text), textOf(body), ...urls].join(' ')));
  const others = [...found].filter((name) => !listed.some((each) => each.name === name));
  const all = [...listed, ...others.map((name) => ({ name, labels: [], format: 'text', required: true }))];
  return all.map((each) => ({ ...each, endsLink: namesIn(urls.join(' ')).includes(each.name) }));
};

/** Returns the variables of versions: each is required if one of them requires it, and a text unless they agree. */
export const variablesOf = (versions: readonly Fields[]): Variable[] =>
  [...Map.groupBy(versions.flatMap(variablesOfVersion), ({ name }) => name)].map(([name, uses]) => ({
    name,
    labels: uses.flatMap(({ labels }) => labels),
    format: new Set(uses.map(({ format }) => format)).size === 1 ? (uses[0]?.format ?? 'text') : 'text',
    required: uses.some(({ required }) => required),
    endsLink: uses.some(({ endsLink }) => endsLink),
  }));

/** Whether values are all that versions require, and none that `known` doesn't have. */
export const fits = (values: Fields, versions: readonly Fields[], known: readonly Fields[]): boolean => {
  const names = new Set(variablesOf(known).map(({ name }) => name));
  return (
    variablesOf(versions).every(({ name, required }) => !required || textOf(values[name]) !== '') &&
    Object.keys(values).every((name) => names.has(name))
  );
};

const fillIn = (text: unknown, values: Fields): string =>
  textOf(text).replace(place, (_, name: string) => textOf(values[name]));

/** Returns the text of a message: that of its header, if it has one, and of its body. */
export const textOfMessage = ({ header, body }: Fields, values: Fields): string =>
  [asFields(header).text, body].flatMap((text) => fillIn(text, values) || []).join('\n');

/** Returns the file of a message's header. */
export const attachmentsOf = ({ header }: Fields, values: Fields): Fields[] => {
  const type = textOf(asFields(header).type);
  const url = values[nameOfFile[type] ?? ''];
  return url ? [{ type, url, name: textOf(url).split('/').at(-1) }] : [];
};

/** Returns the texts of the quick replies below a message. */
export const quickRepliesOf = (service: { templates: readonly Fields[] }, { template, channel }: Fields): string[] =>
  approvedOf(service, template, channel)
    .slice(0, 1)
    .flatMap(({ buttons }) => listOf(buttons).map(asFields))
    .filter(({ type }) => type === 'quick_reply')
    .map(({ text }) => textOf(text));

/** What a result must say: what the service truly holds, all of it, in order, and nothing else. */
import { answeredBy, answers, answerTo } from './answers';
import { asFields, type Fields, listOf, textOf } from './fields';
import { opposite, phoneOf } from './people';
import { type Entity, isMessage, view } from './records';
import type { Service } from './service';
import { replies, variablesOf } from './templates';
import { minute } from './time';
import type { Attempt, Run } from './zapier';

/** What the service holds for a search: these records in this order; or no record is certain, and the step stops. */
export type Truth = { records: readonly Fields[]; isComplete?: boolean } | 'stop';

const isBlank = (text: unknown): boolean => typeof text !== 'string' || text.trim() === '';
const oneLine = (text: unknown): string => textOf(text).replace(/\s+/g, ' ').trim();

/** Whether a result says what a record of the service has. In place of an empty text stand words in brackets. */
export const tells = (given: unknown, truth: unknown, name = ''): boolean => {
  if (/(text|question)$/.test(name) && isBlank(truth))
    return truth === given || given === null || /^\(.+\)$/.test(textOf(given));
  if (name === 'attachments' && listOf(truth).some((each) => typeof each !== 'object' || Array.isArray(each)))
    return true;
  if (Array.isArray(truth))
    return (
      Array.isArray(given) && given.length === truth.length && truth.every((each, index) => tells(given[index], each))
    );
  // A time that nobody can read is none.
  if (/_at$/.test(name) && typeof truth === 'string' && Number.isNaN(Date.parse(truth)))
    return truth === given || given === null;
  // A service may repeat the token, which another promise is about.
  if (textOf(truth).includes('tok_secret')) return typeof given === 'string';
  if (typeof truth !== 'object' || truth === null) return (given ?? null) === (truth ?? null);
  if (typeof given !== 'object' || given === null) return false;
  return Object.entries(truth).every(([key, value]) => tells(Reflect.get(given, key), value, key));
};

/** Returns a record as results show it. An internal note is no message, so it's no newest one of a conversation either. */
export const shown = (record: Fields): Fields => {
  const { last_message } = record;
  const isNote = Boolean(asFields(last_message).direction) && !isMessage(asFields(last_message));
  return { ...view(record), ...(isNote && { last_message: null }) };
};

/** Returns the messages of a service, without the notes among them. */
const messagesOf = ({ messages }: Service): Entity[] => messages.filter(isMessage);

const newestFirst = (records: readonly Entity[]): Entity[] => records.toSorted((one, other) => other.seq - one.seq);

const passes = (record: Fields, filters: Fields): boolean =>
  Object.entries(filters).every(([name, value]) => value === undefined || record[name] === value);

const wordsOf = (name: unknown): string[] =>
  textOf(name)
    .normalize('NFD')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** Returns how well a name matches: 0 is the same, 1 starts with it, 2 has each of its words; undefined is no match. */
const rankOf = (name: unknown, wanted: unknown): number | undefined => {
  const unused = wordsOf(name);
  const words = wordsOf(wanted);
  const isMatch = words
    .toSorted((one, other) => other.length - one.length)
    .every((word) => {
      const index = unused.findIndex((each) => each.startsWith(word));
      return index !== -1 && unused.splice(index, 1).length > 0;
    });
  if (!isMatch || words.length === 0) return undefined;
  const [whole, part] = [wordsOf(name).join(' '), words.join(' ')];
  if (whole === part) return 0;
  return whole.startsWith(part) ? 1 : 2;
};

/** Returns the records with a name, the best match first, or a stop when two are the best. */
const named = (records: readonly Fields[], nameOf: (record: Fields) => unknown, wanted: unknown): Truth => {
  const matches = records
    .flatMap((record) => {
      const rank = rankOf(nameOf(record), wanted);
      return rank === undefined ? [] : [{ record, rank }];
    })
    .toSorted((one, other) => one.rank - other.rank);
  const [best, next] = matches;
  return best && best.rank === next?.rank ? 'stop' : { records: matches.map(({ record }) => record) };
};

const fullName = (record: Fields): string => [record.first_name, record.last_name].filter(Boolean).join(' ');

const one = (found: readonly Fields[]): Truth => (found.length > 1 ? 'stop' : { records: found });

/** Returns the contacts with a phone, whichever of its numbers they have. */
const withPhone = ({ contacts }: Service, phone: unknown): Entity[] =>
  contacts.filter((each) => each.phone && phoneOf(each.phone) === phoneOf(phone));

const findContact = (service: Service, { phone, email, name }: Fields): Truth => {
  const { contacts } = service;
  const isNumber = /^\+\d{8,15}$/.test(textOf(phone));
  const isEmail = textOf(email).includes('@');
  if (phone && !isNumber && !isEmail) return 'stop';
  const byPhone = isNumber ? withPhone(service, phone) : [];
  if (byPhone.length > 0) return one(byPhone);
  if (isEmail) return one(contacts.filter((each) => each.email === email));
  if (email) return 'stop';
  return phone ? { records: [] } : named(newestFirst(contacts), fullName, name);
};

const findTemplate = ({ templates }: Service, { name, channel }: Fields): Truth => {
  const onChannel = templates.filter((each) => passes(each, { channel }));
  const exact = onChannel.filter((each) => each.name === name);
  const called = exact.length > 0 ? exact : onChannel.filter((each) => rankOf(each.name, name) === 0);
  if (Map.groupBy(called, (each) => `${each.name} ${each.channel}`).size > 1) return 'stop';
  // A similar one doesn't take the place of one that isn't approved.
  if (called.length > 0 && !called.some((each) => each.status === 'approved')) return { records: [] };
  const known = exact.length > 0 ? exact : onChannel;
  const approved = known.filter((each) => passes(each, { status: 'approved' }));
  const groups = Map.groupBy(approved, (each) => `${each.name} ${each.channel}`);
  const found = [...groups.values()].map((versions): Fields => {
    const around = ({ language, header, footer, buttons }: Fields) => ({ language, header, footer, buttons });
    const languages = new Set(versions.map(({ language }) => language));
    const variables = new Set(variablesOf(versions).map((each) => each.name));
    const { name: called, channel: sentBy } = asFields(versions[0]);
    return { name: called, channel: sentBy, languages, variables, versions: versions.map(around) };
  });
  return named(found, (each) => each.name, name);
};

const unitMs: Record<string, number> = { minute: 1, hour: 60 };
const day = 24 * 60 * minute;

/** Returns what the clocks of a zone show, as if it were UTC. */
const clockAt = (ms: number, timeZone: string): number =>
  Date.parse(`${new Date(ms).toLocaleString('sv-SE', { timeZone }).replace(' ', 'T')}Z`) + (ms % 1_000);

/** Returns when the clocks of a zone show a time; NaN for one that they skip. */
const momentAt = (clock: number, timeZone: string): number => {
  const near = 2 * clock - clockAt(clock, timeZone);
  const at = near + clock - clockAt(near, timeZone);
  return clockAt(at, timeZone) === clock ? at : Number.NaN;
};

/** Returns what a time in words means at a moment in a zone, in milliseconds; NaN when the clocks skip it. */
const momentOf = (text: unknown, nowMs: number, timeZone: string): number | undefined => {
  if (!text) return undefined;
  const clock = clockAt(nowMs, timeZone);
  if (text === 'yesterday') return momentAt(clock - (clock % day) - day, timeZone);
  const [, count, unit = ''] = /^(\d+) (minute|hour|day)s? ago$/.exec(textOf(text)) ?? [];
  if (unit === 'day') return momentAt(clock - Number(count) * day, timeZone);
  return nowMs - Number(count) * (unitMs[unit] ?? 0) * minute;
};

/** Returns what the service holds for a search at a moment, and since the one that the form names, in milliseconds. */
type Look = (service: Service, input: Fields, times: { nowMs: number; since: number | undefined }) => Truth;

/** Returns the newest records after a moment, up to a limit. */
const newest = (records: readonly Entity[], since: number | undefined, limit: unknown) => {
  const isLater = (each: Entity) => since === undefined || Date.parse(textOf(each.created_at)) > since;
  const found = newestFirst(records).filter(isLater);
  const max = Number(limit ?? 50);
  const isWhole = found.length <= max;
  return { records: found.slice(0, max), isWhole, isComplete: isWhole && found.length === records.length };
};

const findMessages: Look = (service, input, { since }) => {
  const { direction, status, channel, campaign: campaign_id, message_limit } = input;
  const isNotRead = ({ status: current }: Fields) =>
    current === 'queued' || current === 'sent' || current === 'delivered';
  const matches = messagesOf(service)
    .filter((each) => (status === 'not_read' ? isNotRead(each) : passes(each, { status })))
    .filter((each) => passes(each, { direction, channel, campaign_id }));
  const { records, isWhole } = newest(matches, since, message_limit);
  return { records, isComplete: isWhole };
};

const isTagged = ({ tags }: Fields, tag: unknown): boolean => tag === undefined || listOf(tags).includes(tag);

const findContacts: Look = ({ contacts }, { tag, consent, contact_limit }, { since }) => {
  const matches = contacts.filter((each) => isTagged(each, tag) && passes(each, { consent }));
  const { records, isWhole } = newest(matches, since, contact_limit);
  return { records, isComplete: isWhole };
};

/** Everyone who opted out in the last week, and those of whom nobody knows when, who come first. */
const optedOut: Look = ({ contacts }, _input, { nowMs }) => {
  const timeOf = (each: Entity) => Date.parse(textOf(each.consent_changed_at)) || Number.MAX_VALUE;
  const found = newestFirst(contacts.filter((each) => passes(each, { consent: 'opted_out' })));
  const recent = found.filter((each) => timeOf(each) > nowMs - 7 * day);
  return { records: recent.toSorted((one, other) => timeOf(other) - timeOf(one)) };
};

/** Who wrote last; undefined when a message is gone or is neither side's. */
const writerOf = ({ last_message, message_count }: Fields): 'contact' | 'us' | 'nobody' | undefined => {
  const { direction } = asFields(last_message);
  if (direction === 'inbound') return 'contact';
  if (direction === 'outbound') return 'us';
  return last_message === null && message_count === 0 ? 'nobody' : undefined;
};

const lastWrittenAt = (conversation: Fields): number => {
  const { last_message, last_message_at, created_at } = conversation;
  const times =
    writerOf(conversation) === 'nobody' ? [created_at] : [asFields(last_message).created_at, last_message_at];
  return times.map((time) => Date.parse(textOf(time))).find((time) => !Number.isNaN(time)) ?? Number.NaN;
};

/** Whether a contact waits; null when that can't be judged, nor for how long. */
const isWaiting = (conversation: Fields): boolean | null => {
  const writer = writerOf(conversation);
  if (writer === undefined) return null;
  return writer === 'contact' && (Number.isNaN(lastWrittenAt(conversation)) ? null : true);
};

/** Those whose contacts wait, those who may, then the others, and who has waited longest first. */
const compareWaits = (one: Fields, other: Fields): number => {
  const rankOf = (each: Fields) => [true, null, false].indexOf(isWaiting(each));
  const timeOf = (each: Fields) => (Number.isNaN(lastWrittenAt(each)) ? Number.MAX_VALUE : lastWrittenAt(each));
  return rankOf(one) - rankOf(other) || timeOf(one) - timeOf(other);
};

/** Whether a conversation is one that a form asks for, as far as that can be judged. */
const isAskedFor = (each: Fields, awaiting: unknown, quietSince: number): boolean => {
  const writer = writerOf(each);
  const isWriter = !awaiting || !writer || writer === (awaiting === 'true' ? 'contact' : 'us');
  // The time of a note isn't one at which somebody wrote.
  const isNote = each.last_message !== null && !writer;
  return isWriter && (isNote || !(lastWrittenAt(each) > quietSince));
};

const findConversations: Look = (service, input, { nowMs, since }) => {
  const { status, channel, awaiting_reply, conversation_limit } = input;
  const quietSince = since ?? Number.POSITIVE_INFINITY;
  const found = service.conversations.filter(
    (each) => passes(each, { status, channel }) && isAskedFor(each, awaiting_reply, quietSince),
  );
  const max = Number(conversation_limit ?? 50);
  const records = newestFirst(found)
    .toSorted(compareWaits)
    .slice(0, max)
    .map((each) => {
      const minutes_waiting = isWaiting(each) ? Math.floor((nowMs - lastWrittenAt(each)) / minute) : null;
      return { ...shown(each), awaiting_reply: isWaiting(each), minutes_waiting };
    });
  return { records, isComplete: found.length <= max };
};

/** Returns the conversation that a history is about; undefined when there is none, or a stop when several may be. */
const conversationOf = (service: Service, input: Fields): Entity | undefined | 'stop' => {
  const { conversation, contact, phone, channel, status } = input;
  const [known, other] = phone ? withPhone(service, phone) : [];
  if (other) return 'stop';
  const person = contact ?? known?.id;
  const isMeant = (each: Entity) => (conversation ? each.id === conversation : asFields(each.contact).id === person);
  const [first, second] = newestFirst(
    service.conversations.filter((each) => isMeant(each) && passes(each, { channel, status })),
  );
  return first && first.created_at === second?.created_at ? 'stop' : first;
};

const findConversationHistory: Look = (service, input, { since }) => {
  const conversation = conversationOf(service, input);
  if (conversation === 'stop' || !conversation) return conversation ?? { records: [] };
  const all = newestFirst(messagesOf(service).filter((each) => each.conversation_id === conversation.id));
  const history = newest(all, since, input.message_limit);
  const facts = { awaiting_reply: all[0]?.direction === 'inbound', complete: history.isComplete };
  return { records: [{ ...shown(conversation), ...facts, messages: history.records.map(view) }] };
};

const minutesBetween = (from: Entity, to: Entity): number =>
  Math.round((Date.parse(textOf(to.created_at)) - Date.parse(textOf(from.created_at))) / minute);

/** Returns what a result must say of a reply. */
const replyTo = (asked: Entity, reply: Entity, messages: readonly Entity[]): Fields => {
  const isOwn = answers(reply, asked, messages);
  const answered = answeredBy(reply, messages);
  // A line of their own that a person quotes is no question.
  const isKnown = answered?.direction === 'outbound' && answers(reply, answered, messages);
  const [pressed] = replies.filter((text) => text === asFields(reply.button).text);
  return {
    reply_text: reply.text,
    // A line may say yes in many ways, and a button in one.
    ...(pressed && { answer: isOwn ? pressed.toLowerCase() : 'other' }),
    ...(opposite.includes(textOf(reply.text)) && { answer: 'other' }),
    minutes_to_reply: minutesBetween(asked, reply),
    answers_another: !isOwn,
    reply: view(reply),
    // Where the question itself had failed, the line answers one before it, which the app needn't read.
    ...(isKnown && answered.seq >= asked.seq && { question: answered.text }),
  };
};

/** What every reply is, and what only messages of the account have. The result of a wait leaves it out. */
const saysNothing =
  /^(direction|source|status|campaign_id|campaign_name|template|variables|error|(sent|delivered|read|failed)_at)$/;

/** Returns what the result of a wait must say. */
export const waitedFor = (asked: Entity, reply: Entity, messages: readonly Entity[]): Fields => {
  const said = Object.entries(view(reply)).filter(([key]) => !saysNothing.test(key));
  const { answers_another, question, ...facts } = replyTo(asked, reply, messages);
  return { ...facts, reply: Object.fromEntries(said), sent: { id: asked.id } };
};

const findReply = (service: Service, { message }: Fields): Truth => {
  const messages = messagesOf(service);
  const asked = messages.find(({ id }) => id === message);
  if (!asked) return 'stop';
  const reply = answerTo(asked, messages);
  if (!reply) return { records: [] };
  const { reply: record, ...facts } = replyTo(asked, reply, messages);
  return { records: [{ ...asFields(record), ...facts }] };
};

/** Returns a message, and whether it's on the phone. One that was read at once has no time of its delivery. */
const findStatus = (service: Service, { message }: Fields): Truth => {
  const found = messagesOf(service).filter(({ id }) => id === message);
  const isThere = ({ status, delivered_at, read_at }: Entity) =>
    Boolean(delivered_at ?? read_at) || ['received', 'delivered', 'read'].includes(textOf(status));
  return { records: found.map((each) => ({ ...view(each), has_arrived: isThere(each) })) };
};

const choicesOf = (records: readonly Entity[], key = 'id'): Truth => ({
  records: newestFirst(records).map((each) => ({ id: each[key] })),
});

/** How many choices a page of a dropdown has. */
const page = 100;

/** What the service holds for each search and dropdown, at a moment in milliseconds. */
const truths: Record<string, Look> = {
  contact_opted_out: optedOut,
  find_contact: findContact,
  find_contacts: findContacts,
  find_conversation_history: findConversationHistory,
  find_conversations: findConversations,
  find_message_status: findStatus,
  find_messages: findMessages,
  find_reply: findReply,
  find_campaign: ({ campaigns }, { name, status }) =>
    named(newestFirst(campaigns.filter((each) => passes(each, { status }))), (each) => each.name, name),
  find_template: findTemplate,
  list_channels: ({ channels }) => choicesOf(channels, 'key'),
  list_contacts: ({ contacts }) => choicesOf(contacts),
  list_campaigns: ({ campaigns }) => choicesOf(campaigns),
  list_conversations: ({ conversations }) => choicesOf(conversations),
  list_messages: (service) => choicesOf(messagesOf(service)),
  list_templates: ({ templates }, { channel }) => {
    const approved = templates.filter((each) => passes(each, { channel, status: 'approved' }));
    const names = new Set(approved.map(({ name }) => textOf(name)));
    return { records: [...names].sort().map((id) => ({ id })) };
  },
  new_contact: ({ contacts }, { tag }) => ({ records: newestFirst(contacts.filter((each) => isTagged(each, tag))) }),
};

const byName = ['list_channels', 'list_contacts', 'list_templates'];

/** People look for names in the order of the alphabet, so only which ones a page has counts. */
const inOrder = (key: string, choices: readonly Fields[]): readonly Fields[] =>
  byName.includes(key) ? choices.toSorted((one, other) => (textOf(one.id) < textOf(other.id) ? -1 : 1)) : choices;

/** Returns what the service held for a search while it ran; undefined when that isn't certain. */
export const truthOf = ({ step }: Attempt, { step: key, input, account, intent, meta }: Run): Truth | undefined => {
  const [before, after] = [step.startedAt, step.endedAt].map((nowMs) => {
    const since = momentOf(input.after ?? input.quiet_since ?? input.created_after, nowMs, textOf(meta.timezone));
    return Number.isNaN(since) ? undefined : truths[key]?.(account.service, input, { nowMs, since });
  });
  if (after && after !== 'stop' && /^(list|new)_/.test(key)) {
    // What came since the first page stays out of the next.
    const last = after.records.findLastIndex(({ id }) => intent.shown?.includes(textOf(id)));
    // The app shows a page as it is: nothing tells it which choices the one before had.
    const first = last === -1 || account.service.settings.overlaps ? Math.max(last, 0) : last + 1;
    const records = after.records.slice(first, first + page);
    // A page of messages may have notes, in whose place nothing stands.
    const isOnOnePage = key !== 'list_messages' || account.service.messages.length <= page;
    return isOnOnePage ? { records: inOrder(key, records) } : undefined;
  }
  return before && after && JSON.stringify(before) === JSON.stringify(after) ? after : undefined;
};

/** Returns the records of a result. */
export const recordsIn = (step: string, results: unknown): readonly Fields[] => {
  const choices = asFields(results).results;
  return Array.isArray(choices) ? inOrder(step, choices.map(asFields)) : listOf(results).map(asFields);
};

const timeIn = (time: unknown, zone: unknown): string => {
  const timeZone = textOf(zone) || 'UTC';
  return new Date(textOf(time)).toLocaleString('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
};

/** Whether the line of a message in a list tells when it came, which way it went, and what it says. */
export const isLine = (line: unknown, message: Fields, timeZone: unknown): boolean => {
  const side = message.direction === 'inbound' ? 'From' : 'To';
  const text = oneLine(message.text);
  // In place of an empty text stand words in brackets.
  return (
    textOf(line).startsWith(`[${timeIn(message.created_at, timeZone)}] ${side} `) &&
    textOf(line).includes(/^\(.+\)$/.test(text) ? text : `"${text}"`)
  );
};

/** Whether a transcript has a line for each message (newest first), with who wrote it, when and what. */
export const isTranscript = (transcript: unknown, messages: readonly Fields[], timeZone: unknown): boolean => {
  const lines = textOf(transcript).split('\n').filter(Boolean);
  const isLine = (message: Fields, line = ''): boolean => {
    const { phone, username, ...name } = asFields(message.contact);
    const person = fullName(name) || (username ? `@${username}` : (phone ?? 'A customer'));
    const side = message.direction === 'outbound' ? 'To' : 'From';
    const start = `[${timeIn(message.created_at, timeZone)}] ${side} ${person}: `;
    return line.startsWith(start) && line.includes(oneLine(message.text), start.length);
  };
  return (
    lines.length === messages.length && messages.toReversed().every((message, index) => isLine(message, lines[index]))
  );
};

/** Whether a found template has the languages and variables of its approved versions, each once. */
const isTemplate = (given: Fields, truth: Fields): boolean => {
  const isSame = (list: unknown, set: unknown) =>
    set instanceof Set && listOf(list).length === set.size && listOf(list).every((each) => set.has(each));
  const names = listOf(given.variables).map((each) => asFields(each).name);
  return (
    given.name === truth.name &&
    given.channel === truth.channel &&
    isSame(given.languages, truth.languages) &&
    isSame(names, truth.variables) &&
    listOf(truth.versions).every((version) => listOf(given.versions).some((each) => tells(each, version)))
  );
};

/** Whether the records of a result are those that the service holds. */
export const isTruth = (step: string, records: readonly Fields[], truth: Exclude<Truth, 'stop'>): boolean =>
  records.length === truth.records.length &&
  truth.records.every((each, index) => {
    const given = records[index] ?? {};
    return step === 'find_template' ? isTemplate(given, each) : tells(given, 'seq' in each ? shown(each) : each);
  });

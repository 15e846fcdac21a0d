import { defineInputFields, defineSearch, type SearchPerform } from 'zapier-platform-core';
import * as zod from 'zod/mini';
import { endpoints } from '../src/api/endpoints';
import { isNote } from '../src/api/filters';
import { type Conversation, conversation } from '../src/api/resources';
import { call } from '../src/call/call';
import { readList } from '../src/call/pages';
import { nameOfPerson, unnamed, withReachability } from '../src/contact/person';
import { requireAllRead } from '../src/step/ambiguity';
import { searching } from '../src/step/chosen';
import { channelFilter, contactFilter } from '../src/step/dropdowns';
import { formLabels, ordered } from '../src/step/input';
import { output } from '../src/step/output';
import { conversationLimitField, quietSinceField, readLimit, readTimeField } from '../src/step/range-fields';
import type { TimeZone } from '../src/step/time-zone';
import { listedFields, sideOf, timestamp, toQuotedLine, withLines } from '../src/text/lines';

const inputFields = defineInputFields([
  {
    key: 'status',
    label: 'Status',
    choices: ordered(['open', 'Open'], ['closed', 'Closed']),
  },
  channelFilter,
  {
    key: 'awaiting_reply',
    label: 'Awaiting Reply',
    choices: ordered(['true', 'The contact wrote last'], ['false', 'We wrote last'], ['any', 'Either']),
  },
  quietSinceField,
  contactFilter,
  conversationLimitField,
]);

const labels = { ...formLabels(inputFields), contact_id: contactFilter.label, limit: conversationLimitField.label };

const result = zod.looseObject({
  ...conversation.schema.shape,
  awaiting_reply: zod.nullable(zod.boolean()),
  minutes_waiting: zod.nullable(zod.number()),
  ...listedFields,
});

const minuteMs = 60_000;

/** Returns who wrote the newest message. Undefined when the service doesn't say. */
const lastWriterOf = ({
  last_message: last,
  last_message_at,
  message_count,
}: Conversation): 'contact' | 'us' | 'nobody' | undefined => {
  // Without a number, a time says that there was a message, which may have been deleted.
  const isEmpty = message_count === 0 || (!message_count && !last_message_at);
  if (last === null && isEmpty) return 'nobody';
  if (last?.direction === 'inbound') return 'contact';
  return last?.direction === 'outbound' ? 'us' : undefined;
};

/**
 * Returns when somebody last wrote, in milliseconds since 1970: the start of the conversation before the first message.
 * Undefined when the service doesn't say.
 */
const lastWrittenAt = (conversation: Conversation): number | undefined => {
  const { last_message, last_message_at, created_at } = conversation;
  const isEmpty = lastWriterOf(conversation) === 'nobody';
  const times = isEmpty ? [created_at] : [last_message?.created_at, last_message_at];
  return times.map((time) => Date.parse(time ?? '')).find((time) => !Number.isNaN(time));
};

/** Whether the newest record of a conversation is an internal note, after which nobody knows who wrote last. */
const endsWithNote = ({ last_message }: Conversation): boolean =>
  last_message !== null && last_message !== undefined && isNote(last_message);

/** What a list of conversations says about the wait. */
interface Wait {
  /** Null when nobody can judge it: the service doesn't say who wrote last, or when the contact did. */
  awaiting_reply: boolean | null;
  /** Null unless the contact waits. */
  minutes_waiting: number | null;
}

const isAwaitingReply = (conversation: Conversation): boolean | null => {
  const writer = lastWriterOf(conversation);
  if (!writer) return null;
  if (writer !== 'contact') return false;
  return lastWrittenAt(conversation) === undefined ? null : true;
};

/** Returns whether the contact of a conversation waits, and for how many whole minutes at `now`, in milliseconds. */
const waitOf = (conversation: Conversation, now: number): Wait => {
  const awaiting_reply = isAwaitingReply(conversation);
  const since = lastWrittenAt(conversation) ?? now;
  return {
    awaiting_reply,
    minutes_waiting: awaiting_reply ? Math.max(0, Math.floor((now - since) / minuteMs)) : null,
  };
};

/** Those who wait, then those who may, then the others. */
const rankOf = (conversation: Conversation): number => [true, null, false].indexOf(isAwaitingReply(conversation));

const startOf = (conversation: Conversation): number => lastWrittenAt(conversation) ?? Number.MAX_VALUE;

/** Compares two conversations for a list in which those whose contacts have waited longest come first. */
const compareWaits = (one: Conversation, other: Conversation): number =>
  rankOf(one) - rankOf(other) || startOf(one) - startOf(other);

const units = [
  { name: 'day', minutes: 24 * 60 },
  { name: 'hour', minutes: 60 },
  { name: 'minute', minutes: 1 },
];

/** Returns a time as at least two whole units, if it's that long: "90 minutes", "47 hours", "2 days". */
const inWords = (minutes: number): string => {
  const { name, minutes: size } = units.find((unit) => minutes >= 2 * unit.minutes) ?? { name: 'minute', minutes: 1 };
  const count = Math.floor(minutes / size);
  return `${count} ${name}${count === 1 ? '' : 's'}`;
};

/** An address that a line can end with. A part of one would lead nowhere. */
const link = /^https?:\/\/[^\s"()\p{C}]{1,500}$/u;

const newestLine = (conversation: Conversation): string => {
  if (endsWithNote(conversation)) return '(an internal note)';
  if (conversation.last_message) return toQuotedLine(conversation.last_message);
  return lastWriterOf(conversation) === 'nobody' ? '(no messages)' : "(the newest message can't be read)";
};

const waitInWords = ({ awaiting_reply, minutes_waiting }: Wait): string => {
  if (awaiting_reply === null) return '(may be waiting)';
  return minutes_waiting === null ? '' : `(waiting ${inWords(minutes_waiting)})`;
};

/**
 * Returns a conversation as one line with its newest message, how long the contact has been waiting, and the link, such as
 * `[2026-06-11 11:52] From Noor Visser +12025550123: "Where is my parcel?" (waiting 35 minutes) https://…`
 */
export const waitingLine = (conversation: Conversation & Wait, timeZone: TimeZone): string => {
  const { contact, last_message: last, url } = conversation;
  const name = nameOfPerson(contact) ?? unnamed;
  const start = `${timestamp(last?.created_at, timeZone)}${sideOf(last?.direction)} ${name}:`;
  const end = url && link.test(url) ? url : '';
  return [start, newestLine(conversation), waitInWords(conversation), end].filter(Boolean).join(' ');
};

/** The maximum number of conversations to read. All are read before any is left out. */
const maxRead = 1_000;

/** Whether the contact wrote last, or we did, as the person chose. A conversation that nobody can judge passes. */
const isWrittenBy = (choice: string | undefined, each: Conversation): boolean => {
  const writer = lastWriterOf(each);
  if (choice === undefined || choice === 'any' || !writer) return true;
  return writer === (choice === 'true' ? 'contact' : 'us');
};

/** Whether nobody wrote since a point in time. A conversation that nobody can judge passes, such as after a note. */
const isQuiet = (since: Date | undefined, each: Conversation): boolean => {
  const time = lastWrittenAt(each);
  return !since || endsWithNote(each) || time === undefined || time <= since.getTime();
};

const describeLeftOut = (count: number, isComplete: boolean): string | undefined => {
  if (!isComplete) return "more conversations aren't listed";
  if (count <= 0) return undefined;
  return count === 1 ? "1 more conversation isn't listed" : `${count} more conversations aren't listed`;
};

const perform = searching(inputFields, async (z, bundle, input) => {
  const { status, channel, contact: contact_id, awaiting_reply } = input;
  const timezone = bundle.meta?.timezone;
  const limit = readLimit(conversationLimitField, input.conversation_limit);
  const quietSince = readTimeField(quietSinceField, input.quiet_since, timezone);
  const { records, gaps } = await readList(
    (page) => call(z, endpoints.listConversations, { query: { ...page, status, channel, contact_id }, labels }),
    { limit: maxRead },
  );
  const wanted = records.filter((each) => isWrittenBy(awaiting_reply, each) && isQuiet(quietSince, each));
  if (wanted.length === 0) requireAllRead('conversations', gaps);
  const now = Date.now();
  const longestFirst = wanted.toSorted(compareWaits).map((each) => ({ ...each, ...waitOf(each, now) }));
  const leftOut = describeLeftOut(wanted.length - limit, gaps.length === 0);
  return withLines(longestFirst.slice(0, limit), (each) => waitingLine(each, timezone), leftOut);
}) satisfies SearchPerform<typeof inputFields, zod.output<typeof result>>;

const waiting = { ...withReachability(conversation.sample), awaiting_reply: true, minutes_waiting: 35 };

export default defineSearch({
  key: 'find_conversations',
  noun: 'Conversation',
  display: {
    label: 'Find Conversations',
    description:
      'Finds a list of unanswered conversations, or of all of them, each with a link and a line for a digest. Contacts who have waited longest come first.',
  },
  operation: {
    inputFields,
    perform,
    ...output({
      record: conversation,
      schema: result,
      sample: { ...waiting, summary_line: waitingLine(waiting, undefined), complete: true },
      labels: {
        id: 'Conversation ID',
        url: 'Conversation Link',
        complete: 'All Conversations Included',
      },
    }),
  },
});

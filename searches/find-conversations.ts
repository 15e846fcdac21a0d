import { defineInputFields, defineSearch, type SearchPerform } from 'zapier-platform-core';
import * as zod from 'zod/mini';
import { endpoints } from '../src/api/endpoints';
import { type Conversation, conversation } from '../src/api/resources';
import { call } from '../src/call/call';
import { readList } from '../src/call/pages';
import { withReachability } from '../src/contact/person';
import { compareWaits, endsWithNote, lastWriterOf, lastWrittenAt, waitingLine, waitOf } from '../src/message/waiting';
import { requireAllRead } from '../src/step/ambiguity';
import { searching } from '../src/step/chosen';
import { channelFilter, contactFilter } from '../src/step/dropdowns';
import { formLabels, ordered } from '../src/step/input';
import { output } from '../src/step/output';
import { conversationLimitField, quietSinceField, readLimit, readTimeField } from '../src/step/range-fields';
import { listedFields, withLines } from '../src/text/lines';

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
      'Finds a list of conversations, such as unanswered ones that await your reply, each with a link and a line for a digest. Contacts who have waited longest come first.',
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

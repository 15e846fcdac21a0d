import { defineInputFields, defineSearch, type SearchPerform } from 'zapier-platform-core';
import * as zod from 'zod/mini';
import { endpoints } from '../src/api/endpoints';
import { type Conversation, conversation } from '../src/api/resources';
import { conversationLimitField, quietSinceField, readConversationRange } from '../src/forms/history-fields';
import { formLabels, readInput } from '../src/forms/input';
import { output } from '../src/forms/output';
import { channelFilter } from '../src/forms/reference-fields';
import { lookUp } from '../src/http/client';
import { withText } from '../src/messages/text';
import { lastWriterOf, lastWrittenAt, waitingLine, waitOf } from '../src/messages/waiting';
import { halt } from '../src/platform/errors';
import { readHistory } from '../src/polling/history';

const inputFields = defineInputFields([
  {
    key: 'status',
    label: 'Status',
    choices: { open: 'Open', closed: 'Closed' },
    helpText: 'Leave empty for open and closed conversations.',
  },
  channelFilter,
  {
    key: 'awaiting_reply',
    label: 'Awaiting Reply',
    choices: { true: 'The contact wrote last', false: 'We wrote last', any: 'Either' },
    helpText: 'Choose who wrote the newest message. Leave empty for either.',
  },
  quietSinceField,
  conversationLimitField,
]);

const labels = { ...formLabels(inputFields), limit: conversationLimitField.label };

const result = zod.object({
  count: zod.number(),
  conversations: zod.array(
    zod.looseObject({
      ...conversation.schema.shape,
      awaiting_reply: zod.nullable(zod.boolean()),
      minutes_waiting: zod.nullable(zod.number()),
    }),
  ),
  summary: zod.string(),
  complete: zod.boolean(),
});

const unknownWriter =
  "Awaiting Reply: the messaging service doesn't say who wrote last in a conversation, so the list could be wrong. Choose Either.";

const unknownTime =
  "Quiet Since: the messaging service doesn't say when someone last wrote in a conversation, so the list could be wrong. Clear the field.";

/** Whether the contact wrote last, or we did, as the person chose. Throws an error when the service doesn't say. */
const isWrittenBy = (choice: string | undefined, each: Conversation): boolean => {
  if (choice === undefined || choice === 'any') return true;
  const writer = lastWriterOf(each);
  if (!writer) throw halt(unknownWriter);
  return writer === (choice === 'true' ? 'contact' : 'us');
};

/** Whether nobody wrote since a point in time. Throws an error when the service doesn't say. */
const isQuiet = (since: Date | undefined, each: Conversation): boolean => {
  if (!since) return true;
  const time = lastWrittenAt(each);
  if (time === undefined) throw halt(unknownTime);
  return time <= since.getTime();
};

const perform = (async (z, bundle) => {
  const { status, channel, awaiting_reply, ...range } = readInput(inputFields, bundle.inputData);
  const timezone = bundle.meta?.timezone;
  const { limit, quietSince } = readConversationRange(range, timezone);
  const { records, isComplete } = await readHistory(
    (page) => lookUp(z, endpoints.listConversations, { query: { ...page, status, channel }, labels }),
    { limit, accepts: (each) => isWrittenBy(awaiting_reply, each) && isQuiet(quietSince, each) },
  );
  const now = Date.now();
  const conversations = records.map((each) => ({ ...withText(each), ...waitOf(each, now) }));
  const summary =
    records.map((each) => waitingLine({ ...each, ...waitOf(each, now) }, timezone)).join('\n') ||
    'No conversations found.';
  return [
    {
      count: conversations.length,
      conversations,
      summary: isComplete ? summary : `${summary}\nOlder conversations were left out.`,
      complete: isComplete,
    },
  ];
}) satisfies SearchPerform<typeof inputFields, zod.output<typeof result>>;

const waiting = { ...conversation.sample, awaiting_reply: true, minutes_waiting: 35 };

export default defineSearch({
  key: 'find_conversations',
  noun: 'Conversation',
  display: {
    label: 'Find Conversations',
    description:
      'Finds a list of conversations, such as those in which the contact is waiting for a reply, with a link to each and a summary.',
  },
  operation: {
    inputFields,
    perform,
    ...output({
      schema: result,
      sample: {
        count: 1,
        conversations: [waiting],
        summary: waitingLine(waiting, undefined),
        complete: true,
      },
      labels: { count: 'Number of Conversations', complete: 'All Conversations Included' },
    }),
  },
});

import { defineInputFields, defineSearch, type SearchPerform, type ZObject } from 'zapier-platform-core';
import * as zod from 'zod/mini';
import { endpoints } from '../src/api/endpoints';
import { type Message, message } from '../src/api/resources';
import { exampleMinutes, replySample } from '../src/formats/example-reply';
import { isFrom, isSince, minutesBetween } from '../src/formats/reply';
import { readInput } from '../src/forms/input';
import { outputFieldsOf } from '../src/forms/output';
import { messageField } from '../src/forms/reference-fields';
import { call, find } from '../src/http/client';
import { fail } from '../src/platform/errors';
import { readHistory } from '../src/polling/history';

/** The maximum number of messages to read. */
const maxMessages = 500;

const inputFields = defineInputFields([
  {
    ...messageField,
    helpText: 'Choose the message you sent, or map its ID from an earlier step, such as Send Template Message.',
  },
]);

const result = zod.object({
  replied: zod.boolean(),
  reply_text: zod.nullish(zod.string()),
  minutes_to_reply: zod.nullish(zod.number()),
  reply: zod.nullish(message.schema),
});

/** Whether a message comes from the recipient of `sent`, after it. */
const isReplyTo = (sent: Message, each: Message): boolean => {
  if (each.direction !== 'inbound' || !isSince(each, sent)) return false;
  if (each.conversation_id && each.conversation_id === sent.conversation_id) return true;
  const person = sent.to ?? sent.contact?.phone;
  return typeof person === 'string' && isFrom(each, person);
};

/** Returns what a list, newest first, has above a message. Times alone can't order messages of the same second. */
const newerThan = (sent: Message, records: Message[]): Message[] => {
  const position = records.findIndex(({ id }) => id === sent.id);
  return position < 0 ? records : records.slice(0, position);
};

/** Returns the first reply to a message; undefined when there is none. Reads back to the time of the message. */
const firstReply = async (z: ZObject, sent: Message): Promise<Message | undefined> => {
  const sentAt = new Date(sent.created_at ?? '');
  if (Number.isNaN(sentAt.getTime())) {
    throw fail("The messaging service doesn't say when this message was sent, so replies can't be found.", 'no_time');
  }
  // A list of the conversation has the message itself as well.
  const filters = sent.conversation_id ? { conversation_id: sent.conversation_id } : { direction: 'inbound' };
  const { records } = await readHistory((page) => call(z, endpoints.listMessages, { query: { ...page, ...filters } }), {
    limit: maxMessages,
    // Times may be whole seconds, so a reply in the same second counts.
    since: new Date(sentAt.getTime() - 1_000),
  });
  return newerThan(sent, records).findLast((each) => isReplyTo(sent, each));
};

const perform = (async (z, bundle) => {
  const { message: id } = readInput(inputFields, bundle.inputData);
  const sent = await find(z, endpoints.getMessage, { id });
  if (!sent) return [];
  const reply = await firstReply(z, sent);
  return [
    {
      replied: reply !== undefined,
      reply_text: reply?.text ?? null,
      minutes_to_reply: reply ? minutesBetween(sent, reply) : null,
      reply: reply ?? null,
    },
  ];
}) satisfies SearchPerform<typeof inputFields, zod.output<typeof result>>;

export default defineSearch({
  key: 'find_reply',
  noun: 'Reply',
  display: {
    label: 'Find Reply',
    description: "Finds a contact's first reply to a message, or reports that there is none yet. Use it after a delay.",
  },
  operation: {
    inputFields,
    perform,
    sample: { replied: true, reply_text: replySample.text, minutes_to_reply: exampleMinutes, reply: replySample },
    outputFields: outputFieldsOf(result, { reply: 'Reply Message' }),
  },
});

import { defineInputFields, defineSearch, type SearchPerform, type ZObject } from 'zapier-platform-core';
import * as zod from 'zod/mini';
import { endpoints, pageSize } from '../src/api/endpoints';
import { events } from '../src/api/events';
import { type Message, message } from '../src/api/resources';
import { isFrom, isOlder, minutesBetween } from '../src/formats/reply';
import { readInput } from '../src/forms/input';
import { outputFieldsOf } from '../src/forms/output';
import { messageField } from '../src/forms/reference-fields';
import { find } from '../src/http/client';

const inputFields = defineInputFields([
  {
    ...messageField,
    helpText: 'The message that you sent. Map its ID from an earlier step, such as Send Template Message.',
  },
]);

const result = zod.object({
  replied: zod.boolean(),
  reply_text: zod.nullish(zod.string()),
  minutes_to_reply: zod.nullish(zod.number()),
  reply: zod.nullish(message.schema),
});

const sample = events['message.received'].sample;

/** Whether an inbound message is from the contact that we wrote to, and not older than what we wrote. */
const isReplyTo = (sent: Message, inbound: Message): boolean => {
  if (inbound.id === sent.id || isOlder(inbound, sent)) return false;
  if (inbound.conversation_id && inbound.conversation_id === sent.conversation_id) return true;
  const person = sent.to ?? sent.contact?.phone;
  return typeof person === 'string' && isFrom(inbound, person);
};

/** Returns the first message that the contact wrote after ours. */
const firstReply = async (z: ZObject, sent: Message): Promise<Message | undefined> => {
  const query = { direction: 'inbound', conversation_id: sent.conversation_id, limit: pageSize.max };
  const inbound = (await find(z, endpoints.listMessages, { query }))?.data ?? [];
  return inbound.findLast((each) => isReplyTo(sent, each));
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
    description: 'Finds a reply to a message, or says that there is none yet. Use it after a delay.',
  },
  operation: {
    inputFields,
    perform,
    sample: { replied: true, reply_text: sample.text, minutes_to_reply: 12, reply: sample },
    outputFields: outputFieldsOf(result, { reply: 'Reply Message' }),
  },
});

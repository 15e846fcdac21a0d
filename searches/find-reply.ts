import { defineInputFields, defineSearch, type SearchPerform } from 'zapier-platform-core';
import * as zod from 'zod/mini';
import { endpoints } from '../src/api/endpoints';
import { message } from '../src/api/resources';
import { readInput } from '../src/forms/input';
import { output } from '../src/forms/output';
import { messageField } from '../src/forms/reference-fields';
import { lookUp } from '../src/http/client';
import { exampleMinutes, replySample } from '../src/messages/example-reply';
import { minutesBetween, timeOf } from '../src/messages/reply';
import { textOf, withText } from '../src/messages/text';
import { fail, halt } from '../src/platform/errors';
import { firstReply } from '../src/polling/replies';

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

const tooMany =
  "Message: more than 500 messages came after this one, so the first reply can't be found. Read the conversation in the messaging service.";

const perform = (async (z, bundle) => {
  const { message: id } = readInput(inputFields, bundle.inputData);
  const sent = await lookUp(z, endpoints.getMessage, { id });
  if (!sent) return [];
  if (Number.isNaN(timeOf(sent))) {
    throw fail("The messaging service doesn't say when this message was sent, so replies can't be found.", 'no_time');
  }
  const found = await firstReply(z, sent);
  if (!found) throw halt(tooMany);
  const { reply } = found;
  return [
    {
      replied: reply !== undefined,
      reply_text: reply ? textOf(reply) : null,
      minutes_to_reply: reply ? minutesBetween(sent, reply) : null,
      reply: reply ? withText(reply) : null,
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
    ...output({
      schema: result,
      sample: { replied: true, reply_text: replySample.text, minutes_to_reply: exampleMinutes, reply: replySample },
      labels: { reply: 'Reply Message' },
    }),
  },
});

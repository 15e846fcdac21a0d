import { defineInputFields, defineSearch, type SearchPerform } from 'zapier-platform-core';
import * as zod from 'zod/mini';
import { endpoints } from '../src/api/endpoints';
import { message } from '../src/api/resources';
import { anotherQuestionField, requireOwnAnswer } from '../src/forms/another-question-field';
import { readInput } from '../src/forms/input';
import { output } from '../src/forms/output';
import { messageField } from '../src/forms/reference-fields';
import { lookUp } from '../src/http/client';
import { findAnswer } from '../src/messages/answer';
import { exampleMinutes, replySample } from '../src/messages/example-reply';
import { minutesBetween, timeOf } from '../src/messages/reply';
import { textOf, withText } from '../src/messages/text';
import { fail, halt } from '../src/platform/errors';
import { messagesSince } from '../src/polling/replies';

const inputFields = defineInputFields([
  {
    ...messageField,
    helpText: 'Choose the message you sent, or map its ID from an earlier step, such as Send Template Message.',
  },
  anotherQuestionField,
]);

const result = zod.object({
  replied: zod.boolean(),
  reply_text: zod.nullish(zod.string()),
  minutes_to_reply: zod.nullish(zod.number()),
  answers_another: zod.nullish(zod.boolean()),
  question: zod.nullish(zod.string()),
  reply: zod.nullish(message.schema),
});

type Result = zod.output<typeof result>;

const none: Result = {
  replied: false,
  reply_text: null,
  minutes_to_reply: null,
  answers_another: null,
  question: null,
  reply: null,
};

const sample: Result = {
  replied: true,
  reply_text: replySample.text,
  minutes_to_reply: exampleMinutes,
  answers_another: false,
  question: message.sample.text,
  reply: replySample,
};

const tooMany =
  "Message: more than 500 messages came after this one, so the first reply can't be found. Read the conversation in the messaging service.";

const perform = (async (z, bundle) => {
  const { message: id, if_another_question } = readInput(inputFields, bundle.inputData);
  const sent = await lookUp(z, endpoints.getMessage, { id });
  if (!sent) return [];
  if (Number.isNaN(timeOf(sent))) {
    throw fail("The messaging service doesn't say when this message was sent, so replies can't be found.", 'no_time');
  }
  const messages = await messagesSince(z, sent);
  if (!messages) throw halt(tooMany);
  const answer = findAnswer(sent, messages);
  if (!answer) return [none];
  requireOwnAnswer(answer, if_another_question);
  const { reply, answers_another, question } = answer;
  return [
    {
      replied: true,
      reply_text: textOf(reply),
      minutes_to_reply: minutesBetween(sent, reply),
      answers_another,
      question,
      reply: withText(reply),
    },
  ];
}) satisfies SearchPerform<typeof inputFields, Result>;

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
      sample,
      labels: { answers_another: 'Answers Another Message', reply: 'Reply Message' },
    }),
  },
});

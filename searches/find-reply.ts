import { defineInputFields, defineSearch, type SearchPerform } from 'zapier-platform-core';
import * as zod from 'zod/mini';
import { endpoints } from '../src/api/endpoints';
import { message } from '../src/api/resources';
import { call } from '../src/call/call';
import { reachable, withReachability } from '../src/contact/person';
import { withFiles } from '../src/message/files';
import { exampleMinutes, replySample } from '../src/reply/example';
import { judgeThread, minutesBetween } from '../src/reply/judge';
import { readListedThread } from '../src/reply/thread';
import { answers, yesOrNo } from '../src/reply/yes-or-no';
import { messageField } from '../src/step/dropdowns';
import { halt } from '../src/step/errors';
import { readInput } from '../src/step/input';
import { output } from '../src/step/output';
import { summaryLine, textOf, withText } from '../src/text/lines';
import { answerWordFields } from '../src/text/phrase-fields';

const inputFields = defineInputFields([
  {
    ...messageField,
    helpText: 'Choose the message you sent, or map Message ID from the step that sent it.',
  },
  ...answerWordFields,
]);

const result = zod.looseObject({
  ...message.schema.shape,
  ...reachable,
  reply_text: zod.nullable(zod.string()),
  answer: zod.enum(answers),
  minutes_to_reply: zod.nullable(zod.number()),
  answers_another: zod.boolean(),
  question: zod.nullable(zod.string()),
  summary_line: zod.string(),
});
type Result = zod.output<typeof result>;

const sample: Result = {
  ...withReachability(replySample),
  reply_text: replySample.text ?? null,
  answer: 'other',
  minutes_to_reply: exampleMinutes,
  answers_another: false,
  question: message.sample.text ?? null,
  summary_line: summaryLine(replySample, undefined),
};

const unknownMessage =
  "Message: the messaging service has no message with this ID, so its reply can't be found. Map Message ID from the step that sent it.";

const cannotTell =
  "Message: the messaging service doesn't list every message since this one, so it can't tell whether the contact replied. Read the conversation there, or try again later.";

const unclear =
  "Message: a message came that may be the contact's reply, but it was deleted, or the messaging service doesn't say for sure who wrote it. Check the conversation in the messaging service.";

const perform = (async (z, bundle) => {
  const { message: id, ...words } = readInput(inputFields, bundle.inputData);
  const sent = await call(z, endpoints.getMessage, { id }, { unless: 'gone' });
  if (!sent) throw halt(unknownMessage);
  const thread = await readListedThread(z, sent);
  const answer = judgeThread(thread);
  if (!answer && !thread.isComplete) throw halt(cannotTell);
  if (!answer) return [];
  const { reply, verdict, question } = answer;
  if (verdict === 'unclear') throw halt(unclear);
  return [
    {
      ...withFiles(z, withReachability(withText(reply))),
      reply_text: textOf(reply),
      // What may answer another message is neither a yes nor a no to this one.
      answer: verdict === 'certain' ? yesOrNo(reply, words) : 'other',
      minutes_to_reply: minutesBetween(sent, reply),
      answers_another: verdict !== 'certain',
      question,
      summary_line: summaryLine(reply, bundle.meta?.timezone),
    },
  ];
}) satisfies SearchPerform<typeof inputFields, Result>;

export default defineSearch({
  key: 'find_reply',
  noun: 'Reply',
  display: {
    label: 'Find Reply',
    description: "Finds a contact's first reply to a message, if there is one yet. Use it after a delay.",
  },
  operation: {
    inputFields,
    perform,
    ...output({
      record: message,
      schema: result,
      sample,
      labels: { id: 'Reply ID', url: 'Reply Link', answers_another: 'Answers Another Message' },
    }),
  },
});

/** What a step does when a reply may answer another message of ours. */
import { defineInputField } from 'zapier-platform-core';
import { halt } from '../platform/errors';
import { ordered } from './input';

/** The field of the steps that take a reply. */
export const anotherQuestionField = defineInputField({
  key: 'if_another_question',
  label: 'If Another Question Was Asked',
  choices: ordered(['stop', 'Stop the Zap'], ['continue', 'Continue']),
  default: 'stop',
  helpText:
    "Choose what happens if the contact's reply may answer another message of yours, or comes on another channel.",
});

const anotherAnswered =
  "The contact's reply may answer another message of yours, or it came on another channel, so the Zap stopped. Check the conversation in the messaging service. To go on with such a reply, choose Continue in If Another Question Was Asked.";

/** Throws a halt when a reply may answer another message, unless the person chose to continue. */
export const requireOwnAnswer = (
  { answers_another }: { answers_another: boolean },
  choice: 'stop' | 'continue' | undefined,
): void => {
  if (answers_another && choice !== 'continue') throw halt(anotherAnswered);
};

/** The fields for words in messages: those that choose messages, and those that mean yes or no. */
import { defineInputFields } from 'zapier-platform-core';
import { ordered } from '../step/input';
import { containsPhrase, isPhrase } from './fold';

const label = 'Words or Phrases';

/** Returns the fields for words, and for how a message must match them. `scope` is what the first help says that they do. */
export const phraseFields = (scope: string) =>
  defineInputFields([
    {
      key: 'contains',
      label,
      type: 'text',
      list: true,
      helpText: `${scope} with one of these words or phrases: \`stop\` also finds "STOP".`,
    },
    {
      key: 'match',
      label: 'Match',
      choices: ordered(['contains', 'Contains the word or phrase'], ['exact', 'Is exactly the word or phrase']),
      default: 'contains',
      helpText: `Choose how **${label}** must match. "Contains" finds \`stop\` in "Please stop!", and "Is exactly" only in "Stop!".`,
    },
  ]);

/** Whether a text has one of the words or phrases, as chosen. Every text has, when there are none. */
export const matchesPhrases = (
  text: string | null | undefined,
  { contains = [], match }: { contains?: readonly string[] | undefined; match?: string | undefined },
): boolean => {
  const matches = match === 'exact' ? isPhrase : containsPhrase;
  return contains.length === 0 || matches(text ?? '', contains);
};

export const answerWordFields = defineInputFields([
  {
    key: 'yes_words',
    label: 'Words for Yes',
    list: true,
    helpText:
      'Enter the text of each button that means yes, like `Confirm`. Without it, **Answer** is other. Yes, ok and the like already count in twelve languages.',
  },
  {
    key: 'no_words',
    label: 'Words for No',
    list: true,
    helpText: 'Enter the text of each button that means no, like `Cancel`. Without it, **Answer** is other.',
  },
]);

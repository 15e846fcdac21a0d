/** The fields by which a step that takes a reply knows more words for yes and no. */
import { defineInputFields } from 'zapier-platform-core';

export const answerWordFields = defineInputFields([
  {
    key: 'yes_words',
    label: 'Words for Yes',
    list: true,
    helpText: 'Adds whole replies that count as yes, such as `see you there`, to the common ones of many languages.',
  },
  { key: 'no_words', label: 'Words for No', list: true, helpText: 'Adds whole replies that count as no.' },
]);

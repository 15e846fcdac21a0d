import { defineInputField } from 'zapier-platform-core';

/** Keeps a trigger to messages that some senders sent. `helpText` says what an empty field means. */
export const sourcesFilter = (helpText: string) =>
  defineInputField({
    key: 'sources',
    label: 'Sent By',
    list: true,
    choices: {
      agent: 'A colleague',
      automation: 'An automation',
      campaign: 'A campaign',
      api: 'The API or a Zap',
    },
    helpText,
  });

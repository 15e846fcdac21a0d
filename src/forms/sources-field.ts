import { defineInputField } from 'zapier-platform-core';

/** Returns a field that limits a trigger to messages from the chosen senders. `helpText` explains an empty field. */
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

import { defineInputField } from 'zapier-platform-core';

const choices = {
  agent: 'A colleague',
  automation: 'An automation',
  campaign: 'A campaign',
  api: 'The API or a Zap',
};

/** Returns a field that limits a trigger to messages from the chosen senders. `helpText` explains an empty field. */
export const sourcesFilter = (helpText: string) =>
  defineInputField({
    key: 'sources',
    label: 'Sent By',
    list: true,
    choices,
    helpText: `${helpText} Messages from unknown senders start the Zap only if you choose all senders.`,
  });

/** Returns the senders to filter by. None when all are chosen, so that messages from unknown senders pass too. */
export const limitSources = (sources: readonly string[] = []): readonly string[] =>
  Object.keys(choices).every((each) => sources.includes(each)) ? [] : sources;

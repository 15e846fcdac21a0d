/** The fields and notes that only triggers have. */
import { defineInputField, defineInputFields } from 'zapier-platform-core';
import { exists } from '../api/missing';
import { campaignFilter, channelFilter } from '../step/dropdowns';
import { halt } from '../step/errors';
import { ordered } from '../step/input';

/** Returns the note above a trigger's form that says how a Zap could start itself, and what to do to prevent loops. */
export const loopNote = (helpText: string) =>
  defineInputField({ key: 'loop_note', label: 'Preventing Loops', type: 'copy', helpText });

export const watchedChannelFields = defineInputFields([channelFilter]);
export const watchedCampaignFields = defineInputFields([campaignFilter]);

const choices = ordered(
  ['colleague', 'A colleague'],
  ['ai', 'An AI agent'],
  ['automation', 'An automation'],
  ['campaign', 'A campaign'],
  ['api', 'The API or a Zap'],
);

/** None if messages don't say who sent them. */
const senders: readonly string[] = exists('message.source') ? choices.map(({ value }) => value) : [];

export const sourceLabel = 'Sent By';

/** Returns a field that limits a trigger to messages from the chosen senders. */
export const sourcesFilter = (helpText?: string) =>
  defineInputField({
    key: 'sources',
    label: sourceLabel,
    list: true,
    choices,
    ...(helpText && { helpText }),
  });

/** Returns the senders to filter by. None when all are chosen, so that messages from unknown senders pass too. */
export const limitSources = (sources: readonly string[] = []): readonly string[] =>
  senders.every((each) => sources.includes(each)) ? [] : sources;

/** The senders other than campaigns. None lets every sender through. */
export const withoutCampaigns: readonly string[] = senders.filter((each) => each !== 'campaign');

const maxMinutes = 24 * 60;

/** The minutes in which only one message of a conversation starts the Zap. */
export const spacingField = defineInputField({
  key: 'minutes_apart',
  label: 'At Most Once per Conversation Every',
  type: 'integer',
  placeholder: '1',
  helpText: 'Enter a number of minutes. The first message runs the Zap. Later messages in that time are skipped.',
});

/** Returns the minutes; undefined when the field is empty. Throws an error when they are out of range. */
export const readMinutesApart = (minutes: number | undefined): number | undefined => {
  if (minutes === undefined || (minutes >= 1 && minutes <= maxMinutes)) return minutes;
  throw halt(`${spacingField.label}: ${minutes} is out of range. Enter a number of minutes from 1 to ${maxMinutes}.`);
};

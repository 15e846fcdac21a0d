/** How often messages of one conversation start a Zap. */
import { defineInputField } from 'zapier-platform-core';
import { halt } from '../platform/errors';

const maxMinutes = 24 * 60;

/** The minutes in which only one message of a conversation starts the Zap. */
export const spacingField = defineInputField({
  key: 'minutes_apart',
  label: 'At Most Once per Conversation Every',
  type: 'integer',
  placeholder: '1',
  helpText:
    "Enter minutes, such as `1`. The first message runs the Zap, and more messages in that time usually don't. Leave empty for every message.",
});

/** Returns the minutes; undefined when the field is empty. Throws an error when they are out of range. */
export const readMinutesApart = (minutes: number | undefined): number | undefined => {
  if (minutes === undefined || (minutes >= 1 && minutes <= maxMinutes)) return minutes;
  throw halt(`${spacingField.label}: ${minutes} is out of range. Enter a number of minutes from 1 to ${maxMinutes}.`);
};

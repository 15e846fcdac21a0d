import { defineInputField, type PlainInputField } from 'zapier-platform-core';
import { message } from '../api/resources';
import { isMissing } from '../api/wire';
import { ordered } from './ordered';

const key = 'sources';

const choices = ordered(
  ['colleague', 'A colleague'],
  ['ai', 'An AI agent'],
  ['automation', 'An automation'],
  ['campaign', 'A campaign'],
  ['api', 'The API or a Zap'],
);

const senders: readonly string[] = choices.map(({ value }) => value);

/** What people see for the sender of a message. */
export const sourceLabel = 'Sent By';

/** Returns a field that limits a trigger to messages from the chosen senders. */
export const sourcesFilter = (helpText: string) =>
  defineInputField({
    key,
    label: sourceLabel,
    list: true,
    choices,
    helpText,
  });

/** Returns the fields that a form shows: without the senders if messages don't say who sent them. */
export const withKnownSenders = (fields: PlainInputField[]): PlainInputField[] =>
  isMissing(message.schema.shape.source) ? fields.filter((field) => field.key !== key) : fields;

/** Returns the senders to filter by. None when all are chosen, so that messages from unknown senders pass too. */
export const limitSources = (sources: readonly string[] = []): readonly string[] =>
  senders.every((each) => sources.includes(each)) ? [] : sources;

/** The senders other than campaigns. None, which lets every sender through, if messages don't say who sent them. */
export const withoutCampaigns: readonly string[] = isMissing(message.schema.shape.source)
  ? []
  : senders.filter((each) => each !== 'campaign');

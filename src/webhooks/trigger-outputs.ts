/** What instant triggers give to later steps, besides the record of the event. */
import * as zod from 'zod/mini';
import { conversation, message } from '../api/resources';
import type { TimeZone } from '../formats/time-zone';
import { output, outputs } from '../forms/output';
import { reachable, withReachability } from '../messages/same-person';
import { withText } from '../messages/text';
import { summaryLine } from '../messages/transcript';

/** Returns a line about a message, in which nobody's words can be taken for the text that a Zap puts around them. */
const lineOf = (record: object, timeZone: TimeZone): string => {
  const { data } = message.schema.safeParse(record);
  return data ? summaryLine(data, timeZone) : '';
};

/** Returns what a trigger gives for a record of an event. A campaign isn't about one person. */
export const describeEvent = <R extends object>(
  noun: keyof typeof triggerOutputs,
  record: R,
  timeZone: TimeZone,
): R => {
  if (noun === 'Campaign') return record;
  const readable = withReachability(withText(record));
  // The line tells a photo from a text that says "(photo)".
  return noun === 'Message' ? { ...readable, summary_line: lineOf(record, timeZone) } : readable;
};

/** What instant triggers declare, by the record of their events. */
export const triggerOutputs = {
  Message: output({
    record: message,
    schema: zod.looseObject({ ...message.schema.shape, ...reachable, summary_line: zod.string() }),
    sample: { ...withReachability(message.sample), summary_line: summaryLine(message.sample, undefined) },
  }),
  Conversation: output({
    record: conversation,
    schema: zod.looseObject({ ...conversation.schema.shape, ...reachable }),
    sample: withReachability(conversation.sample),
  }),
  Campaign: outputs.Campaign,
};

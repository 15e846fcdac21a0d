import { defineInputFields, defineSearch, type SearchPerform } from 'zapier-platform-core';
import * as zod from 'zod/mini';
import { endpoints } from '../src/api/endpoints';
import { toLabel } from '../src/api/labels';
import { message, vocabulary } from '../src/api/resources';
import { withFiles } from '../src/forms/attachment-files';
import { limitField, readRange, sinceField } from '../src/forms/history-fields';
import { formLabels, ordered, readInput } from '../src/forms/input';
import { output } from '../src/forms/output';
import { channelFilter } from '../src/forms/reference-fields';
import { listedFields, withLines } from '../src/messages/listed';
import { withReachability } from '../src/messages/same-person';
import { summaryLine } from '../src/messages/transcript';
import { requireAllRead } from '../src/polling/ambiguity';
import { readHistory, requestFor } from '../src/polling/history';

const inputFields = defineInputFields([
  {
    key: 'direction',
    label: 'Direction',
    choices: ordered(['inbound', 'Inbound (from contacts)'], ['outbound', 'Outbound (from you)']),
  },
  {
    key: 'status',
    label: 'Status',
    choices: ordered(...vocabulary.messageStatus.map((status) => [status, toLabel(status)] as const)),
  },
  channelFilter,
  sinceField,
  limitField,
]);

const result = zod.looseObject({ ...message.schema.shape, ...listedFields });

/** What the form calls parameters of the request, whose `after` is a cursor. */
const labels = { ...formLabels(inputFields), after: undefined, limit: limitField.label };

const perform = (async (z, bundle) => {
  const { direction, status, channel, ...range } = readInput(inputFields, bundle.inputData);
  const timezone = bundle.meta?.timezone;
  const { records, ...reading } = await readHistory(
    (page) => requestFor(page)(z, endpoints.listMessages, { query: { ...page, direction, status, channel }, labels }),
    readRange(range, timezone),
  );
  if (records.length === 0) requireAllRead('messages', reading);
  const unread = reading.isPartial ? "a message can't be read" : undefined;
  const leftOut = reading.isCut ? "older messages aren't listed" : unread;
  const listed = withLines(records, (each) => summaryLine(each, timezone), leftOut);
  return listed.map((each) => withFiles(z, each));
}) satisfies SearchPerform<typeof inputFields, zod.output<typeof result>>;

export default defineSearch({
  key: 'find_messages',
  noun: 'Message',
  display: {
    label: 'Find Messages',
    description: 'Finds a list of the newest messages, each with a line for a digest.',
  },
  operation: {
    inputFields,
    perform,
    ...output({
      record: message,
      schema: result,
      sample: {
        ...withReachability(message.sample),
        summary_line: summaryLine(message.sample, undefined),
        complete: true,
      },
    }),
  },
});

import { defineInputFields, defineSearch, type SearchPerform } from 'zapier-platform-core';
import * as zod from 'zod/mini';
import { endpoints } from '../src/api/endpoints';
import { message, type vocabulary } from '../src/api/resources';
import { limitField, readRange, sinceField } from '../src/forms/history-fields';
import { formLabels, readInput } from '../src/forms/input';
import { output } from '../src/forms/output';
import { channelFilter } from '../src/forms/reference-fields';
import { lookUp } from '../src/http/client';
import { withText } from '../src/messages/text';
import { summaryLine } from '../src/messages/transcript';
import { readHistory } from '../src/polling/history';

const inputFields = defineInputFields([
  {
    key: 'direction',
    label: 'Direction',
    choices: { inbound: 'Inbound (from contacts)', outbound: 'Outbound (from you)' },
    helpText: 'Leave empty for both.',
  },
  {
    key: 'status',
    label: 'Status',
    choices: {
      received: 'Received',
      queued: 'Queued',
      sent: 'Sent',
      delivered: 'Delivered',
      read: 'Read',
      failed: 'Failed',
    } satisfies Record<(typeof vocabulary.messageStatus)[number], string>,
    helpText: 'Leave empty for every status.',
  },
  channelFilter,
  sinceField,
  limitField,
]);

const result = zod.object({
  count: zod.number(),
  messages: zod.array(message.schema),
  summary: zod.string(),
  complete: zod.boolean(),
});

/** What the form calls parameters of the request, whose `after` is a cursor. */
const labels = { ...formLabels(inputFields), after: undefined, limit: limitField.label };

const perform = (async (z, bundle) => {
  const { direction, status, channel, ...range } = readInput(inputFields, bundle.inputData);
  const timezone = bundle.meta?.timezone;
  const { records: messages, isComplete } = await readHistory(
    (page) => lookUp(z, endpoints.listMessages, { query: { ...page, direction, status, channel }, labels }),
    readRange(range, timezone),
  );
  return [
    {
      count: messages.length,
      messages: messages.map(withText),
      summary: messages.map((each) => summaryLine(each, timezone)).join('\n') || 'No messages found.',
      complete: isComplete,
    },
  ];
}) satisfies SearchPerform<typeof inputFields, zod.output<typeof result>>;

export default defineSearch({
  key: 'find_messages',
  noun: 'Message',
  display: {
    label: 'Find Messages',
    description: 'Finds a list of the newest messages, with their count and a summary for a daily digest.',
  },
  operation: {
    inputFields,
    perform,
    ...output({
      schema: result,
      sample: {
        count: 1,
        messages: [message.sample],
        summary: summaryLine(message.sample, undefined),
        complete: true,
      },
      labels: { count: 'Number of Messages' },
    }),
  },
});

import { defineInputFields, defineSearch, type SearchPerform } from 'zapier-platform-core';
import * as zod from 'zod/mini';
import { endpoints } from '../src/api/endpoints';
import { toLabel } from '../src/api/labels';
import { message, vocabulary } from '../src/api/resources';
import { call } from '../src/call/call';
import { type Gap, readList } from '../src/call/pages';
import { withReachability } from '../src/contact/person';
import { withFiles } from '../src/message/files';
import { requireAllRead } from '../src/step/ambiguity';
import { searching } from '../src/step/chosen';
import { campaignFilter, channelFilter } from '../src/step/dropdowns';
import { formLabels, ordered } from '../src/step/input';
import { output } from '../src/step/output';
import { limitField, readRange, sinceField } from '../src/step/range-fields';
import { listedFields, summaryLine, withLines } from '../src/text/lines';
import { matchesPhrases, phraseFields } from '../src/text/phrase-fields';

/** What people choose besides the statuses of the API: what has gone out, and nobody has seen. */
const notRead = 'not_read';
const notReadStatuses = ['queued', 'sent', 'delivered'] as const;

const inputFields = defineInputFields([
  {
    key: 'direction',
    label: 'Direction',
    choices: ordered(['inbound', 'Inbound (from contacts)'], ['outbound', 'Outbound (from you)']),
  },
  {
    key: 'status',
    label: 'Status',
    choices: ordered(
      ...vocabulary.messageStatus.map((status) => [status, toLabel(status)] as const),
      ...([[notRead, 'Not read (queued, sent or delivered)']] as const),
    ),
  },
  channelFilter,
  {
    ...campaignFilter,
    helpText: 'Choose a campaign, or map its ID from an earlier step.',
  },
  ...phraseFields('Finds only messages'),
  sinceField,
  limitField,
]);

const result = zod.looseObject({ ...message.schema.shape, ...listedFields });

/** What the form calls parameters of the request, whose `after` is a cursor. */
const labels = {
  ...formLabels(inputFields),
  campaign_id: campaignFilter.label,
  after: undefined,
  limit: limitField.label,
};

/** What the last line says of messages that the person asked for and that aren't listed. */
const notes: Partial<Record<Gap, string>> = {
  more: "older messages aren't listed",
  unreadable: "a message can't be read",
};

/** The maximum number of messages to read for those with some words, which the service can't look for. */
const maxRead = 1_000;

const perform = searching(inputFields, async (z, bundle, input) => {
  const { direction, status: chosen, channel, campaign, contains, match, ...rest } = input;
  const timezone = bundle.meta?.timezone;
  const range = readRange(rest, timezone);
  const filters = { direction, status: chosen === notRead ? notReadStatuses : chosen, channel, campaign_id: campaign };
  const hasWords = contains !== undefined && contains.length > 0;
  const { records, gaps } = await readList(
    (page) => call(z, endpoints.listMessages, { query: { ...page, ...filters }, labels }),
    hasWords ? { ...range, limit: maxRead } : range,
  );
  const matching = records.filter(({ text }) => matchesPhrases(text, { contains, match }));
  const found = matching.slice(0, range.limit);
  if (found.length === 0) requireAllRead('messages', gaps);
  const [leftOut] = (found.length < matching.length ? ['more' as const] : gaps).flatMap((gap) => notes[gap] ?? []);
  const listed = withLines(found, (each) => summaryLine(each, timezone), leftOut);
  return listed.map((each) => withFiles(z, each));
}) satisfies SearchPerform<typeof inputFields, zod.output<typeof result>>;

export default defineSearch({
  key: 'find_messages',
  noun: 'Message',
  display: {
    label: 'Find Messages',
    description:
      'Finds a list of the newest messages, for example those of a campaign that nobody read, each with a line for a digest.',
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

import { defineTrigger, type PollingTriggerPerform } from 'zapier-platform-core';
import { endpoints } from '../src/api/endpoints';
import { type Contact, contact } from '../src/api/resources';
import { call } from '../src/call/call';
import { readList } from '../src/call/pages';
import { type ReachableContact, reachableRecords, toReachableContact } from '../src/contact/person';
import { fail } from '../src/step/errors';
import { memory } from '../src/step/memory';
import { output } from '../src/step/output';

/** The number of opted-out contacts that a poll reads, which takes 50 requests. */
const maxRead = 5_000;

const maxExamples = 100;

/** Zapier remembers whom it has seen, so a week only makes sure that an outage of the service loses nobody. */
const weekMs = 7 * 24 * 60 * 60_000;

const tooMany = (): Error =>
  fail(
    `More than ${maxRead} contacts have opted out, which is more than this trigger can read without missing one. Use New Inbound Message with **Words or Phrases** such as stop instead.`,
    'too_many',
  );

/** Returns when a contact opted out, in milliseconds since 1970; `Infinity` when the service doesn't say. */
const optedOutAt = ({ consent_changed_at }: Contact): number => {
  const time = Date.parse(consent_changed_at ?? '');
  return Number.isNaN(time) ? Number.POSITIVE_INFINITY : time;
};

const perform = (async (z, bundle) => {
  // The list has the newest contacts first, and anybody can opt out, so it's read to its end.
  const { known, remember } = await memory(z, bundle, 'opted out');
  const start = typeof known === 'string' && known && !bundle.meta?.isLoadingSample ? known : undefined;
  const { seen, gaps, next } = await readList(
    (page) => call(z, endpoints.listContacts, { query: { ...page, consent: 'opted_out' } }),
    { limit: maxRead, start },
  );
  const hasMore = gaps.includes('more');
  // The next poll goes on there, or begins again.
  const isKept = (start || hasMore) && (await remember(hasMore ? (next ?? '') : '', weekMs / 1000)) !== undefined;
  if (hasMore && !(next && isKept)) throw tooMany();
  const newestFirst = seen.toSorted((one, other) => optedOutAt(other) - optedOutAt(one) || 0);
  const listed = bundle.meta?.isLoadingSample
    ? newestFirst.slice(0, maxExamples)
    : newestFirst.filter((each) => optedOutAt(each) > Date.now() - weekMs);
  return listed.map(toReachableContact);
}) satisfies PollingTriggerPerform<[], ReachableContact>;

const sample = {
  ...reachableRecords.contact.sample,
  consent: 'opted_out',
  consent_changed_at: contact.sample.updated_at,
};

export default defineTrigger({
  key: 'contact_opted_out',
  noun: 'Contact',
  display: {
    label: 'Contact Opted Out',
    description: 'Triggers when a contact opts out, so that your CRM and mailing list stop writing as well.',
  },
  operation: {
    type: 'polling',
    inputFields: [],
    perform,
    ...output({
      record: contact,
      schema: reachableRecords.contact.schema,
      sample,
      // A person who opts out again starts the Zap again.
      primary: ['id', 'consent_changed_at'],
    }),
  },
});

/** The operation of an instant trigger, and the recent records that its test step lists. */
import { isDeepStrictEqual } from 'node:util';
import type { Bundle, PlainInputField, ZObject } from 'zapier-platform-core';
import * as zod from 'zod/mini';
import { endpoints, type Input } from '../api/endpoints';
import { type EventName, type EventRecords, events } from '../api/events';
import { exists } from '../api/missing';
import { type Campaign, type Conversation, campaign, conversation, type Message, message } from '../api/resources';
import { isOnZapier } from '../call/address';
import { call } from '../call/call';
import { type List, pages } from '../call/pages';
import { reachable, withReachability } from '../contact/person';
import { withFiles } from '../message/files';
import { readChosen, searchChosen } from '../step/chosen';
import { channelFilter } from '../step/dropdowns';
import { formLabels, type InputOf, readInput } from '../step/input';
import { output, outputs, withKnownFields } from '../step/output';
import type { TimeZone } from '../step/time-zone';
import { summaryLine, withText } from '../text/lines';
import { hasPayload } from './delivery';
import { type InstantTrigger, isWanted, receive, watchedBy } from './receive';
import { requireWebhooks, subscribe } from './webhook';

type Query<E extends 'listMessages' | 'listConversations' | 'listCampaigns'> = Input<(typeof endpoints)[E]>['query'];

const labels = { channel: channelFilter.label };

/** The number of pages to read for one with records. */
const maxPages = 10;

/** Returns the records of the first page that has any, since a filter can leave pages before it empty. */
const firstRecords = async <T>(list: List<T>): Promise<T[]> => {
  for await (const { records } of pages(list, { maxPages })) if (records.length > 0) return records;
  return [];
};

/** Returns the newest messages that match, newest first. */
export const recentMessages = (z: ZObject, query: Query<'listMessages'>): Promise<Message[]> =>
  firstRecords((page) => call(z, endpoints.listMessages, { query: { ...query, ...page }, labels }));

/** Returns the newest conversations that match, newest first. */
export const recentConversations = (z: ZObject, query: Query<'listConversations'>): Promise<Conversation[]> =>
  firstRecords((page) => call(z, endpoints.listConversations, { query: { ...query, ...page }, labels }));

/** Returns the newest campaigns that match, newest first. */
export const recentCampaigns = (z: ZObject, query: Query<'listCampaigns'>): Promise<Campaign[]> =>
  firstRecords((page) => call(z, endpoints.listCampaigns, { query: { ...query, ...page } }));

type Noun = 'Message' | 'Conversation' | 'Campaign';

/** Whether a record of an event is a message, which it was read as. */
const isMessage = (noun: Noun, _record: object): _record is Message => noun === 'Message';

/** Returns what a trigger gives for a record of an event. A campaign isn't about one person. */
const describeEvent = <R extends object>(noun: Noun, record: R, timeZone: TimeZone): R => {
  if (noun === 'Campaign') return record;
  const readable = withReachability(withText(record));
  // The line tells a photo from a text that says "(photo)".
  return isMessage(noun, record) ? { ...readable, summary_line: summaryLine(record, timeZone) } : readable;
};

const triggerOutputs = {
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

/** Whether `zapier-platform invoke` runs the step on a developer's machine. A Zap that is turned on is subscribed. */
const isInvokedLocally = ({ subscribeData }: Bundle): boolean => !subscribeData && !isOnZapier();

/** The channel and the campaign of a subscription, if the form has their names. */
const keptChoices = zod.looseObject({ chosen: zod.catch(zod.optional(zod.record(zod.string(), zod.string())), {}) });

const records = { Message: message, Conversation: conversation, Campaign: campaign };

const lists = { Message: 'listMessages', Conversation: 'listConversations', Campaign: 'listCampaigns' } as const;

const parameterLabels = (inputFields: PlainInputField[]) => {
  const { sources, ...labels } = formLabels(inputFields);
  return { ...labels, source: sources };
};

/**
 * Returns the operation of an instant trigger. It subscribes only to its events, verifies and filters each delivery,
 * ignores repeated ones, lists recent records for the test step, and deletes only its own webhook. It throws an error
 * for a delivery that isn't genuine or has another format. Without the list of records, the test step shows the example.
 */
export const instantTrigger = <E extends EventName, const F extends PlainInputField[]>(
  trigger: InstantTrigger<E, F>,
) => {
  const { inputFields, filter, spacing, list } = trigger;
  const { noun, sample } = events[trigger.events[0]];
  const isListed = exists(lists[noun]);
  const example = withKnownFields(describeEvent(noun, sample, undefined), records[noun]);

  const readForm = ({ inputData }: Bundle): InputOf<F> => {
    const input = readInput(inputFields, inputData);
    // A value that can't be used must not turn on.
    spacing?.(input);
    return input;
  };

  const toResults = (z: ZObject, records: EventRecords[E][], { meta }: Bundle): EventRecords[E][] =>
    records.map((record) => withFiles(z, describeEvent(noun, record, meta?.timezone)));

  const performList = async (z: ZObject, bundle: Bundle): Promise<EventRecords[E][]> => {
    const input = readForm(bundle);
    // Zapier subscribes only when the finished Zap is published, which is late to hear that the plan is too low.
    await requireWebhooks(z);
    if (!isListed) return [example];
    const records = await searchChosen(z, input, async (chosen) =>
      (await list(z, chosen)).filter((record) => isWanted(trigger, chosen, record)),
    );
    return toResults(z, records, bundle);
  };

  const performSubscribe = async (z: ZObject, bundle: Bundle) => {
    const input = readForm(bundle);
    const chosen = await readChosen(z, input);
    const filters = filter({ ...input, ...chosen });
    const watched = watchedBy(trigger, input);
    const kept = await subscribe(z, bundle.targetUrl ?? '', watched, filters, parameterLabels(inputFields));
    return isDeepStrictEqual({ ...input, ...chosen }, input) ? kept : { ...kept, chosen };
  };

  const performUnsubscribe = async (z: ZObject, { subscribeData }: Bundle) => {
    const id = subscribeData?.id;
    if (id) await call(z, endpoints.deleteWebhook, { id }, { unless: 'gone' });
    return { id };
  };

  const perform = async (z: ZObject, bundle: Bundle): Promise<EventRecords[E][]> => {
    // A delivery has the keys, and the form may have names.
    const readChosenForm = () => ({ ...readForm(bundle), ...keptChoices.parse(bundle.subscribeData).chosen });
    if (hasPayload(bundle)) return toResults(z, await receive(z, bundle, trigger, readChosenForm), bundle);
    return isInvokedLocally(bundle) ? performList(z, bundle) : [];
  };

  return {
    type: 'hook' as const,
    inputFields,
    performSubscribe,
    performUnsubscribe,
    perform,
    performList,
    ...triggerOutputs[noun],
    sample: example,
  };
};

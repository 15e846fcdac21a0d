/** The fields in which people choose a record of the service, and what their dropdowns list. */
import { type Bundle, defineInputField, type PlainInputField, type ZObject } from 'zapier-platform-core';
import { endpoints } from '../api/endpoints';
import { exists } from '../api/missing';
import { campaign, channel, contact, conversation, message, template } from '../api/resources';
import type { EndpointName } from '../api/transport';
import { call } from '../call/call';
import { type List, readList } from '../call/pages';
import { nameOfPerson } from '../contact/person';
import { groupVersions, isApproved, labelOfTemplate, onChannel } from '../message/template';
import { foldCase, readText, toOneLine } from '../text/fold';
import { timestamp, toLine, toOrFrom } from '../text/lines';

interface Choice {
  id: string;
  label: string;
}

interface Dropdown<T> {
  /** Requests one page of records. */
  list: (z: ZObject, page: Parameters<List<T>>[0], bundle: Bundle) => ReturnType<List<T>>;
  /** Returns what each record is called. Several records can be one choice. */
  toChoices: (records: T[], bundle: Bundle) => Choice[];
  /** How many requests a page of choices may take. */
  requests?: number;
  /** Whether people look for a name. By default, the newest come first. */
  isByName?: boolean;
}

const maxLabel = 250;

/** How long a list may take until people ask for more of it. A step has 30 seconds. */
const maxSeconds = 15;

const maxText = 60;

/** Returns each choice once, since core rejects a list with two of an id. Labels that look equal get their ids. */
const withDistinctLabels = (choices: readonly Choice[]): Choice[] => {
  const ids = new Set<string>();
  const unique = choices.filter(({ id }) => !ids.has(id) && ids.add(id));
  const shown = unique.map(({ id, label }) => ({ id, label: toOneLine(label, maxLabel) || id }));
  const byLabel = Map.groupBy(shown, ({ label }) => foldCase(label));
  return shown.map((each) =>
    byLabel.get(foldCase(each.label))?.length === 1 ? each : { ...each, label: `${each.label} (${each.id})` },
  );
};

/**
 * Returns the function that lists a dropdown's choices. The token of its next page is the cursor of the service, and
 * Zapier gives it back when a person asks for more.
 */
const listing =
  <T extends object>({ list, toChoices, requests = 1, isByName }: Dropdown<T>) =>
  async (z: ZObject, bundle: Bundle): Promise<{ results: Choice[]; paging_token: string | null }> => {
    const from = bundle.meta?.paging_token || undefined;
    const until = Date.now() + maxSeconds * 1000;
    const range = { keyOf: (record: T) => JSON.stringify(record), start: from, maxPages: requests, until };
    const { records, next } = await readList((page) => list(z, page, bundle), range);
    const results = withDistinctLabels(toChoices(records, bundle));
    if (isByName) results.sort((one, other) => one.label.localeCompare(other.label, 'en'));
    return { results, paging_token: next ?? null };
  };

const inParentheses = (parts: (string | number | null | undefined | false)[]): string => {
  const shown = parts.filter(Boolean).join(', ');
  return shown && ` (${shown})`;
};

const countRecipients = (size: number | null | undefined): string | undefined =>
  size === null || size === undefined ? undefined : `${size} ${size === 1 ? 'recipient' : 'recipients'}`;

export const dropdowns = {
  channels: listing({
    list: (z, page) => call(z, endpoints.listChannels, { query: page }),
    toChoices: (channels) => channels.map(({ key, name }) => ({ id: key, label: name ?? key })),
  }),

  /** The approved templates of the chosen channel, each with all its languages. */
  templates: listing({
    list: async (z, page, { inputData }) => {
      const channel = readText(inputData.channel);
      // A name can mean another template on each channel.
      if (!channel) return { data: [] };
      return call(z, endpoints.listTemplates, { query: { ...page, channel }, labels: { channel: 'Channel' } });
    },
    toChoices: (versions, { inputData }) =>
      groupVersions(onChannel(versions.filter(isApproved), readText(inputData.channel) ?? '')).map((languages) => ({
        id: languages[0]?.name ?? '',
        label: labelOfTemplate(languages),
      })),
    // The service lists each language by itself, so that a list in parts would show a template without some of them.
    requests: 100,
    isByName: true,
  }),

  campaigns: listing({
    list: (z, page) => call(z, endpoints.listCampaigns, { query: page }),
    toChoices: (campaigns) =>
      campaigns.map(({ id, name, status, audience_size }) => ({
        id,
        label: `${name ?? id}${inParentheses([status, countRecipients(audience_size)])}`,
      })),
  }),

  contacts: listing({
    list: (z, page) => call(z, endpoints.listContacts, { query: page }),
    toChoices: (contacts) =>
      contacts.map((contact) => ({ id: contact.id, label: nameOfPerson(contact) ?? contact.id })),
    isByName: true,
  }),

  conversations: listing({
    list: (z, page) => call(z, endpoints.listConversations, { query: page }),
    toChoices: (conversations, { meta }) =>
      conversations.map(({ id, contact, channel, status, last_message_at }) => ({
        id,
        label: `${timestamp(last_message_at, meta?.timezone)}${nameOfPerson(contact) ?? id}${inParentheses([channel, status])}`,
      })),
  }),

  messages: listing({
    list: (z, page) => call(z, endpoints.listMessages, { query: page }),
    toChoices: (messages, { meta }) =>
      messages.map((message) => ({
        id: message.id,
        label: `${timestamp(message.created_at, meta?.timezone)}${toOrFrom(message)}: ${toOneLine(toLine(message), maxText)}`,
      })),
  }),
};

/**
 * Returns what makes a field a dropdown: the function that lists its choices, the kind of record that a value identifies,
 * such as `contact`, and the search that finds one in an earlier step, such as `find_contact.id`. Without the call that
 * lists the choices, people enter a value, such as `example`.
 */
const dropdown = (
  list: EndpointName,
  example: string,
  resource: string,
  perform: (typeof dropdowns)[keyof typeof dropdowns],
  search?: string,
): Pick<PlainInputField, 'choices' | 'resource' | 'search' | 'placeholder'> =>
  exists(list) ? { choices: { perform }, resource, ...(search && { search }) } : { placeholder: example };

const channels = dropdown('listChannels', channel.sample.key, 'channel', dropdowns.channels);

export const channelField = defineInputField({
  key: 'channel',
  label: 'Channel',
  required: true,
  ...channels,
  altersDynamicFields: true,
});

export const channelFilter = defineInputField({
  key: 'channel',
  label: 'Channel',
  ...channels,
});

export const templateField = defineInputField({
  key: 'template',
  label: 'Template',
  required: true,
  ...dropdown('listTemplates', template.sample.name, 'template', dropdowns.templates, 'find_template.name'),
  dependsOn: ['channel'],
  altersDynamicFields: true,
  helpText: exists('listTemplates')
    ? 'Only approved templates are listed. The messaging service chooses the language for each contact.'
    : 'Enter the name of an approved template as the messaging service shows it, including capital letters.',
});

export const contactField = defineInputField({
  key: 'contact',
  label: 'Contact',
  required: true,
  ...dropdown('listContacts', contact.sample.id, 'contact', dropdowns.contacts, 'find_contact.id'),
  helpText: 'Choose a contact, or map Contact ID from an earlier step.',
});

/** Limits a search to one contact. A person who hides their phone number can't be found by anything else. */
export const contactFilter = defineInputField({
  key: 'contact',
  label: 'Contact',
  ...dropdown('listContacts', contact.sample.id, 'contact', dropdowns.contacts),
});

export const campaignField = defineInputField({
  key: 'campaign',
  label: 'Campaign',
  required: true,
  ...dropdown('listCampaigns', campaign.sample.id, 'campaign', dropdowns.campaigns, 'find_campaign.id'),
  altersDynamicFields: true,
  helpText: 'Choose a campaign, or map Campaign ID from an earlier step.',
});

export const campaignFilter = defineInputField({
  key: 'campaign',
  label: 'Campaign',
  ...dropdown('listCampaigns', campaign.sample.id, 'campaign', dropdowns.campaigns),
});

export const conversationField = defineInputField({
  key: 'conversation',
  label: 'Conversation',
  ...dropdown('listConversations', conversation.sample.id, 'conversation', dropdowns.conversations),
});

export const messageField = defineInputField({
  key: 'message',
  label: 'Message',
  required: true,
  ...dropdown('listMessages', message.sample.id, 'message', dropdowns.messages),
});

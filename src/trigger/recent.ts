import type { ZObject } from 'zapier-platform-core';
import { endpoints, type Input } from '../api/endpoints';
import type { Campaign, Conversation, Message } from '../api/resources';
import { call } from '../call/call';
import { type List, pages } from '../call/pages';
import { channelFilter } from '../step/reference-fields';

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

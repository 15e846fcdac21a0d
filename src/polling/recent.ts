import type { ZObject } from 'zapier-platform-core';
import { endpoints, exists, type Input, pageSize } from '../api/endpoints';
import type { Campaign, Conversation, Message } from '../api/resources';
import { call } from '../http/client';
import { firstFilledPage } from './paginate';

type Query<E extends 'listMessages' | 'listConversations' | 'listCampaigns'> = Input<(typeof endpoints)[E]>['query'];

const limit = pageSize.max;

/** Returns the newest messages that match, newest first; none when the service can't list them. */
export const recentMessages = async (z: ZObject, query: Query<'listMessages'>): Promise<Message[]> => {
  if (!exists('listMessages')) return [];
  const list = (after?: string) => call(z, endpoints.listMessages, { query: { ...query, limit, after } });
  return (await firstFilledPage(list)).data;
};

/** Returns the newest conversations that match, newest first. */
export const recentConversations = async (z: ZObject, query: Query<'listConversations'>): Promise<Conversation[]> => {
  const list = (after?: string) => call(z, endpoints.listConversations, { query: { ...query, limit, after } });
  return (await firstFilledPage(list)).data;
};

/** Returns the newest campaigns that match, newest first. */
export const recentCampaigns = async (z: ZObject, query: Query<'listCampaigns'>): Promise<Campaign[]> => {
  const list = (after?: string) => call(z, endpoints.listCampaigns, { query: { ...query, limit, after } });
  return (await firstFilledPage(list)).data;
};

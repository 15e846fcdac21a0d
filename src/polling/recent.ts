import type { ZObject } from 'zapier-platform-core';
import { endpoints, exists, type Input, pageSize } from '../api/endpoints';
import type { Campaign, Conversation, Message } from '../api/resources';
import { call } from '../http/client';

type Query<E extends 'listMessages' | 'listConversations' | 'listCampaigns'> = Input<(typeof endpoints)[E]>['query'];

const limit = pageSize.max;

/** Returns the newest messages that match, newest first; none when the service can't list them. Makes one request. */
export const recentMessages = async (z: ZObject, query: Query<'listMessages'>): Promise<Message[]> =>
  exists('listMessages') ? (await call(z, endpoints.listMessages, { query: { ...query, limit } })).data : [];

/** Returns the newest conversations that match, newest first. Makes one request. */
export const recentConversations = async (z: ZObject, query: Query<'listConversations'>): Promise<Conversation[]> =>
  (await call(z, endpoints.listConversations, { query: { ...query, limit } })).data;

/** Returns the newest campaigns that match, newest first. Makes one request. */
export const recentCampaigns = async (z: ZObject, query: Query<'listCampaigns'>): Promise<Campaign[]> =>
  (await call(z, endpoints.listCampaigns, { query: { ...query, limit } })).data;

import type * as z from 'zod/mini';
import { campaign, campaignRun, contact, conversation, message, template, webhook } from '../../src/api/resources';
import { ApiError } from '../api-error';
import type { WorkspaceContext } from '../engine/context';
import type { Database } from './database';

/** How a resource is stored: its table, the view with its JSON document, and the column that a GET finds it by. */
export interface ResourceType<S extends z.ZodMiniType = z.ZodMiniType> {
  noun: string;
  table: string;
  view: string;
  key: 'id' | 'name';
  schema: S;
}

const resourceType = <S extends z.ZodMiniType>(
  name: string,
  schema: S,
  key: 'id' | 'name' = 'id',
): ResourceType<S> => ({
  noun: name.replace('_', ' '),
  table: `${name}s`,
  view: `${name}_documents`,
  key,
  schema,
});

export const resourceTypes = {
  template: resourceType('template', template.schema, 'name'),
  contact: resourceType('contact', contact.schema),
  conversation: resourceType('conversation', conversation.schema),
  message: resourceType('message', message.schema),
  campaign: resourceType('campaign', campaign.schema),
  campaignRun: resourceType('campaign_run', campaignRun.schema),
  webhook: resourceType('webhook', webhook.schema),
};

/** Returns the resource as a GET does. Throws a 404 when the workspace has none with this key. */
export const readResource = <S extends z.ZodMiniType>(
  { database, workspaceId }: WorkspaceContext,
  { noun, view, key, schema }: ResourceType<S>,
  id: string,
): z.output<S> => {
  const sql = `SELECT document FROM ${view} WHERE workspace_id = ? AND ${key} = ?`;
  const document = database.text(sql, workspaceId, id);
  if (!document) throw new ApiError('not_found', `There is no ${noun} ${id}.`);
  return schema.parse(JSON.parse(document));
};

/** Returns the id of the workspace that owns the resource. Throws a 404 when there is no such resource. */
export const ownerOf = (database: Database, { noun, view }: ResourceType, id: string): string => {
  const workspaceId = database.text(`SELECT workspace_id FROM ${view} WHERE id = ?`, id);
  if (!workspaceId) throw new ApiError('not_found', `There is no ${noun} ${id}.`);
  return workspaceId;
};

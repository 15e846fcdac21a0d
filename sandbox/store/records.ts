import * as z from 'zod/mini';
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
  noun: string,
  schema: S,
  key: 'id' | 'name' = 'id',
): ResourceType<S> => ({
  noun,
  table: `${noun}s`,
  view: `${noun}_documents`,
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

const documentRow = z.object({ document: z.string() });

/** Returns the resource as a GET does. Throws a 404 when the workspace has none with this key. */
export const readResource = <S extends z.ZodMiniType>(
  { database, workspaceId }: WorkspaceContext,
  { noun, view, key, schema }: ResourceType<S>,
  id: string,
): z.output<S> => {
  const sql = `SELECT document FROM ${view} WHERE workspace_id = ? AND ${key} = ?`;
  const found = database.first(documentRow, sql, workspaceId, id);
  if (!found) throw new ApiError('not_found', `There is no ${noun.replace('_', ' ')} ${id}.`);
  return schema.parse(JSON.parse(found.document));
};

const workspaceRow = z.object({ workspace_id: z.string() });

/** Returns the id of the workspace that owns the resource. Throws a 404 when there is no such resource. */
export const ownerOf = (database: Database, { noun, view }: ResourceType, id: string): string => {
  const found = database.first(workspaceRow, `SELECT workspace_id FROM ${view} WHERE id = ?`, id);
  if (!found) throw new ApiError('not_found', `There is no ${noun} ${id}.`);
  return found.workspace_id;
};

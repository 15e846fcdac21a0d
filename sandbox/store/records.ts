import * as z from 'zod/mini';
import { campaign, campaignRun, contact, conversation, message, template, webhook } from '../../src/api/resources';
import { Refusal } from '../refusal';
import type { Database } from './database';

/** Where a resource is kept: its table, the view that shows it as the contract does, and what a GET names it by. */
export interface Kind<S extends z.ZodMiniType = z.ZodMiniType> {
  noun: string;
  table: string;
  view: string;
  key: 'id' | 'name';
  schema: S;
}

const kind = <S extends z.ZodMiniType>(noun: string, schema: S, key: 'id' | 'name' = 'id'): Kind<S> => ({
  noun,
  table: `${noun}s`,
  view: `${noun}_documents`,
  key,
  schema,
});

export const kinds = {
  template: kind('template', template.schema, 'name'),
  contact: kind('contact', contact.schema),
  conversation: kind('conversation', conversation.schema),
  message: kind('message', message.schema),
  campaign: kind('campaign', campaign.schema),
  campaignRun: kind('campaign_run', campaignRun.schema),
  webhook: kind('webhook', webhook.schema),
};

/** The workspace's resource of this kind as a GET returns it, or a 404. */
export const read = <S extends z.ZodMiniType>(
  database: Database,
  { noun, view, key, schema }: Kind<S>,
  workspaceId: string,
  id: string,
): z.output<S> => {
  const sql = `SELECT document FROM ${view} WHERE workspace_id = ? AND ${key} = ?`;
  const [found] = database.documents(schema, sql, workspaceId, id);
  if (!found) throw new Refusal('not_found', `There is no ${noun.replace('_', ' ')} ${id}.`);
  return found;
};

const workspaceRow = z.object({ workspace_id: z.string() });

/** The workspace that the resource with this id belongs to, or a 404. */
export const ownerOf = (database: Database, { noun, view }: Kind, id: string): string => {
  const found = database.first(workspaceRow, `SELECT workspace_id FROM ${view} WHERE id = ?`, id);
  if (!found) throw new Refusal('not_found', `There is no ${noun} ${id}.`);
  return found.workspace_id;
};

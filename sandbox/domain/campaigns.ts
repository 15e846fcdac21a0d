import * as z from 'zod/mini';
import type { BodyOf } from '../../src/api/endpoints';
import type { Campaign, CampaignRun } from '../../src/api/resources';
import { ApiError, validationError } from '../api-error';
import type { WorkspaceContext } from '../engine/context';
import { readResource, resourceTypes } from '../store/records';
import { publish } from '../webhooks/events';
import { requireE164 } from './phone-numbers';
import { renderTemplate } from './templates';

const campaignRow = z.object({
  id: z.string(),
  workspace_id: z.string(),
  channel: z.string(),
  template: z.string(),
  status: z.string(),
  audience_tag: z.string(),
});
export type CampaignRow = z.output<typeof campaignRow>;

/** Contacts with the tag and a phone number who haven't opted out. */
export const audience = `FROM contacts WHERE workspace_id = ? AND ? IN (SELECT value FROM json_each(tags))
  AND phone IS NOT NULL AND consent <> 'opted_out'`;

const countAudience = ({ database, workspaceId }: WorkspaceContext, tag: string): number =>
  database.number(`SELECT count(*) ${audience}`, workspaceId, tag) ?? 0;

/** A campaign for contacts with the tag `audience`. */
export interface NewCampaign {
  name: string;
  template: string;
  audience: string;
  status: 'draft' | 'scheduled' | 'canceled';
}

/** Creates a WhatsApp campaign and returns its id. */
export const createCampaign = (
  context: WorkspaceContext,
  { name, template, audience: tag, status }: NewCampaign,
): string => {
  const id = context.random.id('cmp');
  context.database.insert('campaigns', {
    id,
    workspace_id: context.workspaceId,
    name,
    channel: 'whatsapp',
    template,
    status,
    audience_tag: tag,
    audience_size: countAudience(context, tag),
    created_at: context.clock.now(),
  });
  return id;
};

/** Returns the campaign's row. Throws a 404 when the workspace has no such campaign. */
export const readCampaign = ({ database, workspaceId }: WorkspaceContext, id: string): CampaignRow => {
  const sql = 'SELECT * FROM campaigns WHERE workspace_id = ? AND id = ?';
  const found = database.first(campaignRow, sql, workspaceId, id);
  if (!found) throw new ApiError('not_found', `There is no campaign ${id}.`);
  return found;
};

/** A condition for runs that haven't ended, and whose end is also the campaign's: those for its saved audience. */
export const unfinished = "recipient IS NULL AND status NOT IN ('completed', 'failed')";

const isSending = ({ database }: WorkspaceContext, { id, status }: CampaignRow): boolean => {
  const sql = `SELECT 1 FROM campaign_runs WHERE campaign_id = ? AND ${unfinished}`;
  return status === 'sending' || database.number(sql, id) !== undefined;
};

const requireStartable = (context: WorkspaceContext, campaign: CampaignRow, to: string | undefined): void => {
  if (campaign.status === 'canceled') {
    throw validationError([{ field: 'id', message: 'this campaign was canceled' }]);
  }
  if (to !== undefined || !isSending(context, campaign)) return;
  throw validationError([{ field: 'id', message: 'this campaign is already sending to its audience' }]);
};

/**
 * Starts a run of the campaign for its saved audience, or for the one recipient `to`, which leaves the campaign's status
 * as it is. Throws a 422 when the campaign is canceled or already sending.
 */
export const triggerCampaign = (
  context: WorkspaceContext,
  id: string,
  { to, variables }: BodyOf<'triggerCampaign'>,
): CampaignRun => {
  const { database, clock, random } = context;
  const campaign = readCampaign(context, id);
  if (to !== undefined) requireE164('to', to);
  if (to === undefined && variables) {
    throw validationError([{ field: 'to', message: 'is needed when there are variables' }]);
  }
  requireStartable(context, campaign, to);
  renderTemplate(context, { ...campaign, variables: variables ?? {} });
  const size = countAudience(context, campaign.audience_tag);
  const run = random.id('run');
  const recipients = to === undefined ? size : 1;
  database.insert('campaign_runs', {
    id: run,
    campaign_id: id,
    status: 'queued',
    recipient: to,
    variables: JSON.stringify(variables ?? {}),
    recipients,
    created_at: clock.now(),
    due_at: clock.now() + random.integer(300, 700),
  });
  database.update('campaigns', id, { audience_size: size });
  database.run('UPDATE campaigns SET recipients = recipients + ? WHERE id = ?', recipients, id);
  return readResource(context, resourceTypes.campaignRun, run);
};

/** Ends the campaign and its runs for the saved audience. */
export const endCampaign = (context: WorkspaceContext, id: string, status: 'completed' | 'failed'): Campaign => {
  const { database, clock } = context;
  const campaign = readCampaign(context, id);
  const sql = `UPDATE campaign_runs SET status = ?, due_at = NULL WHERE campaign_id = ? AND ${unfinished}`;
  database.run(sql, status, campaign.id);
  database.update('campaigns', id, { status, completed_at: status === 'completed' ? clock.now() : null });
  publish(context, `campaign.${status}`, id);
  return readResource(context, resourceTypes.campaign, id);
};

import * as z from 'zod/mini';
import { linkTo } from '../../../src/api/addresses';
import type { BodyOf } from '../../../src/api/endpoints';
import type { Campaign, CampaignRun } from '../../../src/api/resources';
import { toIso } from '../../zapier/clock';
import { validationError } from '../engine/api-error';
import type { WorkspaceContext } from '../store/context';
import { addRecord, changeRecord, readDocument, readRecord } from '../store/records';
import { publish } from '../webhooks/events';
import { languageByPhone, recipientByPhone } from './contacts';
import { requireE164 } from './phone-numbers';
import { renderTemplate } from './templates';

const stats = ['recipients', 'sent', 'delivered', 'read', 'replied', 'failed'] as const;
type Stat = (typeof stats)[number];

const campaignDocument = z.object({
  id: z.string(),
  name: z.string(),
  channel: z.string(),
  template: z.string(),
  status: z.string(),
  /** The tag of its contacts. */
  audience: z.string(),
});
export type StoredCampaign = z.output<typeof campaignDocument>;

/** Contacts with the tag and a phone number who haven't opted out. */
export const audience = `FROM records WHERE kind = 'contact' AND workspace = ?
  AND ? IN (SELECT value FROM json_each(document, '$.tags'))
  AND document ->> 'phone' IS NOT NULL AND document ->> 'consent' <> 'opted_out'`;

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
export const createCampaign = (context: WorkspaceContext, campaign: NewCampaign): string => {
  const id = context.random.id('cmp');
  addRecord(context, 'campaign', id, {
    ...campaign,
    id,
    channel: 'whatsapp',
    audience_size: countAudience(context, campaign.audience),
    stats: Object.fromEntries(stats.map((stat) => [stat, 0])),
    url: linkTo(`campaigns/${id}`),
    created_at: toIso(context.clock.now()),
  });
  return id;
};

/** Returns the campaign. Throws a 404 when the workspace has no such campaign. */
export const readCampaign = (context: WorkspaceContext, id: string): StoredCampaign =>
  readDocument(context, 'campaign', id, campaignDocument);

const withStats = z.object({ stats: z.record(z.enum(stats), z.number()) });

/** Adds to one of the campaign's figures. */
export const countInCampaign = (context: WorkspaceContext, id: string, stat: Stat, count = 1): void => {
  const known = readDocument(context, 'campaign', id, withStats).stats;
  changeRecord(context, 'campaign', id, { stats: { ...known, [stat]: known[stat] + count } });
};

/** The campaign's runs that haven't ended, and whose end is also the campaign's: those for its saved audience. */
export const unfinishedRuns = `FROM records WHERE kind = 'campaign_run' AND document ->> 'campaign_id' = ?
  AND document ->> 'to' IS NULL AND document ->> 'status' NOT IN ('completed', 'failed')`;

const isSending = ({ database }: WorkspaceContext, { id, status }: StoredCampaign): boolean =>
  status === 'sending' || database.number(`SELECT 1 ${unfinishedRuns}`, id) !== undefined;

const requireStartable = (context: WorkspaceContext, campaign: StoredCampaign, to: string | undefined): void => {
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
  const { clock, random } = context;
  const campaign = readCampaign(context, id);
  if (to !== undefined) requireE164('to', to);
  if (to === undefined && variables) {
    throw validationError([{ field: 'to', message: 'is needed when there are variables' }]);
  }
  requireStartable(context, campaign, to);
  const language = to === undefined ? undefined : languageByPhone(context, to);
  renderTemplate(context, { ...campaign, language, variables: variables ?? {} });
  if (to !== undefined) recipientByPhone(context, to);
  const size = countAudience(context, campaign.audience);
  const run = random.id('run');
  const recipients = to === undefined ? size : 1;
  addRecord(context, 'campaign_run', run, {
    id: run,
    campaign_id: id,
    campaign_name: campaign.name,
    status: 'queued',
    recipients,
    created_at: toIso(clock.now()),
    to,
    variables: variables ?? {},
    reached: 0,
    due_at: clock.now() + random.integer(300, 700),
  });
  changeRecord(context, 'campaign', id, { audience_size: size });
  countInCampaign(context, id, 'recipients', recipients);
  return readRecord(context, 'campaign_run', run);
};

const idRow = z.object({ id: z.string() });

/** Ends the campaign and its runs for the saved audience. */
export const endCampaign = (context: WorkspaceContext, id: string, status: 'completed' | 'failed'): Campaign => {
  const { database, clock } = context;
  const campaign = readCampaign(context, id);
  for (const run of database.all(idRow, `SELECT id ${unfinishedRuns}`, campaign.id)) {
    changeRecord(context, 'campaign_run', run.id, { status, due_at: null });
  }
  const completed_at = status === 'completed' ? toIso(clock.now()) : null;
  changeRecord(context, 'campaign', id, { status, completed_at });
  publish(context, `campaign.${status}`, id);
  return readRecord(context, 'campaign', id);
};

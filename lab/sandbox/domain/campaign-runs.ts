import * as z from 'zod/mini';
import { second, toIso } from '../../zapier/clock';
import { ApiError } from '../engine/api-error';
import type { WorkspaceContext } from '../store/context';
import { workOn } from '../store/due-records';
import { changeRecord } from '../store/records';
import { publish } from '../webhooks/events';
import { audience, countInCampaign, endCampaign, readCampaign, type StoredCampaign, unfinishedRuns } from './campaigns';
import { sendMessage } from './messages';

const dueRun = z.object({
  id: z.string(),
  campaign_id: z.string(),
  status: z.enum(['queued', 'sending', 'finishing']),
  /** The only recipient. Without it, the run is for the saved audience. */
  to: z.optional(z.string()),
  variables: z.record(z.string(), z.string()),
  /** The contact that it sent to last. */
  reached: z.number(),
  due_at: z.number(),
});
type DueRun = z.output<typeof dueRun>;

const memberRow = z.object({ seq: z.number(), phone: z.string() });

const batchSize = 25;

const begin = (context: WorkspaceContext, run: DueRun): void => {
  changeRecord(context, 'campaign_run', run.id, { status: 'sending' });
  if (run.to || readCampaign(context, run.campaign_id).status === 'sending') return;
  const started_at = toIso(run.due_at);
  changeRecord(context, 'campaign', run.campaign_id, { status: 'sending', started_at, completed_at: null });
  publish(context, 'campaign.started', run.campaign_id);
};

/** Sends to one recipient. A refused message doesn't stop the run. */
const sendTo = (context: WorkspaceContext, campaign: StoredCampaign, { variables }: DueRun, to: string): void => {
  try {
    sendMessage(context, { channel: campaign.channel, to, template: campaign.template, variables }, campaign);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    countInCampaign(context, campaign.id, 'failed');
  }
};

const sendBatch = (context: WorkspaceContext, run: DueRun): void => {
  const campaign = readCampaign(context, run.campaign_id);
  if (run.to) {
    sendTo(context, campaign, run, run.to);
    changeRecord(context, 'campaign_run', run.id, { status: 'finishing' });
    return;
  }
  const members = context.database.all(
    memberRow,
    `SELECT seq, document ->> 'phone' AS phone ${audience} AND seq > ? ORDER BY seq LIMIT ?`,
    context.workspaceId,
    campaign.audience,
    run.reached,
    batchSize,
  );
  for (const { phone } of members) sendTo(context, campaign, run, phone);
  const reached = members.at(-1)?.seq;
  changeRecord(context, 'campaign_run', run.id, reached === undefined ? { status: 'finishing' } : { reached });
};

const queuedMessages = `FROM records WHERE kind = 'message' AND document ->> 'campaign_id' = ?
  AND document ->> 'status' = 'queued'`;

const finish = (context: WorkspaceContext, run: DueRun): void => {
  const exists = (rows: string) => context.database.number(`SELECT 1 ${rows}`, run.campaign_id) !== undefined;
  if (exists(queuedMessages)) return;
  changeRecord(context, 'campaign_run', run.id, { status: 'completed', due_at: null });
  if (run.to || exists(unfinishedRuns)) return;
  endCampaign(context, run.campaign_id, 'completed');
};

const stages = { queued: begin, sending: sendBatch, finishing: finish };

/** Sends a campaign run to its recipients in batches, one batch per second. */
export const advanceRun = workOn(dueRun, (context, run) => {
  changeRecord(context, 'campaign_run', run.id, { due_at: run.due_at + second });
  stages[run.status](context, run);
});

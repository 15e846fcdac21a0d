import * as z from 'zod/mini';
import { ApiError } from '../api-error';
import { second } from '../engine/clock';
import { inWorkspace, type SandboxContext, type WorkspaceContext } from '../engine/context';
import type { Job } from '../engine/scheduler';
import { publish } from '../webhooks/events';
import { audience, type CampaignRow, endCampaign, readCampaign, unfinished } from './campaigns';
import { sendMessage } from './messages';

const runRow = z.object({
  id: z.string(),
  campaign_id: z.string(),
  workspace_id: z.string(),
  status: z.enum(['queued', 'sending', 'finishing']),
  recipient: z.nullable(z.string()),
  variables: z.string(),
  reached: z.number(),
  due_at: z.number(),
});
type RunRow = z.output<typeof runRow>;

const memberRow = z.object({ seq: z.number(), phone: z.string() });

const batchSize = 25;

const begin = (context: WorkspaceContext, run: RunRow): void => {
  context.database.update('campaign_runs', run.id, { status: 'sending' });
  if (run.recipient || readCampaign(context, run.campaign_id).status === 'sending') return;
  context.database.update('campaigns', run.campaign_id, {
    status: 'sending',
    started_at: run.due_at,
    completed_at: null,
  });
  publish(context, 'campaign.started', run.campaign_id);
};

/** Sends to one recipient. A refused message doesn't stop the run. */
const sendTo = (context: WorkspaceContext, campaign: CampaignRow, { variables }: RunRow, to: string): void => {
  try {
    const send = { channel: campaign.channel, to, template: campaign.template, variables: JSON.parse(variables) };
    sendMessage(context, send, campaign.id);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    context.database.run('UPDATE campaigns SET failed = failed + 1 WHERE id = ?', campaign.id);
  }
};

const sendBatch = (context: WorkspaceContext, run: RunRow): void => {
  const { database } = context;
  const campaign = readCampaign(context, run.campaign_id);
  if (run.recipient) {
    sendTo(context, campaign, run, run.recipient);
    database.update('campaign_runs', run.id, { status: 'finishing' });
    return;
  }
  const members = database.all(
    memberRow,
    `SELECT seq, phone ${audience} AND seq > ? ORDER BY seq LIMIT ?`,
    context.workspaceId,
    campaign.audience_tag,
    run.reached,
    batchSize,
  );
  for (const { phone } of members) sendTo(context, campaign, run, phone);
  const reached = members.at(-1)?.seq;
  database.update('campaign_runs', run.id, reached === undefined ? { status: 'finishing' } : { reached });
};

const exists = ({ database }: SandboxContext, sql: string, campaignId: string): boolean =>
  database.number(sql, campaignId) !== undefined;

const finish = (context: WorkspaceContext, run: RunRow): void => {
  if (exists(context, "SELECT 1 FROM messages WHERE campaign_id = ? AND status = 'queued'", run.campaign_id)) return;
  context.database.update('campaign_runs', run.id, { status: 'completed', due_at: null });
  if (run.recipient) return;
  if (exists(context, `SELECT 1 FROM campaign_runs WHERE campaign_id = ? AND ${unfinished}`, run.campaign_id)) return;
  endCampaign(context, run.campaign_id, 'completed');
};

const stages = { queued: begin, sending: sendBatch, finishing: finish };

const advanceRun = (context: WorkspaceContext, run: RunRow): void => {
  context.database.update('campaign_runs', run.id, { due_at: run.due_at + second });
  stages[run.status](context, run);
};

/** Sends campaign runs to their recipients in batches, one batch per second. */
export const campaignRuns = (context: SandboxContext): Job => ({
  nextDue: () => context.database.number('SELECT min(due_at) FROM campaign_runs WHERE due_at IS NOT NULL'),
  run: (until) =>
    context.database.transaction(() => {
      const sql = `SELECT run.*, campaign.workspace_id FROM campaign_runs AS run
        JOIN campaigns AS campaign ON campaign.id = run.campaign_id WHERE run.due_at <= ? ORDER BY run.due_at LIMIT 10`;
      for (const run of context.database.all(runRow, sql, until)) {
        advanceRun(inWorkspace(context, run.workspace_id, run.due_at), run);
      }
    }),
});

import * as z from 'zod/mini';
import { at, type Service } from '../engine/context';
import { type Job, readDue } from '../engine/scheduler';
import { Refusal } from '../refusal';
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
type Run = z.output<typeof runRow>;

const memberRow = z.object({ seq: z.number(), phone: z.string() });

const perSecond = 25;

const begin = (service: Service, run: Run): void => {
  const { status } = readCampaign(service, run.workspace_id, run.campaign_id);
  service.database.update('campaign_runs', run.id, { status: 'sending' });
  if (status === 'sending') return;
  service.database.update('campaigns', run.campaign_id, {
    status: 'sending',
    started_at: run.due_at,
    completed_at: null,
  });
  publish(service, run.workspace_id, 'campaign.started', run.campaign_id);
};

/** One recipient who cannot be written to must not stop the others. */
const sendTo = (service: Service, campaign: CampaignRow, { variables }: Run, to: string): void => {
  try {
    const send = { channel: campaign.channel, to, template: campaign.template, variables: JSON.parse(variables) };
    sendMessage(service, campaign.workspace_id, send, campaign.id);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    service.database.run('UPDATE campaigns SET failed = failed + 1 WHERE id = ?', campaign.id);
  }
};

const sendBatch = (service: Service, run: Run): void => {
  const { database } = service;
  const campaign = readCampaign(service, run.workspace_id, run.campaign_id);
  if (run.recipient) {
    sendTo(service, campaign, run, run.recipient);
    database.update('campaign_runs', run.id, { status: 'finishing' });
    return;
  }
  const members = database.all(
    memberRow,
    `SELECT seq, phone ${audience} AND seq > ? ORDER BY seq LIMIT ?`,
    run.workspace_id,
    campaign.audience_tag,
    run.reached,
    perSecond,
  );
  for (const { phone } of members) sendTo(service, campaign, run, phone);
  const reached = members.at(-1)?.seq;
  database.update('campaign_runs', run.id, reached === undefined ? { status: 'finishing' } : { reached });
};

const has = ({ database }: Service, sql: string, campaignId: string): boolean =>
  database.first(z.object({}), sql, campaignId) !== undefined;

const finish = (service: Service, run: Run): void => {
  if (has(service, "SELECT 1 FROM messages WHERE campaign_id = ? AND status = 'queued'", run.campaign_id)) return;
  service.database.update('campaign_runs', run.id, { status: 'completed', due_at: null });
  if (has(service, `SELECT 1 FROM campaign_runs WHERE campaign_id = ? AND ${unfinished}`, run.campaign_id)) return;
  endCampaign(service, run.workspace_id, run.campaign_id, 'completed');
};

const steps = { queued: begin, sending: sendBatch, finishing: finish };

const take = (service: Service, run: Run): void => {
  service.database.update('campaign_runs', run.id, { due_at: run.due_at + 1000 });
  steps[run.status](service, run);
};

/** Takes campaign runs through their audience, some recipients each second, until all messages are sent. */
export const campaignRuns = (service: Service): Job => ({
  nextDue: () => readDue(service.database, 'SELECT min(due_at) AS due_at FROM campaign_runs WHERE due_at IS NOT NULL'),
  run: (until) =>
    service.database.transaction(() => {
      const sql = `SELECT run.*, campaign.workspace_id FROM campaign_runs AS run
        JOIN campaigns AS campaign ON campaign.id = run.campaign_id WHERE run.due_at <= ? ORDER BY run.due_at LIMIT 10`;
      for (const run of service.database.all(runRow, sql, until)) take(at(service, run.due_at), run);
    }),
});

import * as z from 'zod/mini';
import type { campaignTrigger } from '../src/api/endpoints';
import type { Campaign, CampaignRun } from '../src/api/resources';
import type { Job } from './agenda';
import { publish } from './events';
import { sendMessage } from './messages';
import { requireE164 } from './phone-numbers';
import { kinds, read } from './records';
import { Refusal, refuseFields } from './refusal';
import { at, type Service } from './service';
import { renderTemplate } from './templates';

const textByName = z.record(z.string(), z.string());

const campaignRow = z.object({
  id: z.string(),
  workspace_id: z.string(),
  channel: z.string(),
  template: z.string(),
  status: z.string(),
  audience_tag: z.string(),
  variables: z.string(),
});
type CampaignRow = z.output<typeof campaignRow>;

const countRow = z.object({ count: z.number() });

/** Who has the tag, a phone number, and has not opted out. */
const audience = `FROM contact_tags AS tagged JOIN contacts ON contacts.seq = tagged.seq
  WHERE tagged.workspace_id = ? AND tagged.tag = ? AND contacts.phone IS NOT NULL AND contacts.consent <> 'opted_out'`;

const countAudience = (
  { database }: Service,
  { workspace_id, audience_tag }: Pick<CampaignRow, 'workspace_id' | 'audience_tag'>,
): number => database.first(countRow, `SELECT count(*) AS count ${audience}`, workspace_id, audience_tag)?.count ?? 0;

/** A campaign for everyone with the tag `audience`. */
export interface NewCampaign {
  name: string;
  template: string;
  audience: string;
  status: 'draft' | 'scheduled' | 'canceled';
}

/** Creates a WhatsApp campaign and gives its id. */
export const createCampaign = (
  service: Service,
  workspaceId: string,
  { name, template, audience: tag, status }: NewCampaign,
): string => {
  const id = service.random.id('cmp');
  service.database.insert('campaigns', {
    id,
    workspace_id: workspaceId,
    name,
    channel: 'whatsapp',
    template,
    status,
    audience_tag: tag,
    variables: '{}',
    audience_size: countAudience(service, { workspace_id: workspaceId, audience_tag: tag }),
    created_at: service.clock.now(),
  });
  return id;
};

const rowOf = ({ database }: Service, workspaceId: string, id: string): CampaignRow => {
  const sql = 'SELECT * FROM campaigns WHERE workspace_id = ? AND id = ?';
  const found = database.first(campaignRow, sql, workspaceId, id);
  if (!found) throw new Refusal('not_found', `There is no campaign ${id}.`);
  return found;
};

const requireStartable = (status: string, to: string | undefined): void => {
  if (status === 'canceled') throw refuseFields([{ field: 'id', message: 'is a campaign that was canceled' }]);
  if (status !== 'sending' || to) return;
  throw refuseFields([{ field: 'id', message: 'is a campaign that is being sent to its audience already' }]);
};

/**
 * Starts a run of the campaign: for its saved audience, or for `to` with the template's variables. The figures of
 * all runs add up in the campaign. 422 for a campaign that is canceled, or sending already.
 */
export const triggerCampaign = (
  service: Service,
  workspaceId: string,
  id: string,
  { to, variables }: z.output<typeof campaignTrigger>,
): CampaignRun => {
  const { database, clock, random } = service;
  const campaign = rowOf(service, workspaceId, id);
  if (to !== undefined) requireE164('to', to);
  if (to === undefined && variables) {
    throw refuseFields([{ field: 'to', message: 'is needed when there are variables' }]);
  }
  requireStartable(campaign.status, to);
  const used = to === undefined ? textByName.parse(JSON.parse(campaign.variables)) : (variables ?? {});
  renderTemplate(database, workspaceId, { ...campaign, variables: used });
  const size = countAudience(service, campaign);
  const run = random.id('run');
  const recipients = to === undefined ? size : 1;
  database.insert('campaign_runs', {
    id: run,
    campaign_id: id,
    status: 'queued',
    recipient: to ?? null,
    variables: JSON.stringify(used),
    recipients,
    created_at: clock.now(),
    due_at: clock.now() + random.integer(300, 700),
  });
  database.update('campaigns', id, { audience_size: size });
  database.run('UPDATE campaigns SET recipients = recipients + ? WHERE id = ?', recipients, id);
  return read(database, kinds.campaignRun, workspaceId, run);
};

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
  const { status } = rowOf(service, run.workspace_id, run.campaign_id);
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
  const campaign = rowOf(service, run.workspace_id, run.campaign_id);
  if (run.recipient) {
    sendTo(service, campaign, run, run.recipient);
    database.update('campaign_runs', run.id, { status: 'finishing' });
    return;
  }
  const members = database.all(
    memberRow,
    `SELECT tagged.seq, contacts.phone ${audience} AND tagged.seq > ? ORDER BY tagged.seq LIMIT ?`,
    run.workspace_id,
    campaign.audience_tag,
    run.reached,
    perSecond,
  );
  for (const { phone } of members) sendTo(service, campaign, run, phone);
  const reached = members.at(-1)?.seq;
  database.update('campaign_runs', run.id, reached === undefined ? { status: 'finishing' } : { reached });
};

const exists = ({ database }: Service, sql: string, campaignId: string): boolean =>
  database.first(countRow, `SELECT EXISTS (${sql}) AS count`, campaignId)?.count === 1;

const end = (service: Service, workspaceId: string, campaignId: string, status: 'completed' | 'failed'): void => {
  const { database, clock } = service;
  database.run(
    "UPDATE campaign_runs SET status = ?, due_at = NULL WHERE campaign_id = ? AND status IN ('queued', 'sending', 'finishing')",
    status,
    campaignId,
  );
  database.update('campaigns', campaignId, {
    status,
    completed_at: status === 'completed' ? clock.now() : null,
  });
  publish(service, workspaceId, `campaign.${status}`, campaignId);
};

const finish = (service: Service, run: Run): void => {
  if (exists(service, "SELECT 1 FROM messages WHERE campaign_id = ? AND status = 'queued'", run.campaign_id)) return;
  service.database.update('campaign_runs', run.id, { status: 'completed', due_at: null });
  const busy = "SELECT 1 FROM campaign_runs WHERE campaign_id = ? AND status IN ('queued', 'sending', 'finishing')";
  if (!exists(service, busy, run.campaign_id)) end(service, run.workspace_id, run.campaign_id, 'completed');
};

const steps = { queued: begin, sending: sendBatch, finishing: finish };

const take = (service: Service, run: Run): void => {
  service.database.update('campaign_runs', run.id, { due_at: run.due_at + 1000 });
  steps[run.status](service, run);
};

const dueRow = z.object({ due_at: z.nullable(z.number()) });

/** Takes campaign runs through their audience, some recipients each second, until all messages are sent. */
export const campaignRuns = (service: Service): Job => ({
  nextDue: () => {
    const sql = 'SELECT min(due_at) AS due_at FROM campaign_runs WHERE due_at IS NOT NULL';
    return service.database.first(dueRow, sql)?.due_at ?? undefined;
  },
  run: (until) =>
    service.database.transaction(() => {
      const sql = `SELECT run.*, campaign.workspace_id FROM campaign_runs AS run
        JOIN campaigns AS campaign ON campaign.id = run.campaign_id WHERE run.due_at <= ? ORDER BY run.due_at LIMIT 10`;
      for (const run of service.database.all(runRow, sql, until)) take(at(service, run.due_at), run);
    }),
});

/** Ends the campaign at once, with what has been sent so far. */
export const endCampaign = (
  service: Service,
  workspaceId: string,
  id: string,
  status: 'completed' | 'failed',
): Campaign => {
  rowOf(service, workspaceId, id);
  end(service, workspaceId, id, status);
  return read(service.database, kinds.campaign, workspaceId, id);
};

import * as z from 'zod/mini';
import { toIso } from '../engine/clock';
import { workOn } from '../store/due-records';
import { changeRecord } from '../store/records';
import { publish } from '../webhooks/events';
import { countInCampaign } from './campaigns';
import { receiveMessage } from './messages';
import { specialNumbers } from './phone-numbers';

const dueMessage = z.object({
  id: z.string(),
  campaign_id: z.nullish(z.string()),
  channel: z.string(),
  to: z.string(),
  status: z.enum(['queued', 'sent', 'delivered', 'read']),
  due_at: z.number(),
});
type Stage = 'sent' | 'delivered' | 'read' | 'failed' | 'reply';

const usualStages: Stage[] = ['sent', 'delivered', 'read'];

const specialStages: Record<string, Stage[]> = {
  [specialNumbers.failsLater]: ['sent', 'failed'],
  [specialNumbers.replies]: ['sent', 'delivered', 'read', 'reply'],
  [specialNumbers.neverReads]: ['sent', 'delivered'],
};

/** The minimum and maximum milliseconds between a stage and the next. */
const stageDelaysMs: Partial<Record<Stage, readonly [min: number, max: number]>> = {
  sent: [800, 1600],
  delivered: [2500, 6000],
  read: [3000, 5000],
};

const failure = { code: 'recipient_unreachable', message: 'This number cannot be reached on this channel.' };

/** Moves a message on from queued to sent, delivered and read. Special numbers fail, reply or never read. */
export const advanceMessage = workOn(dueMessage, (context, message) => {
  const { id, campaign_id, channel, to, status, due_at } = message;
  const stages = specialStages[to] ?? usualStages;
  const [stage, next] = status === 'queued' ? stages : stages.slice(stages.indexOf(status) + 1);
  if (!stage || stage === 'reply') {
    changeRecord(context, 'message', id, { due_at: null });
    if (stage) receiveMessage(context, { from: to, text: 'Thank you, that suits me.', channel });
    return;
  }
  const delay = next && stageDelaysMs[stage];
  changeRecord(context, 'message', id, {
    status: stage,
    [`${stage}_at`]: toIso(due_at),
    due_at: delay ? due_at + context.random.integer(...delay) : null,
    ...(stage === 'failed' && { error: failure }),
  });
  if (campaign_id) countInCampaign(context, campaign_id, stage);
  publish(context, `message.${stage}`, id);
});

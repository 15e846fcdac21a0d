import * as z from 'zod/mini';
import type { Message } from '../../../src/api/resources';
import { minute, toIso } from '../../zapier/clock';
import type { WorkspaceContext } from '../store/context';
import { workOn } from '../store/due-records';
import { changeRecord, readDocument } from '../store/records';
import { publish } from '../webhooks/events';
import { countInCampaign } from './campaigns';
import { receiveMessage } from './messages';
import { specialNumbers } from './phone-numbers';

const dueMessage = z.object({
  id: z.string(),
  conversation_id: z.string(),
  campaign_id: z.nullish(z.string()),
  channel: z.string(),
  /** Null for a customer who hides the phone number. */
  to: z.nullish(z.string()),
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

const openChat = z.object({ open_until: z.nullish(z.number()) });

/** Makes a customer keep a chat open for a minute, in which what arrives is read at once. */
export const keepChatOpen = (context: WorkspaceContext, conversationId: string): void =>
  changeRecord(context, 'conversation', conversationId, { open_until: context.clock.now() + minute });

const isOpen = (context: WorkspaceContext, conversationId: string): boolean =>
  (readDocument(context, 'conversation', conversationId, openChat).open_until ?? 0) > context.clock.now();

const failure = { code: 'recipient_unreachable', message: 'This number cannot be reached on this channel.' };

/** Moves a message on from queued to sent, delivered and read. Special numbers fail, reply or never read. */
export const advanceMessage = workOn(dueMessage, (context, message) => {
  const { id, conversation_id, campaign_id, channel, to, status, due_at } = message;
  const stages = specialStages[to ?? ''] ?? usualStages;
  const left = status === 'queued' ? stages : stages.slice(stages.indexOf(status) + 1);
  // A message that is read at once has no event of its delivery, as Meta documents.
  const isReadAtOnce = left[0] === 'delivered' && left[1] === 'read' && isOpen(context, conversation_id);
  const [stage, next] = isReadAtOnce ? left.slice(1) : left;
  if (!stage || stage === 'reply') {
    changeRecord(context, 'message', id, { due_at: null });
    if (stage) receiveMessage(context, { from: to ?? undefined, text: 'Thank you, that suits me.', channel });
    return;
  }
  const delay = next && stageDelaysMs[stage];
  changeRecord(context, 'message', id, {
    status: stage,
    [`${stage}_at`]: toIso(due_at),
    due_at: delay ? due_at + context.random.integer(...delay) : null,
    ...(stage === 'failed' && { error: failure }),
  });
  if (campaign_id && isReadAtOnce) countInCampaign(context, campaign_id, 'delivered');
  if (campaign_id) countInCampaign(context, campaign_id, stage);
  publish(context, `message.${stage}`, id);
});

const pending = `SELECT document FROM records WHERE kind = 'message' AND document ->> 'contact_id' = ?
  AND document ->> 'channel' = ? AND document ->> 'status' IN ('queued', 'sent') AND document ->> 'due_at' IS NOT NULL`;

/** Delivers what was on its way to a customer when they wrote a message: a phone that sends also receives. */
export const deliverBefore = (context: WorkspaceContext, { contact, channel, created_at }: Message): void => {
  const next = () => context.database.text(pending, contact?.id ?? '', channel ?? '');
  for (let document = next(); document; document = next()) {
    advanceMessage(context, { ...JSON.parse(document), due_at: Date.parse(created_at ?? '') });
  }
};

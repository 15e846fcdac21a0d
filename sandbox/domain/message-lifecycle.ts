import * as z from 'zod/mini';
import { inWorkspace, type SandboxContext, type WorkspaceContext } from '../engine/context';
import type { Job } from '../engine/scheduler';
import { publish } from '../webhooks/events';
import { receiveMessage } from './messages';
import { specialNumbers } from './phone-numbers';

const row = z.object({
  id: z.string(),
  workspace_id: z.string(),
  campaign_id: z.nullable(z.string()),
  channel: z.string(),
  recipient: z.string(),
  status: z.enum(['queued', 'sent', 'delivered', 'read']),
  due_at: z.number(),
});
type DueMessage = z.output<typeof row>;

type Stage = 'sent' | 'delivered' | 'read' | 'failed';

/** The minimum and maximum milliseconds between a stage and the next. */
const stageDelaysMs = { sent: [800, 1600], delivered: [2500, 6000], read: [3000, 5000] } as const;

const nextStage = ({ status, recipient }: DueMessage): Stage | 'reply' => {
  if (status === 'queued') return 'sent';
  if (status === 'read') return 'reply';
  if (status === 'delivered') return 'read';
  return recipient === specialNumbers.failsLater ? 'failed' : 'delivered';
};

const hasNextStage = (stage: Stage, recipient: string): boolean => {
  if (stage === 'delivered') return recipient !== specialNumbers.neverReads;
  return stage === 'sent' || recipient === specialNumbers.replies;
};

const dueAfter = ({ random }: SandboxContext, stage: Stage, { recipient, due_at }: DueMessage): number | null => {
  if (stage === 'failed' || !hasNextStage(stage, recipient)) return null;
  const [min, max] = stageDelaysMs[stage];
  return due_at + random.integer(min, max);
};

const failure = {
  error_code: 'recipient_unreachable',
  error_message: 'This number cannot be reached on this channel.',
};

const advanceMessage = (context: WorkspaceContext, message: DueMessage): void => {
  const { id, campaign_id, channel, recipient, due_at } = message;
  const stage = nextStage(message);
  if (stage === 'reply') {
    context.database.update('messages', id, { due_at: null });
    receiveMessage(context, { from: recipient, text: 'Thank you, that suits me.', channel });
    return;
  }
  context.database.update('messages', id, {
    status: stage,
    [`${stage}_at`]: due_at,
    due_at: dueAfter(context, stage, message),
    ...(stage === 'failed' && failure),
  });
  if (campaign_id) context.database.run(`UPDATE campaigns SET ${stage} = ${stage} + 1 WHERE id = ?`, campaign_id);
  publish(context, `message.${stage}`, id);
};

/** Moves messages on from queued to sent, delivered and read. Special numbers fail, reply or never read. */
export const messageLifecycle = (context: SandboxContext): Job => ({
  nextDue: () => context.database.number('SELECT min(due_at) FROM messages WHERE due_at IS NOT NULL'),
  run: (until) =>
    context.database.transaction(() => {
      const sql = `SELECT id, workspace_id, campaign_id, channel, recipient, status, due_at FROM messages
        WHERE due_at <= ? ORDER BY due_at LIMIT 200`;
      for (const message of context.database.all(row, sql, until)) {
        advanceMessage(inWorkspace(context, message.workspace_id, message.due_at), message);
      }
    }),
});

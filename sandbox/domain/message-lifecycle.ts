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

const failure = {
  error_code: 'recipient_unreachable',
  error_message: 'This number cannot be reached on this channel.',
};

const advanceMessage = (context: WorkspaceContext, message: DueMessage): void => {
  const { id, campaign_id, channel, recipient, status, due_at } = message;
  const stages = specialStages[recipient] ?? usualStages;
  const [stage, next] = status === 'queued' ? stages : stages.slice(stages.indexOf(status) + 1);
  if (!stage || stage === 'reply') {
    context.database.update('messages', id, { due_at: null });
    if (stage) receiveMessage(context, { from: recipient, text: 'Thank you, that suits me.', channel });
    return;
  }
  const delay = next && stageDelaysMs[stage];
  context.database.update('messages', id, {
    status: stage,
    [`${stage}_at`]: due_at,
    due_at: delay ? due_at + context.random.integer(...delay) : null,
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

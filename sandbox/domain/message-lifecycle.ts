import * as z from 'zod/mini';
import { at, type Service } from '../engine/context';
import { type Job, readDue } from '../engine/scheduler';
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
type Waiting = z.output<typeof row>;

type Step = 'sent' | 'delivered' | 'read' | 'failed';

/** Least and most milliseconds until what comes after a step. */
const pauses = { sent: [800, 1600], delivered: [2500, 6000], read: [3000, 5000] } as const;

const nextStep = ({ status, recipient }: Waiting): Step | 'reply' => {
  if (status === 'queued') return 'sent';
  if (status === 'read') return 'reply';
  if (status === 'delivered') return 'read';
  return recipient === specialNumbers.failsLater ? 'failed' : 'delivered';
};

const goesOn = (step: Step, recipient: string): boolean => {
  if (step === 'delivered') return recipient !== specialNumbers.neverReads;
  return step === 'sent' || recipient === specialNumbers.answers;
};

const dueAfter = ({ random }: Service, step: Step, { recipient, due_at }: Waiting): number | null => {
  if (step === 'failed' || !goesOn(step, recipient)) return null;
  const [least, most] = pauses[step];
  return due_at + random.integer(least, most);
};

const failure = {
  error_code: 'recipient_unreachable',
  error_message: 'This number cannot be reached on this channel.',
};

const take = (service: Service, message: Waiting): void => {
  const { id, workspace_id, campaign_id, channel, recipient, due_at } = message;
  const step = nextStep(message);
  if (step === 'reply') {
    service.database.update('messages', id, { due_at: null });
    receiveMessage(service, workspace_id, { from: recipient, text: 'Thank you, that suits me.', channel });
    return;
  }
  service.database.update('messages', id, {
    status: step,
    [`${step}_at`]: due_at,
    due_at: dueAfter(service, step, message),
    ...(step === 'failed' && failure),
  });
  if (campaign_id) service.database.run(`UPDATE campaigns SET ${step} = ${step} + 1 WHERE id = ?`, campaign_id);
  publish(service, workspace_id, `message.${step}`, id);
};

/** Takes messages through queued, sent, delivered and read; special numbers fail, answer or stay unread. */
export const messageLife = (service: Service): Job => ({
  nextDue: () => readDue(service.database, 'SELECT min(due_at) AS due_at FROM messages WHERE due_at IS NOT NULL'),
  run: (until) =>
    service.database.transaction(() => {
      const sql = `SELECT id, workspace_id, campaign_id, channel, recipient, status, due_at FROM messages
        WHERE due_at <= ? ORDER BY due_at LIMIT 200`;
      for (const message of service.database.all(row, sql, until)) take(at(service, message.due_at), message);
    }),
});

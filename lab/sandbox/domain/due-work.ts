import { expireWebhook } from '../webhooks/webhooks';
import { advanceRun } from './campaign-runs';
import { closeIdle } from './conversations';
import { advanceMessage } from './message-lifecycle';

/** What happens to a record of each kind at its `due_at`. */
export const dueWork = {
  message: advanceMessage,
  campaign_run: advanceRun,
  conversation: closeIdle,
  webhook: expireWebhook,
};

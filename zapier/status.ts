import type { StepStatus } from './run';

/** What Zap history calls a status. */
export const statusText: Record<StepStatus, string> = {
  running: 'Running',
  success: 'Success',
  halted: 'Safely halted',
  error: 'Errored',
  held: 'On hold',
  waiting: 'Waiting',
  delayed: 'Scheduled',
  filtered: 'Filtered',
};

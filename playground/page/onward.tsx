import { runningTrigger, type Zap } from '../../zapier/zap/zap';
import { Continue, type Stage } from './stages';

interface OnwardProps {
  zap: Zap;
  /** The position of the open step. */
  index: number;
  from: Stage;
  /** Whether no step of the Zap is incomplete. */
  isReady: boolean;
  /** Whether something else has to be done first. */
  isSecondary?: boolean;
}

/** The button at the top that makes the Zap run, if the Zap isn't on yet. */
const findStart = (zap: Zap): { id: string; title: string } | undefined => {
  if (!runningTrigger(zap)) return { id: 'start-zap', title: 'Run the Zap' };
  return zap.isOn ? undefined : { id: 'switch', title: 'Turn on' };
};

/** Leads to the next step, or from the last one to the button that makes the Zap run. */
export const Onward = ({ zap, index, from, isReady, isSecondary = false }: OnwardProps) => {
  if (index < zap.steps.length - 1) {
    return <Continue from={from} leads={{ 'hx-get': `/zap/${zap.id}?step=${index + 1}` }} isSecondary={isSecondary} />;
  }
  const start = isReady ? findStart(zap) : undefined;
  return (
    start && (
      <button type="button" class="quiet" data-leads={start.id}>
        Go to {start.title}
      </button>
    )
  );
};

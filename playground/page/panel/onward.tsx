import type { Zap } from '../../../zapier/zap/zap';
import { postWithStep } from '../elements/swap';
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

/** Leads to the next step. At the last one, turns the Zap on. */
export const Onward = ({ zap, index, from, isReady, isSecondary = false }: OnwardProps) => {
  if (index < zap.steps.length - 1) {
    return <Continue from={from} leads={{ 'hx-get': `/zap/${zap.id}?step=${index + 1}` }} isSecondary={isSecondary} />;
  }
  if (zap.isOn || !isReady) return null;
  return (
    <button type="button" id="turn-on" class="outline" {...postWithStep(`/zap/${zap.id}/on`)}>
      Turn on the Zap
    </button>
  );
};

import { isPath } from '../../zapier/zap/paths';
import { titleOf } from '../../zapier/zap/steps';
import type { Zap } from '../../zapier/zap/zap';
import { definition } from '../service/zapier';
import { oneClick, postWithStep, swapZap } from './swap';

interface StepActionsProps {
  zap: Zap;
  /** The position of the step. */
  index: number;
}

const moves = [
  { action: 'up', title: 'Move up', sign: '↑' },
  { action: 'down', title: 'Move down', sign: '↓' },
] as const;

const Rename = ({ zap, index }: StepActionsProps) => {
  const step = zap.steps[index];
  return (
    <details id="rename-step" class="manage">
      <summary class="manage-title">Rename step</summary>
      <form
        hx-post={`/zap/${zap.id}/${index}`}
        hx-include="#step"
        hx-vals={JSON.stringify({ action: 'rename' })}
        data-closes
        {...oneClick.form}
        {...swapZap}
      >
        <label class="manage-name">
          Name of the step
          <input
            name="name"
            id="step-name"
            class="manage-input"
            value={step?.name ?? ''}
            placeholder={step && titleOf(definition, { ...step, name: undefined })}
            maxlength={120}
            autocomplete="off"
            dir="auto"
          />
        </label>
        <button type="submit" class="secondary outline">
          Save name
        </button>
      </form>
    </details>
  );
};

/** Moves, duplicates, removes or renames the open step. The trigger stays where it is. */
export const StepActions = ({ zap, index }: StepActionsProps) => {
  const [address, last] = [`/zap/${zap.id}/${index}`, zap.steps.length - 1];
  const canMove = { up: index > 1, down: index > 0 && index < last };
  return (
    <div class="step-actions">
      {index > 0 && (
        <>
          {moves.map(({ action, title, sign }) => (
            <button
              type="button"
              id={`act-${action}`}
              class="secondary outline small"
              aria-label={title}
              title={title}
              // The page keeps `disabled` when this part changes.
              aria-disabled={canMove[action] ? 'false' : 'true'}
              {...postWithStep(address)}
              hx-vals={JSON.stringify({ action })}
            >
              {sign}
            </button>
          ))}
          <button
            type="button"
            id="act-copy"
            class="secondary outline small"
            {...postWithStep(address)}
            hx-vals={JSON.stringify({ action: 'copy' })}
          >
            Duplicate step
          </button>
          <button
            type="button"
            id="act-remove"
            class="secondary outline small"
            {...postWithStep(address)}
            hx-vals={JSON.stringify({ action: 'remove' })}
          >
            {zap.steps.slice(index, index + 1).some(isPath) ? 'Remove path and its steps' : 'Remove step'}
          </button>
        </>
      )}
      <Rename zap={zap} index={index} />
    </div>
  );
};

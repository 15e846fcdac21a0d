import { isPath } from '../../../zapier/zap/paths';
import type { Zap } from '../../../zapier/zap/zap';
import { cardTitle } from '../canvas/card';
import { Menu, MenuItem, Rename } from '../elements/menu';
import { postWithStep } from '../elements/swap';

interface StepMenuProps {
  zap: Zap;
  /** The position of the step. */
  index: number;
}

const moves = [
  { action: 'up', title: 'Move up', icon: 'arrow-up' },
  { action: 'down', title: 'Move down', icon: 'arrow-down' },
] as const;

/** Moves, duplicates, removes or renames the open step. The trigger stays where it is. */
export const StepMenu = ({ zap, index }: StepMenuProps) => {
  const [address, last] = [`/zap/${zap.id}/${index}`, zap.steps.length - 1];
  const step = zap.steps[index];
  const canMove = { up: index > 1, down: index > 0 && index < last };
  const act = (action: string) => ({ ...postWithStep(address), 'hx-vals': JSON.stringify({ action }) });
  return (
    <Menu id="step-menu" label="More for this step">
      <Rename
        id="step-name"
        label="Name of the step"
        name="name"
        value={step?.name ?? ''}
        placeholder={step && cardTitle({ ...step, name: undefined })}
        button="Save name"
        {...act('rename')}
      />
      {index > 0 && (
        <>
          {moves.map(({ action, title, icon }) => (
            <MenuItem
              id={`act-${action}`}
              icon={icon}
              // The page keeps `disabled` when this part changes.
              aria-disabled={canMove[action] ? 'false' : 'true'}
              {...act(action)}
            >
              {title}
            </MenuItem>
          ))}
          <MenuItem id="act-copy" icon="copy" {...act('copy')}>
            Duplicate step
          </MenuItem>
          <MenuItem id="act-remove" icon="trash-2" {...act('remove')}>
            {zap.steps.slice(index, index + 1).some(isPath) ? 'Remove path and its steps' : 'Remove step'}
          </MenuItem>
        </>
      )}
    </Menu>
  );
};

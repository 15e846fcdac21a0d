import type { Zap } from '../../../zapier/zap/zap';
import { Button } from '../elements/button';
import { Icon } from '../elements/icon';
import { oneClick, swapZap } from '../elements/swap';
import type { ZapView } from '../elements/view';

const steps = {
  Undo: { icon: 'undo-2', can: 'canUndo' },
  Redo: { icon: 'redo-2', can: 'canRedo' },
} as const;

type UndoProps = Pick<ZapView, 'zap' | 'versions'>;

const Step = ({ zap, name, versions }: UndoProps & { name: keyof typeof steps }) => (
  <Button
    id={name.toLowerCase()}
    class="quiet square"
    aria-label={name}
    title={name}
    // The page keeps `disabled` when this part changes.
    aria-disabled={versions[steps[name].can] ? 'false' : 'true'}
    hx-post={`/zap/${zap.id}/${name.toLowerCase()}`}
    hx-include="#step [name=at], #step [name=stage]"
    data-resets
    {...swapZap}
  >
    <Icon name={steps[name].icon} />
  </Button>
);

/** Leads to the version before, and back. */
export const Undo = ({ zap, versions }: UndoProps) => (
  <>
    <Step zap={zap} name="Undo" versions={versions} />
    <Step zap={zap} name="Redo" versions={versions} />
  </>
);

/** Brings back a Zap that was deleted. */
export const Restore = ({ zap, id, children }: { zap: Zap; id: string; children: string }) => (
  <Button
    id={id}
    class="outline small"
    hx-post={`/zap/${zap.id}/restore`}
    data-closes
    {...oneClick.button}
    {...swapZap}
  >
    {children}
  </Button>
);

/** Says that a Zap was deleted, with a way back. */
export const JustDeleted = ({ zap }: { zap: Zap }) => (
  <p class="toast" role="status">
    <span>
      <span dir="auto">{zap.title}</span> is deleted.
    </span>
    <Restore zap={zap} id="undo-delete">
      Undo
    </Restore>
  </p>
);

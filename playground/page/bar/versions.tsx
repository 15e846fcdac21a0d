import type { Zap } from '../../../zapier/zap/zap';
import { Icon } from '../elements/icon';
import { oneClick, showZap, swapZap } from '../elements/swap';

/** Whether a Zap has versions before and after the one that the editor shows. */
export interface Versions {
  canUndo: boolean;
  canRedo: boolean;
}

const steps = {
  Undo: { icon: 'undo-2', can: 'canUndo' },
  Redo: { icon: 'redo-2', can: 'canRedo' },
} as const;

const Step = ({ zap, name, versions }: { zap: Zap; name: keyof typeof steps; versions: Versions }) => (
  <button
    type="button"
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
  </button>
);

/** Leads to the version before, and back. */
export const Undo = ({ zap, versions }: { zap: Zap; versions: Versions }) => (
  <>
    <Step zap={zap} name="Undo" versions={versions} />
    <Step zap={zap} name="Redo" versions={versions} />
  </>
);

/** Brings back a Zap that was deleted. */
export const Restore = ({ zap, id, children }: { zap: Zap; id: string; children: string }) => (
  <button
    type="button"
    id={id}
    class="outline small"
    hx-post={`/zap/${zap.id}/restore`}
    data-closes
    {...oneClick.button}
    {...showZap}
  >
    {children}
  </button>
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

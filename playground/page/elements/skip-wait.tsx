import { Icon } from './icon';
import { oneClick, swapPart } from './swap';

/** Moves the clock forward until a run goes on, at a moment in ms since 1970. */
export const SkipWait = ({ id, until }: { id: string; until: number }) => (
  <button
    type="button"
    id={id}
    class="outline small"
    hx-post="/simulate"
    hx-vals={JSON.stringify({ until })}
    {...oneClick.button}
    {...swapPart('simulate')}
  >
    <Icon name="clock" />
    Skip the wait
  </button>
);

import { recipes } from '../../recipes';
import type { Zap } from '../../zapier/zap/zap';
import { Problem } from './problem';
import { isElsewhere } from './swap';
import { JustDeleted } from './versions';

interface SaidProps {
  /** The Zap that was just deleted. */
  deleted?: Zap | undefined;
  /** A sentence about the Zap as a whole. */
  error?: string | undefined;
}

/** What the page says of what a person just did with the Zap, below the bar. */
export const Said = ({ deleted, error }: SaidProps) => (
  <>
    {deleted && <JustDeleted zap={deleted} />}
    <Problem id="shown-zap">{error}</Problem>
  </>
);

interface KeptProps {
  zap: Zap;
  /** Whether it replaces what the page says. */
  isUpdate?: boolean;
}

/** What the page says of the Zap until it changes: that another tab deleted it, or why it has no subscription. */
export const Kept = ({ zap, isUpdate = false }: KeptProps) => (
  <div id="kept" {...(isUpdate && isElsewhere)}>
    {zap.isDeleted && <JustDeleted zap={zap} />}
    <Problem id="kept-zap">{zap.problem}</Problem>
  </div>
);

/** What can surprise the person who uses the recipe of a Zap that isn't on yet. */
export const WatchOut = ({ zap }: { zap: Zap }) => {
  const recipe = zap.isOn ? undefined : recipes.find(({ title }) => title === zap.madeFrom);
  return recipe ? (
    <p class="canvas-note">
      <strong>Watch out:</strong> {recipe.watchOut}
    </p>
  ) : null;
};

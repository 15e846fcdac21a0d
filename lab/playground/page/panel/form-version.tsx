import { Button } from '../elements/button';
import { posts, swapZap } from '../elements/swap';

interface FormVersionProps {
  /** The version of the step that the form is about. */
  version: string;
  /** The version that another tab saved since, and the address of the step. */
  other?: { version: string; zap: string; index: number } | undefined;
}

/** Names the version of a step that its form shows. Asks what to keep when another tab changed it meanwhile. */
export const FormVersion = ({ version, other }: FormVersionProps) => (
  <div id="version">
    <input type="hidden" name="version" value={version} />
    {other && (
      <div class="conflict" role="alert">
        <p>Another tab changed this step, so yours isn't saved.</p>
        <Button
          id="load-theirs"
          class="outline small"
          hx-get={`/zap/${other.zap}?step=${other.index}`}
          data-resets
          {...swapZap}
        >
          Load it
        </Button>{' '}
        <Button
          id="keep-mine"
          class="outline small"
          {...posts(`/zap/${other.zap}/${other.index}`, { action: 'reload', over: other.version })}
          {...swapZap}
        >
          Keep mine
        </Button>
      </div>
    )}
  </div>
);

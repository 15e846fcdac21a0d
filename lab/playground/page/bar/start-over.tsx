import { Button } from '../elements/button';
import { Sheet } from '../elements/sheet';
import { oneClick } from '../elements/swap';

/** Empties the playground, after a second click. */
export const StartOver = () => (
  <Sheet title="Start over" isSmall>
    <p>Deletes every Zap, run, chat and contact in the playground and restores its first data. You can't undo this.</p>
    <Button id="empty" hx-post="/start-over" hx-swap="none" {...oneClick.button}>
      Remove everything
    </Button>
  </Sheet>
);

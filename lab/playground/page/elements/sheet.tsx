import type { Child } from 'hono/jsx';
import { Button } from './button';
import { Icon } from './icon';

interface SheetProps {
  title: string;
  /** Beside the title: a sentence, or a search. */
  beside?: Child;
  /** Whether it's only as wide as a few sentences. */
  isSmall?: boolean;
  children: Child;
}

/** What the dialog over the page shows. Escape and its button close it. */
export const Sheet = ({ title, beside, isSmall = false, children }: SheetProps) => (
  <div class={`sheet${isSmall ? ' small' : ''}`}>
    <header>
      <h2 id="sheet-title">{title}</h2>
      {beside}
      <Button id="close-sheet" class="quiet square" aria-label="Close" data-closes-sheet>
        <Icon name="x" />
      </Button>
    </header>
    {children}
  </div>
);

import type { Child } from 'hono/jsx';
import { Button } from './button';
import { Icon, type IconName } from './icon';
import { opens } from './swap';

interface MenuProps {
  id: string;
  /** What the button is called, which shows only its icon. */
  label: string;
  icon?: IconName;
  children: Child;
}

/** A button and the menu that it opens. Arrow keys move in it, and Escape closes it. */
export const Menu = ({ id, label, icon = 'ellipsis', children }: MenuProps) => (
  <>
    <Button id={`open-${id}`} class="quiet square" aria-label={label} title={label} {...opens(id)}>
      <Icon name={icon} />
    </Button>
    <section id={id} class="menu" popover="auto" aria-label={label}>
      {children}
    </section>
  </>
);

interface MenuItemProps {
  id: string;
  icon: IconName;
  children: Child;
  [attribute: string]: unknown;
}

/** One thing to do. The menu closes when it's chosen. */
export const MenuItem = ({ id, icon, children, ...attributes }: MenuItemProps) => (
  <Button id={id} class="row" data-closes {...attributes}>
    <Icon name={icon} />
    {children}
  </Button>
);

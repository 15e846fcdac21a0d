import type { Child } from 'hono/jsx';
import { Button } from './button';
import { Icon, type IconName } from './icon';
import { oneClick, opens, swapZap } from './swap';

interface MenuProps {
  id: string;
  /** What the button is called, which shows only its icon. */
  label: string;
  children: Child;
}

/** A button and the menu that it opens. Arrow keys move in it, and Escape closes it. */
export const Menu = ({ id, label, children }: MenuProps) => (
  <>
    <Button id={`open-${id}`} class="quiet square" aria-label={label} title={label} {...opens(id)}>
      <Icon name="ellipsis" />
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

interface RenameProps {
  id: string;
  label: string;
  name: 'name' | 'title';
  value: string;
  placeholder?: string | undefined;
  isRequired?: boolean;
  button: string;
  /** Attributes of htmx. */
  [attribute: `hx-${string}`]: unknown;
}

/** Gives something a name, in its menu, which closes then. */
export const Rename = ({ id, label, name, value, placeholder, isRequired = false, button, ...sends }: RenameProps) => (
  <form class="rename" data-closes {...sends} {...oneClick.form} {...swapZap}>
    <label for={id}>{label}</label>
    <div class="pair">
      <input
        name={name}
        id={id}
        value={value}
        placeholder={placeholder}
        required={isRequired}
        maxlength={120}
        autocomplete="off"
        dir="auto"
      />
      <button type="submit" class="outline">
        {button}
      </button>
    </div>
  </form>
);

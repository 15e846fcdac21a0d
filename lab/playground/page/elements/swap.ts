import type { Topic } from '../../service/live';

/** Shows the response in place of a part of the page. Sends what a person does there in its order. */
export const swapPart = (id: string) => ({
  'hx-target': `#${id}`,
  'hx-swap': 'outerMorph',
  'hx-sync': `#${id}:queue all`,
});

/** Disables the button of a form, or the button itself, while it works, so that a double click does its work once. */
export const oneClick = { form: { 'hx-disable': 'find button' }, button: { 'hx-disable': 'this' } };

/** Loads a part of the page again when one of the topics changed. */
export const refresh = (address: string, ...topics: Topic[]) => ({
  'hx-get': address,
  'hx-trigger': topics.map((topic) => `${topic} from:body`).join(', '),
  'hx-target': 'this',
  'hx-swap': 'outerMorph',
});

/** Replaces the part with the same id, wherever a response comes from. */
export const isElsewhere = { 'hx-swap-oob': 'outerMorph' };

/** Sends what a person does in the Zap in its order, so that no save is lost and the last choice shows. */
export const inTurn = { 'hx-sync': '#zap:queue all', 'hx-indicator': '#panel' };

/** Shows the response in place of the Zap. */
export const swapZap = { ...inTurn, 'hx-target': '#zap', 'hx-swap': 'outerMorph' };

/** Posts these values to an address, with what the element has itself. */
export const posts = (address: string, values: object) => ({ 'hx-post': address, 'hx-vals': JSON.stringify(values) });

/** Saves the step and shows its form again when a field changes. `address` is where the form posts to. */
export const reloadOnChange = (address: string) => ({
  ...posts(address, { action: 'reload' }),
  'hx-trigger': 'change consume',
  ...swapZap,
});

/** Saves the open step, then does what the address says. */
export const postWithStep = (address: string) => ({
  'hx-include': '#step',
  'hx-post': address,
  ...oneClick.button,
  ...swapZap,
});

/** Opens a menu or a window of the page. The browser closes it by Escape and by a click beside it. */
export const opens = (id: string) => ({ popovertarget: id, 'aria-haspopup': 'true' as const });

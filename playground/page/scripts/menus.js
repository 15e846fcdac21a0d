// Menus, lists and the steps on the canvas are walked by arrow keys. A menu closes when something in it is chosen.
const lists = '.menu, .choices, #steps, .gallery';

const stopsOf = (list) =>
  [...list.querySelectorAll('button, input:not([type="hidden"]), summary, a')].filter(
    (each) => each.checkVisibility() && each.closest(lists) === list,
  );

const steps = { ArrowDown: 1, ArrowUp: -1 };

document.addEventListener('keydown', (event) => {
  const { key, target } = event;
  const list = target.closest?.(lists);
  if (!list || target.matches('select, textarea')) return;
  const stops = stopsOf(list);
  const places = { Home: 0, End: stops.length - 1 };
  const isText = target.matches('input');
  const at = stops.indexOf(target);
  const next = key in steps ? (at + steps[key] + stops.length) % stops.length : isText ? undefined : places[key];
  if (next === undefined) return;
  event.preventDefault();
  stops[next]?.focus();
});

// A menu that opens by keyboard has the focus.
document.addEventListener('keydown', ({ key, target }) => {
  if (key !== 'ArrowDown' || !target.matches?.('[popovertarget]')) return;
  const menu = document.getElementById(target.getAttribute('popovertarget'));
  menu.showPopover({ source: target });
  stopsOf(menu)[0]?.focus();
});

const close = (element) => {
  const menu = element.closest('.menu');
  if (menu?.matches(':popover-open')) menu.hidePopover();
};

// Before the button is disabled while it works, so that the focus goes back to the button of the menu.
document.addEventListener(
  'click',
  ({ target }) => {
    const chosen = target.closest?.('button[data-closes]');
    if (chosen) close(chosen);
  },
  { capture: true },
);

// A form that was refused stays open.
document.addEventListener('htmx:after:swap', ({ detail }) => {
  const form = detail.ctx?.sourceElement;
  if (form?.matches?.('form[data-closes]') && !form.querySelector('[aria-invalid="true"]')) close(form);
});

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
  // What a menu shows may have to be loaded.
  if (target.matches('[hx-get]')) return target.click();
  const menu = document.getElementById(target.getAttribute('popovertarget'));
  menu.showPopover({ source: target });
  stopsOf(menu)[0]?.focus();
});

// The arrow down opens a closed dropdown, and leads from the search of the recipes to what it found.
document.addEventListener('keydown', (event) => {
  if (event.key !== 'ArrowDown') return;
  const { target } = event;
  if (target.matches('.chosen[data-opens]') && !document.getElementById(target.dataset.opens).hasChildNodes()) {
    event.preventDefault();
    target.click();
  }
  if (target.matches('#search-recipes')) {
    event.preventDefault();
    document.querySelector('.card:not([hidden]) .recipe')?.focus();
  }
});

// The parts of a step's form are walked by the arrows left and right.
const sideways = { ArrowRight: 'nextElementSibling', ArrowLeft: 'previousElementSibling' };
document.addEventListener('keydown', (event) => {
  const tab = event.key in sideways && event.target.closest?.('.stages button');
  if (!tab) return;
  event.preventDefault();
  tab[sideways[event.key]]?.focus();
});

// A menu closes when what was chosen is done, so that a double click does it once. A form that was refused stays open.
document.addEventListener('htmx:after:swap', ({ detail }) => {
  const chosen = detail.ctx?.sourceElement;
  const menu = document.querySelector('.menu:popover-open');
  if (!menu || !chosen?.matches?.('[data-closes]')) return;
  if (chosen.matches('form') && chosen.querySelector('[aria-invalid="true"]')) return;
  menu.hidePopover();
  document.querySelector(`[popovertarget="${CSS.escape(menu.id)}"]`)?.focus();
});

// The windows of other apps fold together, and stay so when they change.
document.addEventListener('click', ({ target }) => {
  if (target.closest('[data-folds]')) document.body.toggleAttribute('data-folded');
});

// On a narrow screen, a menu has buttons that stand for those of the bar.
document.addEventListener('click', ({ target }) => {
  const button = target.closest('[data-stands-for]');
  if (!button) return;
  button.closest('.menu').hidePopover();
  document.getElementById(button.dataset.standsFor).click();
});

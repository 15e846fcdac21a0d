// The picker: the data of earlier steps at the field that has the focus, with a search.
const picker = document.querySelector('#picker');
const search = picker.querySelector('input');
const list = picker.querySelector('#picker-data');

let field;
/** The field whose picker a person closed. It opens again when they click the field or come back to it. */
let closed;

const isOpen = () => picker.matches(':popover-open');

const close = () => {
  if (!isOpen()) return;
  picker.hidePopover();
  document.querySelector('[data-inserts][aria-expanded="true"]')?.setAttribute('aria-expanded', 'false');
};

const margin = 4;

const isNarrow = matchMedia('(width < 700px)');
const lowest = 140;

// It covers neither its field, with its label and its choices, nor the parts of the step above the form and the buttons
// below it.
const place = () => {
  if (!isOpen()) return;
  const { left, width } = field.getBoundingClientRect();
  const { bottom } = (field.closest('.with-choices') ?? field).getBoundingClientRect();
  const { top } = (field.closest('.field')?.querySelector('label, legend') ?? field).getBoundingClientRect();
  picker.style.width = `${width}px`;
  const start = document.querySelector('#stages')?.getBoundingClientRect().bottom ?? 0;
  const end = document.querySelector('.stage:not([hidden]) > footer')?.getBoundingClientRect().top ?? innerHeight;
  const [above, below] = [top - start - 2 * margin, end - bottom - 2 * margin];
  const highest = isNarrow.matches ? 220 : 320;
  picker.style.maxHeight = `${highest}px`;
  const isAbove = below < picker.offsetHeight && above > below;
  picker.style.maxHeight = `${Math.max(lowest, Math.min(highest, isAbove ? above : below))}px`;
  picker.style.left = `${Math.max(margin, Math.min(left, innerWidth - picker.offsetWidth - margin))}px`;
  picker.style.top = `${isAbove ? Math.max(0, top - picker.offsetHeight - margin) : bottom + margin}px`;
};

/** What was typed in the field that the picker is filtered by. */
let typed = '';
/** Whether the picker is away because no value matches what was typed. */
let isUnmatched = false;

const matches = (item, wanted) =>
  item.textContent.replaceAll(/\s+/g, ' ').toLowerCase().includes(wanted.trim().replaceAll(/\s+/g, ' ').toLowerCase());

/** The longest end of a text that some value has: from the beginning of a word to the caret, unless a word just ended. */
const searchIn = (text, items) =>
  [...text.matchAll(/(?<![^\s([{"'“‘:#@])\S/g)]
    .map(({ index }) => text.slice(index))
    .find((each) => !/\s$/.test(each) && items.some((item) => matches(item, each))) ?? '';

const filter = () => {
  const wanted = search.value.trim();
  for (const item of list.querySelectorAll('li')) item.hidden = !matches(item, wanted);
  for (const part of list.querySelectorAll('.empty-values, .source')) {
    part.hidden = wanted !== '' && !part.querySelector('li:not([hidden])');
  }
  for (const folded of list.querySelectorAll('.empty-values')) folded.open = wanted !== '';
};

/** The data that the list shows. A press on a value ends in a click only if the value is still the same element. */
let shown = '';

const fill = () => {
  const data = document.querySelector('#mappings')?.innerHTML;
  if (data === shown) return;
  shown = data;
  const focused = list.contains(document.activeElement) ? document.activeElement.dataset.map : undefined;
  list.replaceChildren(...[...document.querySelectorAll('#mappings .source')].map((source) => source.cloneNode(true)));
  filter();
  if (focused) (list.querySelector(`[data-map="${CSS.escape(focused)}"]`) ?? search).focus();
};

const open = (wanted) => {
  close();
  if (!document.querySelector('#mappings .source')) return;
  field = wanted;
  closed = undefined;
  isUnmatched = false;
  typed = '';
  search.value = '';
  fill();
  filter();
  picker.setAttribute('aria-label', `Insert data into ${field.getAttribute('label')}`);
  document.querySelector(`[data-inserts="${CSS.escape(field.id)}"]`)?.setAttribute('aria-expanded', 'true');
  picker.showPopover();
  picker.scrollTop = 0;
  place();
};

const closeFor = (wanted) => {
  closed = wanted;
  isUnmatched = false;
  close();
};

document.addEventListener('focusin', ({ target }) => {
  if (picker.contains(target) || target.matches('[data-inserts]')) return;
  if (!target.matches('mapped-text')) return closeFor(undefined);
  if (target !== closed && !(isOpen() && target === field)) open(target);
});

document.addEventListener('pointerdown', ({ target }) => {
  if (isOpen() && !picker.contains(target) && target !== field && !target.matches('[data-inserts]'))
    closeFor(undefined);
});

// A click on a value leaves the caret where it is.
picker.addEventListener('pointerdown', (event) => event.target.closest('.map') && event.preventDefault());
picker.addEventListener('mousedown', (event) => event.target.closest('.map') && event.preventDefault());

document.addEventListener('click', ({ target }) => {
  if (target.matches('mapped-text') && !isOpen()) open(target);
  const button = target.closest('[data-inserts]');
  if (!button) return;
  if (button.getAttribute('aria-expanded') === 'true') return closeFor(field);
  open(document.getElementById(button.dataset.inserts));
  search.focus();
});

picker.addEventListener('click', ({ target }) => {
  const value = target.closest('[data-map]');
  if (!value) return;
  // The value takes the place of all that was typed of its name.
  const { length } = typed && searchIn(field.typed, [value]);
  const chosen = field;
  closeFor(chosen);
  chosen.focus();
  chosen.insert(value.dataset.map, length);
});

// What a person types in the field filters the picker too. A word that matches nothing is text, and needs no list.
document.addEventListener('input', ({ target }) => {
  if (target !== field || !(isOpen() || isUnmatched)) return;
  const text = field.typed;
  const found = searchIn(text, [...list.querySelectorAll('li')]);
  if (isUnmatched && found === '' && text !== '') return;
  if (isUnmatched) open(field);
  typed = found;
  search.value = typed;
  filter();
  place();
  isUnmatched = typed === '' && /\S$/.test(text);
  if (isUnmatched) close();
});

search.addEventListener('input', () => {
  filter();
  place();
});
picker.addEventListener('toggle', place, { capture: true });

const move = (step) => {
  const stops = [...picker.querySelectorAll('input, summary, .map')].filter((each) => each.checkVisibility());
  stops[(stops.indexOf(document.activeElement) + step + stops.length) % stops.length].focus();
};

picker.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' || event.key === 'Tab') {
    // Tab goes on from the field.
    closeFor(field);
    field.focus();
  }
  if (event.key === 'ArrowDown') move(1);
  if (event.key === 'ArrowUp') move(-1);
  if (event.key === 'Enter') {
    const value = event.target === search ? list.querySelector('li:not([hidden]) .map') : event.target.closest('.map');
    if (!value && event.target !== search) return;
    value?.click();
  }
  // The browser would type the key into the field.
  if (['ArrowDown', 'ArrowUp', 'Escape', 'Enter'].includes(event.key)) event.preventDefault();
});

document.addEventListener(
  'keydown',
  (event) => {
    if (!event.target.matches('mapped-text')) return;
    if (event.key === 'Escape') closeFor(event.target);
    const isDown = event.key === 'ArrowDown' && (event.altKey || !event.target.isMultiline);
    if (!isDown) return;
    event.preventDefault();
    if (!isOpen()) open(event.target);
    search.focus();
  },
  { capture: true },
);

addEventListener('scroll', place, { capture: true, passive: true });
addEventListener('resize', place);

document.addEventListener('htmx:after:swap', () => {
  if (!isOpen()) return;
  if (!field.isConnected) return closeFor(undefined);
  fill();
  place();
});

// A mapped value such as {{1.phone}} is one thing in a text field: it's inserted, deleted and kept as a whole.
const mappedValue = /\{\{\w{1,7}\.[^{}]{1,200}\}\}/g;

// The field that a person chose last, which gets a mapped value. Tab passes other fields on its way there.
let chosenField;
let isPassing = false;
const noteField = ({ target }) => {
  if (!isPassing && target.matches('#zap [data-mappable]')) chosenField = target;
};
document.addEventListener('keydown', (event) => {
  isPassing = event.key === 'Tab' || event.key === 'Shift';
  noteField(event);
});
document.addEventListener('pointerdown', () => {
  isPassing = false;
});
document.addEventListener('focusin', noteField);
// Steps share the inputs on the page.
document.addEventListener('step:shown', () => {
  chosenField = undefined;
});

const rangesIn = (text) => [...text.matchAll(mappedValue)].map(({ index, 0: all }) => [index, index + all.length]);

// What an edit would have to change so that it leaves no half of a mapped value.
const wholeRange = ({ value, selectionStart: start, selectionEnd: end }, inputType) => {
  const isCaret = start === end;
  const isTouched = ([from, to]) => {
    if (isCaret && inputType.endsWith('Backward')) return from < start && start <= to;
    if (isCaret && inputType.endsWith('Forward')) return from <= start && start < to;
    return from < end && start < to;
  };
  const touched = rangesIn(value).filter(isTouched);
  if (touched.length === 0) return [start, end];
  const [first, last] = [touched[0][0], touched.at(-1)[1]];
  // Text that is typed into a mapped value goes behind it.
  if (isCaret && !inputType.startsWith('delete')) return [last, last];
  return [Math.min(start, first), Math.max(end, last)];
};

// Edits by command go into the history of the field, so that Ctrl+Z takes them back.
const edit = (field, [start, end], text) => {
  field.setSelectionRange(start, end);
  document.execCommand(text ? 'insertText' : 'delete', false, text);
};

document.addEventListener('beforeinput', (event) => {
  const { target, inputType, data, cancelable } = event;
  if (!cancelable || inputType.startsWith('history') || !target.matches('[data-mappable]')) return;
  const range = wholeRange(target, inputType);
  if (range[0] === target.selectionStart && range[1] === target.selectionEnd) return;
  const text = inputType === 'insertLineBreak' ? '\n' : data;
  // The browser carries out an edit whose text isn't known here.
  if (!text && !inputType.startsWith('delete')) return target.setSelectionRange(...range);
  event.preventDefault();
  edit(target, range, text);
});

document.addEventListener('click', ({ target }) => {
  const mapping = target.closest('[data-map]')?.dataset.map;
  if (!mapping) return;
  const field = chosenField?.isConnected ? chosenField : undefined;
  document.querySelector('#no-field').hidden = field !== undefined;
  closePicker();
  if (!field) return;
  field.focus();
  // A dropdown has one value.
  const isOne = field.closest('.dropdown') !== null;
  edit(field, isOne ? [0, field.value.length] : wholeRange(field, 'insertText'), mapping);
  field.dispatchEvent(new Event('change', { bubbles: true }));
});

// The picker: the data of earlier steps below the field, with a search.
const closePicker = () => {
  document.querySelector('#zap [data-inserts][aria-expanded="true"]')?.setAttribute('aria-expanded', 'false');
  document.querySelector('#picker')?.remove();
};

const filterPicker = (picker, search) => {
  const wanted = search.trim().toLowerCase();
  for (const item of picker.querySelectorAll('li')) item.hidden = !item.textContent.toLowerCase().includes(wanted);
  for (const part of picker.querySelectorAll('.empty-values, .source')) {
    part.hidden = wanted !== '' && !part.querySelector('li:not([hidden])');
  }
  for (const folded of picker.querySelectorAll('.empty-values')) folded.open = wanted !== '';
};

const openPicker = (button) => {
  closePicker();
  button.setAttribute('aria-expanded', 'true');
  const picker = document.createElement('div');
  picker.id = 'picker';
  picker.className = 'picker mappings';
  picker.setAttribute('role', 'region');
  picker.setAttribute('aria-label', button.getAttribute('aria-label'));
  const search = document.createElement('input');
  search.type = 'search';
  search.placeholder = 'Search';
  search.setAttribute('aria-label', 'Search the data');
  search.addEventListener('input', () => filterPicker(picker, search.value));
  // The form would save itself.
  search.addEventListener('change', (event) => event.stopPropagation());
  const sources = [...document.querySelectorAll('#mappings .source')].map((source) => source.cloneNode(true));
  picker.append(search, ...sources);
  button.closest('.mappable, .dropdown, .pair').after(picker);
  search.focus();
};

document.addEventListener('click', ({ target }) => {
  const button = target.closest('[data-inserts]');
  if (!button) return;
  chosenField = document.getElementById(button.dataset.inserts);
  if (button.getAttribute('aria-expanded') === 'false') return openPicker(button);
  closePicker();
  chosenField.focus();
});

document.addEventListener('keydown', (event) => {
  const picker = event.target.closest('#picker');
  if (!picker) return;
  if (event.key === 'Escape') {
    closePicker();
    chosenField?.focus();
  }
  if (event.key !== 'Enter' || !event.target.matches('input')) return;
  // Enter takes the first value, and doesn't send the form.
  event.preventDefault();
  picker.querySelector('li:not([hidden]) .map')?.click();
});

document.addEventListener('input', ({ target }) => {
  if (target.matches('[data-mappable]')) target.classList.toggle('mapped', target.value.includes('{{'));
});

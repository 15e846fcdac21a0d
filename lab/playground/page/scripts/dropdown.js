// A list opens below its control. Escape closes it, and so does the button that opened it.
const closeList = (target) => {
  const list = target.closest('.dropdown')?.querySelector('.choices');
  if (!list?.hasChildNodes()) return false;
  list.replaceChildren();
  const button = document.getElementById(list.dataset.return);
  const focused = button.checkVisibility() ? button : list.closest('.dropdown').querySelector('[id^="list-"]');
  focused.focus();
  return true;
};

document.addEventListener('keydown', ({ key, target }) => key === 'Escape' && closeList(target));
document.addEventListener(
  'click',
  (event) => event.target.closest('[data-opens]') && closeList(event.target) && event.stopPropagation(),
  { capture: true },
);

document.addEventListener('click', ({ target }) => {
  const id = target.closest('[data-custom]')?.dataset.custom;
  if (!id) return;
  const dropdown = target.closest('.dropdown');
  dropdown.querySelector('.choices').replaceChildren();
  dropdown.classList.add('is-custom');
  document.getElementById(id).focus();
});

const wordsOf = (text) => ` ${text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, ' ')}`;

/** Finds words that begin with a text, such as AI by Zapier for "ai", or else a text anywhere, such as in Wait. */
const matching = (choices, wanted) => {
  const found = choices.filter(({ dataset }) => wordsOf(dataset.label).includes(wordsOf(wanted)));
  return found.length > 0 ? found : choices.filter(({ dataset }) => dataset.label.toLowerCase().includes(wanted));
};

// As in Zapier, a search finds only what the list shows. "Load more" adds to that.
const searchList = (list) => {
  const wanted = list.querySelector('[type="search"]')?.value.trim().toLowerCase() ?? '';
  const choices = [...list.querySelectorAll('[data-label]')];
  const found = matching(choices, wanted);
  for (const choice of choices) choice.hidden = !found.includes(choice);
  const isEmpty = choices.every((choice) => choice.hidden) && !list.querySelector('.problem');
  list.querySelector('.empty')?.toggleAttribute('hidden', !isEmpty);
};
document.addEventListener('input', ({ target }) => {
  const list = target.matches('[type="search"]') && target.closest('.choices');
  if (list) searchList(list);
});
document.addEventListener('htmx:after:swap', () => {
  for (const list of document.querySelectorAll('.choices')) searchList(list);
});

// Enter in the search takes the first choice that it finds.
document.addEventListener('keydown', (event) => {
  const list =
    event.key === 'Enter' && event.target.matches('.choices [type="search"]') && event.target.closest('.choices');
  if (!list) return;
  event.preventDefault();
  if (event.target.value.trim() !== '') list.querySelector('.options [data-label]:not([hidden]) button')?.click();
});

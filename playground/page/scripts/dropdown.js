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

// The menu of the steps that can be added may open below what a person sees. It closes by a click elsewhere too.
document.addEventListener(
  'toggle',
  ({ target }) => target.matches('.add[open]') && target.scrollIntoView({ block: 'nearest' }),
  { capture: true },
);
document.addEventListener('click', ({ target }) => {
  for (const menu of document.querySelectorAll('.add[open]')) if (!menu.contains(target)) menu.open = false;
});
document.addEventListener('keydown', ({ key, target }) => {
  const menu = key === 'Escape' && target.closest('.add[open]');
  if (!menu) return;
  menu.open = false;
  menu.querySelector('summary').focus();
});

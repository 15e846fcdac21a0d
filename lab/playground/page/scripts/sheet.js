// The sheet over the page: it opens when something is put into it.
const dialog = document.querySelector('#dialog');

document.addEventListener('htmx:after:swap', ({ detail }) => {
  const { target } = detail.ctx ?? {};
  const isSheet = target === '#sheet' || target?.id === 'sheet';
  if (!isSheet || dialog.open) return;
  dialog.showModal();
  dialog.querySelector('input, .sheet > button, textarea')?.focus();
});

document.addEventListener('click', ({ target }) => {
  // The dialog itself is what is beside its sheet.
  if (target === dialog || target.closest('[data-closes-sheet]')) dialog.close();
});

const search = () => {
  const words = dialog.querySelector('#search-recipes')?.value.toLowerCase().split(/\s+/) ?? [];
  const group = dialog.querySelector('[data-shows-group][aria-pressed="true"]')?.dataset.showsGroup;
  const cards = [...dialog.querySelectorAll('.card')];
  for (const card of cards) {
    const isInGroup = group === 'All' || card.dataset.group === group;
    const label = card.dataset.label.toLowerCase();
    card.hidden = !(isInGroup && words.every((word) => label.includes(word)));
  }
  dialog.querySelector('#no-recipes').hidden = cards.some((card) => !card.hidden);
};

dialog.addEventListener('input', ({ target }) => target.id === 'search-recipes' && search());
dialog.addEventListener('click', ({ target }) => {
  const chip = target.closest('[data-shows-group]');
  if (!chip) return;
  for (const each of dialog.querySelectorAll('[data-shows-group]')) {
    each.setAttribute('aria-pressed', String(each === chip));
  }
  search();
});

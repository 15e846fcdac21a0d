// A button that opens a step leads to this field.
document.addEventListener('htmx:after:swap', ({ detail }) => {
  const wanted = detail.ctx?.sourceElement?.dataset?.focuses;
  const field = wanted && [...document.querySelectorAll(wanted)].find((each) => each.checkVisibility());
  if (!field) return;
  field.focus();
  field.scrollIntoView({ block: 'center' });
});

// The end of a form leads to the button that makes the Zap run.
document.addEventListener('click', ({ target }) => {
  const id = target.closest('[data-leads]')?.dataset.leads;
  if (id) document.getElementById(id)?.focus();
});

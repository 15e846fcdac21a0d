// A button that opens a step leads to this field.
document.addEventListener('htmx:after:swap', ({ detail }) => {
  const wanted = detail.ctx?.sourceElement?.dataset?.focuses;
  const field = wanted && document.querySelector(wanted);
  if (!field) return;
  field.focus();
  field.scrollIntoView({ block: 'center' });
});

// The tour may be out of sight, below the recipes or above the steps.
document.addEventListener('htmx:after:swap', ({ detail }) => {
  if (detail.ctx?.sourceElement?.id !== 'show-tour') return;
  document.querySelector('#recipes').open = false;
  document.querySelector('#guide').scrollIntoView({ block: 'center' });
});

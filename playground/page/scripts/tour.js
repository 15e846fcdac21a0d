// A button that opens a step leads to this field.
document.addEventListener('htmx:after:swap', ({ detail }) => {
  const wanted = detail.ctx?.sourceElement?.dataset?.focuses;
  const field = wanted && document.querySelector(wanted);
  if (!field) return;
  field.focus();
  field.scrollIntoView({ block: 'center' });
});

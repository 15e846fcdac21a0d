// A button that opens a step leads to this field.
document.addEventListener('htmx:after:swap', ({ detail }) => {
  const wanted = detail.ctx?.sourceElement?.dataset?.focuses;
  const field = wanted && [...document.querySelectorAll(wanted)].find((each) => each.checkVisibility());
  if (!field) return;
  field.focus();
  field.scrollIntoView({ block: 'center' });
});

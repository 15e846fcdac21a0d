// Copies the text that a button shows, and selects it for a browser that doesn't allow that.
document.addEventListener('htmx:after:swap', async ({ detail }) => {
  const id = detail.ctx?.sourceElement?.dataset?.copies;
  const text = id && document.getElementById(id);
  if (!text) return;
  text.select();
  try {
    await navigator.clipboard.writeText(text.value);
    document.querySelector('#guide-copied').textContent = text.dataset.copied;
  } catch {
    text.focus();
  }
});

document.addEventListener('click', ({ target }) => {
  if (!target.closest('#close-guide')) return;
  document.querySelector('#guide-text').replaceChildren();
  document.querySelector('#copy-guide').focus();
});

// Copies the text that the sheet shows, and selects it for a browser that doesn't allow that.
document.addEventListener('htmx:after:swap', async ({ detail }) => {
  if (detail.ctx?.sourceElement?.id !== 'copy-guide') return;
  const text = document.querySelector('#guide-markdown');
  text.select();
  try {
    await navigator.clipboard.writeText(text.value);
    document.querySelector('#guide-copied').textContent = text.dataset.copied;
  } catch {
    text.focus();
  }
});

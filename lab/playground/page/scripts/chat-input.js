// In a chat, Enter sends and Shift+Enter starts a new line.
document.addEventListener('keydown', (event) => {
  const { key, target, shiftKey, isComposing } = event;
  if (key !== 'Enter' || shiftKey || isComposing || !target.matches('textarea[data-sends]')) return;
  event.preventDefault();
  target.form.requestSubmit();
});

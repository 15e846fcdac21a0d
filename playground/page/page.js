// What htmx has no attribute for. The page shows everything without it.
let lastField;

document.addEventListener('focusin', ({ target }) => {
  if (target.matches('#zap [data-mappable]')) lastField = target;
});

const insertMapping = (text) => {
  const field = lastField?.isConnected ? lastField : document.querySelector('#zap [data-mappable]');
  if (!field) return;
  field.focus();
  field.setRangeText(text, field.selectionStart, field.selectionEnd, 'end');
  field.dispatchEvent(new Event('change', { bubbles: true }));
};

document.addEventListener('click', ({ target }) => {
  const button = target.closest('[data-map]');
  if (button) insertMapping(button.dataset.map);
});

const scrollChat = () => {
  const messages = document.querySelector('#messages');
  if (messages) messages.scrollTop = messages.scrollHeight;
};
scrollChat();

document.addEventListener('htmx:after:request', ({ target, detail }) => {
  if (!detail.ctx.response?.raw.ok) return;
  if (detail.ctx.request.method === 'POST') document.querySelector('#failure').textContent = '';
  if (target.matches('form[data-reset]')) target.reset();
  const invalid = document.querySelector('#new-from')?.hasAttribute('aria-invalid');
  if (target.matches('.new form') && !invalid) target.closest('details').open = false;
});

let focusedError;
document.addEventListener('htmx:after:swap', ({ detail }) => {
  const messages = document.querySelector('#messages');
  const last = messages?.lastElementChild?.id;
  if (messages && messages.dataset.seen !== last) {
    messages.dataset.seen = last;
    scrollChat();
  }
  const invalid = document.querySelector('#zap [aria-invalid="true"]');
  const asked = detail?.ctx?.request?.method === 'POST';
  if (asked && invalid && focusedError !== invalid) invalid.focus();
  focusedError = invalid;
});

const offline = () => document.querySelector('#offline');
for (const event of ['htmx:sse:error', 'htmx:sse:before:connection']) {
  document.addEventListener(event, ({ detail }) => {
    if (event === 'htmx:sse:error' || detail.connection?.attempt > 0) offline().hidden = false;
  });
}
document.addEventListener('htmx:sse:after:connection', () => {
  offline().hidden = true;
  document.body.dataset.live = '';
});

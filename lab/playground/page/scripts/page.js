// What htmx has no attribute for. The page shows everything without it.
const find = (selector) => document.querySelector(selector);

// The focus stays where it was when the part around it changes, or when its button is disabled for a moment.
let focused = '';
let focusedPart;
document.addEventListener('focusin', ({ target }) => {
  focused = target.closest('[data-return]')?.dataset.return ?? target.id;
  focusedPart = target.closest('section[id], #bar');
});
document.addEventListener('pointerdown', ({ target }) => {
  if (focused && !target.closest(`#${CSS.escape(focused)}`)) focused = '';
});
const keepFocus = (part) => {
  // The browser notices only later that the element with the focus is hidden.
  const active = document.activeElement;
  if (!focused || (active !== document.body && active.checkVisibility())) return;
  const same = document.getElementById(focused);
  const isWithin = focusedPart?.contains(part) || part?.contains(focusedPart);
  const field = same?.checkVisibility() ? same : isWithin && (part.querySelector('[data-focus]') ?? part);
  if (field) field.focus({ preventScroll: true });
  if (field && field !== same) showPart(field);
};

// The form of a step may be below what a person sees when its list is long, or above when the form is.
const showPart = (field) => {
  const { top, bottom } = field.getBoundingClientRect();
  const isInView = top > 0 && bottom < innerHeight * 0.8;
  if (field.matches('#step [data-focus]') && !isInView) field.scrollIntoView({ block: 'center' });
};

// Outside a field, where the browser has nothing to take back, Ctrl+Z takes back the last change of the Zap.
const isTextField = (element) => element.matches('textarea, mapped-text, input:not([type="checkbox"], [type="radio"])');
document.addEventListener('keydown', (event) => {
  if (event.key.toLowerCase() !== 'z' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
  if (isTextField(event.target)) return;
  event.preventDefault();
  const button = event.shiftKey ? find('#redo') : (find('#undo-delete') ?? find('#undo'));
  button?.click();
});

// The address names the open chat and the step, so that a reload shows the same.
let shownSearch = location.search;
const keepAddress = () => {
  const parts = [...document.querySelectorAll('[data-address]')].map(({ dataset }) => dataset.address).filter(Boolean);
  const address = `?${parts.join('&')}`;
  if (address === location.search) return;
  if (location.search) history.pushState(null, '', address);
  else history.replaceState(null, '', address);
  shownSearch = address;
};

// A link to a part of the page moves through the history too, and shows the same.
window.addEventListener('popstate', () => location.search !== shownSearch && location.reload());

// A field is saved when a person leaves it, also by a reload.
window.addEventListener('beforeunload', () => document.activeElement.blur());

document.addEventListener('playground:tab', keepAddress);

document.addEventListener('htmx:after:request', ({ detail }) => {
  const { sourceElement, request, response } = detail.ctx;
  if (!response?.raw.ok) return;
  if (request.method === 'POST') find('#failure').textContent = '';
  if (sourceElement.matches('form[data-reset]')) startAnew(sourceElement, request.body);
});

// A form that was sent is empty again, or has its next values, except for what a person typed since.
const startAnew = (form, sent) => {
  const texts = [...form.querySelectorAll('textarea, input:not([type="hidden"])')];
  const at = (field) => texts.filter(({ name }) => name === field.name).indexOf(field);
  const before = texts.map((field) => [field, field.value, sent.getAll(field.name)[at(field)] ?? '']);
  form.reset();
  for (const [field, now, then] of before) {
    if (now !== then) field.value = now.startsWith(then) ? now.slice(then.length) : now;
    else if (field === document.activeElement) field.select();
  }
};

// A button that waits for its turn is disabled too, so that a double click runs once.
document.addEventListener('htmx:config:request', ({ detail }) => {
  const { sourceElement } = detail.ctx;
  const button = sourceElement.matches('form') ? sourceElement.querySelector('button') : sourceElement;
  if (sourceElement.hasAttribute('hx-disable')) button.disabled = true;
});

// A refresh that was on its way when a person opened something else shows the old view.
document.addEventListener('htmx:before:swap', (event) => {
  const { sourceElement, request } = event.detail.ctx ?? {};
  const isRefresh = sourceElement?.matches?.('[hx-target="this"]');
  if (!isRefresh || sourceElement.getAttribute('hx-get') === request.action) return;
  event.preventDefault();
  document.body.dispatchEvent(new Event(sourceElement.getAttribute('hx-trigger').split(' ')[0]));
});

// A request that waited for its turn sends the form as it is by then, with what the response before it changed.
document.addEventListener('htmx:config:request', ({ detail: { ctx } }) => {
  // The response may take the button away.
  ctx.resets = ctx.sourceElement.matches('[data-resets]');
  const form = find('#step');
  if (form?.elements.step.value !== ctx.request.body.get('step')) return;
  const own = new FormData(form);
  const { sourceElement, vals = {} } = ctx;
  const isBeside = (name) =>
    !own.has(name) || name in vals || (sourceElement.matches('select') && name === sourceElement.name);
  ctx.beside = [...ctx.request.body].filter(([name]) => isBeside(name));
});
document.addEventListener('htmx:before:request', ({ detail: { ctx } }) => {
  const form = find('#step');
  if (!ctx.beside || form?.elements.step.value !== ctx.request.body?.get('step')) return;
  const body = new FormData(form);
  for (const [name] of ctx.beside) body.delete(name);
  for (const [name, value] of ctx.beside) body.append(name, value);
  ctx.request.body = new URLSearchParams(body);
});

const entered = () => JSON.stringify([...new FormData(find('#step'))].filter(([name]) => name !== 'version'));

// The bubble of a form, and the previews of its fields, are about the form as it was sent. A save may have been quicker.
let sentWithPreview;
document.addEventListener('htmx:config:request', ({ detail }) => {
  if (detail.ctx.sourceElement.id === 'preview') sentWithPreview = entered();
});
document.addEventListener('htmx:before:swap', (event) => {
  const isPreview = event.detail.ctx?.sourceElement?.id === 'preview';
  if (isPreview && find('#step') && sentWithPreview !== entered()) event.preventDefault();
});

// Steps share the names of fields, and a field that a person changed would keep its value. A step begins at its top.
let shownStep = '';
const showOwnValues = (mustReset = false) => {
  const form = find('#step');
  if (!form) return;
  const step = [form.getAttribute('hx-post'), form.elements.step.value, form.elements['fields-of'].value].join(' ');
  if (step !== shownStep || mustReset) form.reset();
  if (step !== shownStep) for (const part of form.querySelectorAll('.fields')) part.scrollTop = 0;
  shownStep = step;
};
showOwnValues();

// The fields of the form, each with what a request sent of it.
const fieldsWith = (sent) => {
  const counts = {};
  return [...document.querySelectorAll('#step :is(input:not([type]), textarea, select, mapped-text)[name]')].map(
    (field) => {
      const at = counts[field.name] ?? 0;
      counts[field.name] = at + 1;
      return [field, sent.getAll(field.name)[at]];
    },
  );
};

// A response to an earlier save would also replace what a person typed since in a field that they have left.
let typedSince = [];
document.addEventListener('htmx:before:swap', ({ detail }) => {
  const sent = detail.ctx?.request?.body;
  const fields = sent instanceof URLSearchParams ? fieldsWith(sent) : [];
  typedSince = fields
    .filter(([field, then]) => then !== undefined && field.value !== then)
    .map(([field]) => [field, field.value]);
});
const keepTyped = () => {
  for (const [field, value] of typedSince) if (field.isConnected && field.value !== value) field.value = value;
  typedSince = [];
};

// A field that a person didn't change since it was sent shows what was saved, which another tab may have changed.
const showSaved = (sent) => {
  for (const [field, then] of fieldsWith(sent)) {
    const selected = field.matches('select') && [...field.options].find((option) => option.defaultSelected);
    const saved = selected ? selected.value : field.defaultValue;
    if (saved !== undefined && field.value !== saved && then === field.value) field.value = saved;
  }
};

/** The first field of the open form that is empty and takes a mapped value, its name, or a choice. */
const firstEmpty = () =>
  [...document.querySelectorAll('#step .fields :is(mapped-text, .chosen, [name^="k."])')].find(
    (field) =>
      field.checkVisibility() &&
      (field.closest('.dropdown')?.querySelector('.custom-value [name]') ?? field).value === '',
  );

// Focuses the first field with a problem, or scrolls to the result of the step.
const showOutcome = () => {
  const invalid = [
    ...document.querySelectorAll(
      '#zap :is([aria-invalid="true"], [invalid], [data-invalid]):not(.is-custom > .chosen, .dropdown:not(.is-custom) mapped-text)',
    ),
  ].find((field) => field.checkVisibility());
  if (invalid) invalid.focus();
  else find('#result')?.scrollIntoView({ block: 'nearest' });
};

document.addEventListener('htmx:after:swap', ({ detail }) => {
  const { sourceElement, target } = detail.ctx ?? {};
  const part = typeof target === 'string' ? find(target) : target;
  keepAddress();
  keepTyped();
  if (part?.id === 'zap' && detail.ctx.request?.body instanceof URLSearchParams) showSaved(detail.ctx.request.body);
  showOwnValues(detail.ctx?.resets);
  if (part?.matches('.choices')) {
    part.querySelector('[data-focus]')?.focus();
    part.scrollIntoView({ block: 'nearest' });
  }
  if (sourceElement?.matches?.('#zap button[hx-disable]')) showOutcome();
  // What a menu adds is filled in next.
  if (sourceElement?.matches?.('.menu [data-shows="step"]')) (firstEmpty() ?? find('#step [data-focus]'))?.focus();
  if (sourceElement?.matches?.('.step-card')) showPart(find('#step [data-focus]'));
  keepFocus(part);
});

// htmx copies the style of an element, such as the height of a field that a person dragged, and the page's policy blocks that.
document.addEventListener('htmx:before:swap', () => {
  for (const each of document.querySelectorAll('[style]:not(#picker)')) each.removeAttribute('style');
});

// Another tab emptied the playground.
document.addEventListener('over', () => location.assign('/'));

document.addEventListener('htmx:sse:error', () => {
  find('#offline').hidden = false;
});
document.addEventListener('htmx:sse:after:connection', () => {
  // The playground was started again, with other Zaps.
  if (!find('#offline').hidden) location.reload();
  document.body.dataset.live = '';
});

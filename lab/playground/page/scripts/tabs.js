// On a narrow screen the page shows one place at a time. A tab counts what came while its place was hidden.
const tabs = document.querySelector('#tabs');
const itemsOf = {
  zap: '#steps[data-run]',
  step: '#result',
  phone: '#messages .theirs, #windows .asks',
  story: '#activity[data-latest]',
};
const placeOf = { zap: 'canvas', step: 'panel', phone: 'phones', story: 'activity' };
const seen = new Set();
const fresh = { zap: new Set(), step: new Set(), phone: new Set(), story: new Set() };

const isNarrow = () => getComputedStyle(tabs).display !== 'none';
const isShown = (name) => !isNarrow() || document.body.dataset.tab === name;

/** The run that the canvas shows, the latest story, or the part itself. */
const idOf = ({ id, dataset }) => dataset.run ?? dataset.latest ?? id;

const countNew = (name) => {
  for (const id of [...document.querySelectorAll(itemsOf[name])].map(idOf)) {
    if (!seen.has(id)) fresh[name].add(id);
    seen.add(id);
  }
  if (isShown(name)) fresh[name].clear();
  const unread = name === 'phone' ? Number(document.querySelector('#phones').dataset.unread) : 0;
  return unread + fresh[name].size;
};

const showCounts = () => {
  for (const tab of tabs.children) {
    const count = countNew(tab.dataset.tab);
    const badge = tab.querySelector('.unread');
    badge.hidden = count === 0;
    badge.firstElementChild.textContent = String(count);
  }
};

const showTab = (name) => {
  document.body.dataset.tab = name;
  tabs.dataset.address = name === 'zap' ? '' : `tab=${name}`;
  for (const tab of tabs.children) tab.setAttribute('aria-current', String(tab.dataset.tab === name));
  showCounts();
  document.dispatchEvent(new Event('playground:tab'));
};

document.addEventListener('click', ({ target }) => {
  const tab = target.closest('#tabs [data-tab]')?.dataset.tab;
  const skip = target.closest('.skip') && 'zap';
  const part = target.closest('[data-shows]')?.dataset.shows ?? skip;
  if (tab) showTab(tab);
  if (skip) document.getElementById('canvas').focus();
  // What the click causes happens there.
  if (!part || isShown(part)) return;
  showTab(part);
  document.getElementById(placeOf[part]).focus({ preventScroll: true });
});

// On a narrow screen the list of the story is in its tab.
document.addEventListener(
  'click',
  (event) => {
    if (!isNarrow() || !event.target.closest('#open-stories')) return;
    event.preventDefault();
    event.stopPropagation();
    showTab('story');
  },
  { capture: true },
);
document.addEventListener('htmx:after:swap', showCounts);

// What is there from the start is nothing new.
for (const item of document.querySelectorAll(Object.values(itemsOf).join())) seen.add(idOf(item));
showCounts();

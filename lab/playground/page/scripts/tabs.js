// On a narrow screen the page shows one place at a time. A tab counts what came while its place was hidden.
const tabs = document.querySelector('#tabs');
const itemsOf = { zap: '#steps[data-run]', step: '#result', phone: '#messages .theirs', story: '#activity .latest' };
const placeOf = { zap: 'canvas', step: 'panel', phone: 'phones', story: 'activity' };
const seen = new Set();
const fresh = { zap: new Set(), step: new Set(), phone: new Set(), story: new Set() };

const isNarrow = () => getComputedStyle(tabs).display !== 'none';
const isShown = (name) => !isNarrow() || document.body.dataset.tab === name;

/** The run that the canvas shows, or the part itself. */
const idOf = ({ id, dataset }) => dataset.run ?? id;

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

const stories = () => document.querySelector('#open-stories');
const isDrawerOpen = () => stories().getAttribute('aria-expanded') === 'true';
/** A drawer that a tab opened isn't open on a wide screen. */
let isOpenedByTab = false;

const showTab = (name) => {
  document.body.dataset.tab = name;
  tabs.dataset.address = name === 'zap' ? '' : `tab=${name}`;
  for (const tab of tabs.children) tab.setAttribute('aria-current', String(tab.dataset.tab === name));
  if (name === 'story' && !isDrawerOpen()) {
    isOpenedByTab = true;
    stories().click();
  }
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

// On a narrow screen the line of the story leads to its tab, where the drawer is open.
document.addEventListener(
  'click',
  (event) => {
    if (!event.isTrusted || !isNarrow() || !event.target.closest('#open-stories')) return;
    event.stopPropagation();
    showTab('story');
  },
  { capture: true },
);
document.addEventListener('htmx:after:swap', showCounts);

// What is there from the start is nothing new.
for (const item of document.querySelectorAll(Object.values(itemsOf).join())) seen.add(idOf(item));
showCounts();

matchMedia('(width >= 700px)').addEventListener('change', ({ matches }) => {
  if (matches && isOpenedByTab && isDrawerOpen()) stories().click();
  isOpenedByTab = false;
});

// Escape closes the drawer, unless something above it is open.
document.addEventListener('keydown', ({ key, target }) => {
  if (key !== 'Escape' || isNarrow() || !isDrawerOpen() || !target.closest('.story-pane')) return;
  stories().click();
});

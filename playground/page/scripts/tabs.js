// Below 1,100 px the page shows one part at a time. A tab counts what came while its part was hidden.
const tabs = document.querySelector('#tabs');
const itemsOf = {
  zap: '#runs .runs > li',
  phones: '#messages .theirs',
  activity: '#activity > .lines > li > .line',
};
const seen = new Set();

const isShown = (name) => getComputedStyle(tabs).display === 'none' || document.body.dataset.tab === name;

const countNew = (name) => {
  const found = [...document.querySelectorAll(itemsOf[name])].filter(({ id }) => !seen.has(id));
  if (isShown(name)) for (const { id } of found) seen.add(id);
  const unread = name === 'phones' ? Number(document.querySelector('#phones').dataset.unread) : 0;
  return unread + (isShown(name) ? 0 : found.length);
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
  const part = target.closest('[data-shows]')?.dataset.shows ?? target.closest('.skip')?.hash.slice(1);
  if (tab) showTab(tab);
  // What the click causes happens there.
  if (!part || isShown(part)) return;
  showTab(part);
  document.getElementById(part).focus({ preventScroll: true });
});
document.addEventListener('htmx:after:swap', showCounts);

// What is there from the start is nothing new.
for (const item of document.querySelectorAll(Object.values(itemsOf).join())) seen.add(item.id);
showCounts();

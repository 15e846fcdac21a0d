// The canvas follows the run: to the step that runs, and to the outcome. A window shows the row that changed.
const find = (selector) => document.querySelector(selector);

const show = (part) => {
  if (part?.checkVisibility()) part.scrollIntoView({ block: 'nearest', inline: 'nearest' });
};

const pathOf = () =>
  [
    find('#steps')?.dataset.run,
    ...[...document.querySelectorAll('.step-card')].map(({ className }) => className),
  ].join();

/** The rows and lines of the windows, with what they say. */
const readRows = () =>
  new Map(
    [...document.querySelectorAll('#windows [id^="record-"], #windows .arrivals li[id]')].map((row) => [
      row.id,
      row.textContent,
    ]),
  );

/** The card of the open step, which was just added or may be far down. */
const openCard = () => find('.step-card[aria-current="step"]');

/** The card of the step that runs, or of the last one that did. */
const lastCard = () => find('.step-card.running') ?? [...document.querySelectorAll('.reached > .step-card')].at(-1);

// What is above the steps is about the Zap, and paths may be wider than the canvas.
const showStart = () => {
  const canvas = find('#canvas');
  canvas?.scrollTo((canvas.scrollWidth - canvas.clientWidth) / 2, 0);
};
showStart();

/** The id of the Zap that shows. */
const idOf = (address) => new URLSearchParams(address).get('zap');

let [path, zap, rows, open] = [pathOf(), find('#zap')?.dataset.address, readRows(), openCard()?.id];
/** Whether the run went on while another place of a narrow screen showed. */
let wentOn = false;

document.addEventListener('htmx:after:swap', () => {
  const [newPath, newZap, newRows] = [pathOf(), find('#zap')?.dataset.address, readRows()];
  const isOther = idOf(newZap) !== idOf(zap);
  if (newZap === zap) {
    if (newPath !== path) show(lastCard());
    wentOn ||= newPath !== path && !find('#canvas').checkVisibility();
    const changed = [...newRows.keys()].filter((id) => rows.get(id) !== newRows.get(id));
    for (const id of changed) show(document.getElementById(id));
  }
  if (openCard()?.id !== open) show(openCard());
  if (isOther) showStart();
  [path, zap, rows, open] = [newPath, newZap, newRows, openCard()?.id];
});

document.addEventListener('playground:tab', () => {
  if (!wentOn || !find('#canvas').checkVisibility()) return;
  wentOn = false;
  show(lastCard());
});

import type { Locator, Page } from 'playwright-core';

/** Moves the times of this run, which differ every day, so that the first one is 14:02:01. */
const fixTimes = `(() => {
  const pattern = /\\b\\d\\d:\\d\\d:\\d\\d\\b/g;
  const secondsOf = (time) => Date.parse('1970-01-01T' + time + 'Z') / 1000;
  const format = (seconds) => new Date(seconds * 1000).toISOString().slice(11, 19);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) texts.push(walker.currentNode);
  window.fixedTimes ??= new Set();
  const real = texts.flatMap(({ data }) => data.match(pattern) ?? []).filter((time) => !window.fixedTimes.has(time));
  window.firstTime ??= real.sort()[0];
  if (!window.firstTime) return;
  const fix = (time) => {
    if (window.fixedTimes.has(time)) return time;
    const fixed = format(secondsOf('14:02:01') + secondsOf(time) - secondsOf(window.firstTime));
    window.fixedTimes.add(fixed);
    return fixed;
  };
  for (const clock of document.querySelectorAll('time.clock')) clock.textContent = '14:02';
  const minutes = new Set(real.map((time) => time.slice(0, 5)));
  for (const text of texts) {
    const data = text.data
      .replace(pattern, fix)
      .replace(/\\bat (\\d\\d:\\d\\d)\\b(?!:)/g, (all, minute) => (minutes.has(minute) ? 'at 14:02' : all));
    if (data !== text.data) text.data = data;
  }
})()`;

/** Whether the page got news since its times were fixed. */
const hasNewTimes = `(document.body.innerText.match(/\\b\\d\\d:\\d\\d:\\d\\d\\b/g) ?? []).some((time) => !window.fixedTimes?.has(time))`;

interface Clip {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Leaves nothing around a part: not what lies behind its round corners, and not the shadow of the part beside it. */
const alone = 'html, body, main, #phones { background: none !important; } .device { box-shadow: none !important; }';

/** A screenshot of a part of the page, or of a place on it, without the focus, the pointer and the times of this run. */
export const shoot = async (page: Page, part: Locator | Clip): Promise<Buffer> => {
  await page.evaluate('document.activeElement.blur()');
  await page.mouse.move(0, 0);
  for (;;) {
    await page.evaluate(fixTimes);
    const picture = await ('x' in part
      ? page.screenshot({ animations: 'disabled', clip: part })
      : part.screenshot({ animations: 'disabled', omitBackground: true, style: alone }));
    if (!(await page.evaluate(hasNewTimes))) return picture;
  }
};

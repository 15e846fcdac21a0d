import type { Page } from 'playwright-core';
import { type Frame, writeAnimation, writePicture } from './pictures';
import { shoot } from './screen';

/** The whole page: the Zap, the phone and the story. */
const clip = { x: 0, y: 0, width: 1200, height: 760 };

/** The share of a picture that ids and times change. */
const maxDifference = 0.01;

/** How long each picture is shown, in milliseconds. */
const shown = { start: 1600, stage: 1100, answer: 2200, history: 1400, end: 4000 };

/** Holds back what the page reads after a click, until the returned function is called. */
const holdNews = async (page: Page): Promise<() => void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const isNews = ({ pathname }: URL) => pathname === '/phones' || pathname === '/tour' || pathname.endsWith('/runs');
  await page.route(isNews, async (route) => {
    if (route.request().method() === 'GET') await promise;
    await route.continue();
  });
  return resolve;
};

/** Plays the tour, and takes a picture of the question and of each stage that follows. */
const playStages = async (page: Page): Promise<Buffer[]> => {
  const release = await holdNews(page);
  await page.locator('#play').click();
  await page.locator('.bubble.mine').waitFor();
  const question = await shoot(page, clip);
  release();
  const title = page.locator('#guide-title');
  const pictures = new Map<string, Buffer>();
  for (let last = ''; !last.includes('read the answer'); ) {
    last = await title.innerText();
    if (!pictures.has(last)) pictures.set(last, await shoot(page, clip));
  }
  return [question, ...pictures.values()];
};

const replay = async (page: Page): Promise<Buffer[]> => {
  await page.locator('#open-stories').click();
  const history = page.locator('#runs-list');
  const before = await shoot(page, clip);
  await history.getByRole('button', { name: 'Replay', exact: true }).click();
  await history.getByText('Nothing new was sent').waitFor();
  return [before, await shoot(page, clip)];
};

/** Shows a question, the Zap that answers it, the reply on the phone, and a replay that sends nothing new. */
export const takeStory = async (page: Page): Promise<void> => {
  const start = await shoot(page, clip);
  const stages = await playStages(page);
  const [before, end] = await replay(page);
  if (!before || !end) return;
  const frames: Frame[] = [
    { screenshot: start, shown: shown.start },
    ...stages.slice(0, -1).map((screenshot) => ({ screenshot, shown: shown.stage })),
    ...stages.slice(-1).map((screenshot) => ({ screenshot, shown: shown.answer })),
    { screenshot: before, shown: shown.history },
    { screenshot: end, shown: shown.end },
  ];
  await writePicture('story', end, maxDifference);
  await writeAnimation('story', frames, maxDifference);
};

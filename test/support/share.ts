/** How many days it takes until every test that is drawn by day has run, if its file runs every day. */
export const days = 7;

/** Whether all tests run, and properties in their full width, as every week in CI. */
export const isWhole = process.env.TEST_SHARE === 'all';

/** Whether all tests run. */
export const runsAll = isWhole || Boolean(process.env.CI);

/** Draws values and shares. It's the number of the day (`jest.config.cjs`), so a red test stays red when it's repeated. */
export const seed = Number(process.env.TEST_SEED);

const isDrawn = (day: number, index: number): boolean => (index + day) % days === 0;

/** Returns a day's share of a list. The shares of a week hold each item once. */
export const shareOn = <T>(day: number, list: readonly T[]): T[] => list.filter((_, index) => isDrawn(day, index));

/** Returns today's share of a list whose items take long, or all of it when all tests run. */
export const todaysShare = <T>(list: readonly T[]): T[] => (runsAll ? [...list] : shareOn(seed, list));

let defined = 0;

/** Defines a test that takes half a second of CPU time, or more. The tests of a file take turns, a day each. */
export const testByDay = (name: string, check: () => Promise<void>): void => {
  const isToday = isDrawn(seed, defined++);
  if (isToday || runsAll) test(name, check);
};

/** Returns how many times a property runs that runs `whole` times in its full width. */
export const todaysRuns = (whole: number): number => (isWhole ? whole : Math.ceil(whole / days));

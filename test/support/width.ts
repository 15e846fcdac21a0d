/** Whether properties run in their full width, with new values: `npm run test:wide`, as every week in CI. */
export const isWide = process.env.TEST_WIDE !== undefined;

/**
 * Draws the values of properties. It never changes in `npm test`, so a commit has the same result on every day. The
 * weekly job draws others, and what it finds becomes an example.
 */
export const seed = Number((isWide && process.env.TEST_SEED) || 20_260);

/** How often a property runs in `npm test`, after its examples. */
const narrowRuns = 25;

/** Returns how often a property runs that runs `full` times in its full width. */
export const runsOf = (full: number): number => (isWide ? full : Math.min(full, narrowRuns));

import app from '../src';

const pick = <T>(steps: Record<string, T>, key: string): Record<string, T> =>
  Object.fromEntries(Object.entries(steps).filter(([each]) => each === key));

/**
 * The app with the operations of one key and no others. Core copies the whole definition for every run, which takes
 * five times as long with all of them.
 */
export const appWithOnly = (key: string) => ({
  ...app,
  triggers: pick(app.triggers, key),
  creates: pick(app.creates, key),
  searches: pick(app.searches, key),
  searchOrCreates: {},
});

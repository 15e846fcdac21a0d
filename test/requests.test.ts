import { currentApp } from '../scripts/docs/definition';
import { recordStepRequests } from '../scripts/docs/requests';
import { listRuns } from './runs';
import { exampleRecords } from './support/records';

/** The requests of triggers and of the connection, in each situation. */
const general = new Map([
  ['the connection is tested', 1],
  ['the Zap is turned on', 1],
  ['an event arrives', 0],
  ['the test step', 2],
  ['the Zap is turned off', 1],
  ['a page of the dropdown', 1],
]);

test('every step makes as many requests as its run in test/runs.ts says', async () => {
  const runs = listRuns(exampleRecords);
  const recorded = await recordStepRequests(currentApp);
  expect(recorded.length).toBeGreaterThan(runs.length);
  const differing = recorded.flatMap(({ key, when, requests }) => {
    const run = runs.find((each) => each.place.endsWith(`.${key}`) && each.when === when);
    const expected = run?.requests ?? general.get(when);
    const difference = `${key} (${when}) makes ${requests.length} requests (${requests.join(', ')}), not ${expected}`;
    return requests.length === expected ? [] : difference;
  });
  expect(differing).toEqual([]);
});

import { creates } from '../creates';
import { currentApp } from '../scripts/docs/definition';
import { recordStepRequests, type StepRequests } from '../scripts/docs/requests';
import { searches } from '../searches';
import { type EndpointName, endpoints, exists } from '../src/api/endpoints';
import { needsOf } from '../src/platform/register';
import { triggers } from '../triggers';
import { listRuns } from './runs';
import { exampleRecords } from './support/records';

/** Calls that a step makes only if the service has them. */
const optional: Record<string, EndpointName[]> = {
  ...Object.fromEntries(Object.values(triggers).map(({ key }) => [key, ['listWebhooks']])),
  // It polls a service that has no webhooks.
  message_received: ['createWebhook', 'listMessages', 'listWebhooks'],
  message_sent: ['listMessages', 'listWebhooks'],
  message_status_updated: ['listMessages', 'listWebhooks'],
  message_failed: ['listMessages', 'listWebhooks'],
  new_contact: [],
  send_message: ['listTemplates'],
  send_message_and_wait: ['listTemplates', 'listWebhooks', 'listConversations'],
  trigger_campaign: ['listTemplates'],
  upsert_contact: ['listContacts'],
  find_contact: ['getContact'],
  find_conversation: ['getConversation'],
  find_reply: ['listConversations'],
  // It calls any path, such as those of its runs.
  api_request: ['createContact', 'listContacts'],
};

/** The requests of triggers and of the connection, in each situation. */
const general = new Map([
  ['the connection is tested', 1],
  ['the Zap is turned on', 1],
  ['an event arrives', 0],
  ['the test step', 2],
  ['the Zap is turned off', 1],
  ['a page of the dropdown', 1],
]);

let recorded: StepRequests[] = [];
beforeAll(async () => {
  recorded = await recordStepRequests(currentApp);
});

test('every step makes as many requests as its run in test/runs.ts says', async () => {
  const runs = listRuns(exampleRecords);
  expect(recorded.length).toBeGreaterThan(runs.length);
  const differing = recorded.flatMap(({ key, when, requests }) => {
    const run = runs.find((each) => each.place.endsWith(`.${key}`) && each.when === when);
    const expected = run?.requests ?? general.get(when);
    const difference = `${key} (${when}) makes ${requests.length} requests (${requests.join(', ')}), not ${expected}`;
    return requests.length === expected ? [] : difference;
  });
  expect(differing).toEqual([]);
});

test('a step makes the calls that it needs, and others only if the service has them', async () => {
  // A field is a dropdown only if the service lists its choices.
  const running = recorded.filter(({ when }) => when !== 'a page of the dropdown');
  const runs = Map.groupBy(running, ({ key }) => key);
  runs.delete('authentication');
  const made = [...runs].map(([key, all]) => [key, [...new Set(all.flatMap(({ requests }) => requests))].toSorted()]);
  const steps = Object.entries({ ...triggers, ...creates, ...searches });
  const declared = steps.map(([key, step]) => {
    const calls = needsOf(step).filter((need) => typeof need === 'string' && Object.hasOwn(endpoints, need));
    return [key, [...calls, ...(optional[key] ?? []).filter(exists)].toSorted()];
  });
  expect(Object.fromEntries(made)).toEqual(Object.fromEntries(declared));
});

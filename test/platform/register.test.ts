import { creates } from '../../creates';
import { currentApp } from '../../scripts/docs/definition';
import { recordStepRequests } from '../../scripts/docs/requests';
import { searches } from '../../searches';
import { type EndpointName, endpoints, exists } from '../../src/api/endpoints';
import { vocabulary } from '../../src/api/resources';
import { needsOf } from '../../src/platform/register';
import { triggers } from '../../triggers';

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

test('an instant trigger depends on an event, so that it goes if the service lacks the event', () => {
  const instant = Object.values(triggers).filter(({ operation }) => 'performSubscribe' in operation);
  const without = instant.filter(
    (step) => !needsOf(step).some((need) => vocabulary.event.some((name) => name === need)),
  );
  const advice = without.map(({ key }) => `Add the event of ${key} to its line in triggers/index.ts.`);
  expect(advice).toEqual([]);
});

test('a step makes the calls that it needs, and others only if the service has them', async () => {
  // A field is a dropdown only if the service lists its choices.
  const recorded = (await recordStepRequests(currentApp)).filter(({ when }) => when !== 'a page of the dropdown');
  const runs = Map.groupBy(recorded, ({ key }) => key);
  runs.delete('authentication');
  const made = [...runs].map(([key, all]) => [key, [...new Set(all.flatMap(({ requests }) => requests))].toSorted()]);
  const steps = Object.entries({ ...triggers, ...creates, ...searches });
  const declared = steps.map(([key, step]) => {
    const calls = needsOf(step).filter((need) => typeof need === 'string' && Object.hasOwn(endpoints, need));
    return [key, [...calls, ...(optional[key] ?? []).filter(exists)].toSorted()];
  });
  expect(Object.fromEntries(made)).toEqual(Object.fromEntries(declared));
});

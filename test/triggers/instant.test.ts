import { runStep } from '../../playground/zapier';
import app from '../../src';
import { type EventName, events } from '../../src/api/events';
import { webhook } from '../../src/api/resources';
import { deliveryOf, signed, subscribeData } from '../deliveries';
import { authData, recordCalls } from '../service';

/** The events that start each instant trigger when its form is empty, and the fields of its form. */
const hooks: Record<string, { events: EventName[]; fields: string[] }> = {
  message_received: { events: ['message.received'], fields: ['channel', 'contains', 'match'] },
  message_sent: { events: ['message.sent'], fields: ['channel', 'sources'] },
  message_status_updated: {
    events: ['message.delivered', 'message.read', 'message.failed'],
    fields: ['statuses', 'channel', 'sources', 'campaign'],
  },
  message_failed: { events: ['message.failed'], fields: ['channel', 'sources', 'campaign'] },
  conversation_opened: { events: ['conversation.opened'], fields: ['channel'] },
  conversation_closed: { events: ['conversation.closed'], fields: ['channel'] },
  conversation_reopened: { events: ['conversation.reopened'], fields: ['channel'] },
  campaign_started: { events: ['campaign.started'], fields: ['campaign'] },
  campaign_completed: { events: ['campaign.completed'], fields: ['campaign'] },
  campaign_failed: { events: ['campaign.failed'], fields: ['campaign'] },
};

const eventNames = Object.keys(events).filter((name): name is EventName => name in events);
const instant = Object.values(app.triggers).filter(({ operation }) => operation.type === 'hook');

test('the table lists every instant trigger and its fields', () => {
  const fieldsOf = ({ inputFields = [] }: (typeof instant)[number]['operation']) =>
    [inputFields].flat().flatMap((field) => ('key' in field ? field.key : []));
  expect(Object.fromEntries(instant.map(({ key, operation }) => [key, fieldsOf(operation)]))).toEqual(
    Object.fromEntries(Object.entries(hooks).map(([key, { fields }]) => [key, fields])),
  );
});

describe.each(Object.entries(hooks))('%s', (key, { events: own }) => {
  const step = (name: string, bundle: object) =>
    runStep(`triggers.${key}.operation.${name}`, { authData, subscribeData, ...bundle });

  test('subscribes to its own events', async () => {
    const asked = recordCalls('createWebhook', {}, 201, webhook.sample);
    await step('performSubscribe', { targetUrl: 'https://hooks.example.com/1/' });
    expect(asked).toMatchObject([{ body: { events: own } }]);
  });

  test('starts for its own events and no others', async () => {
    const start = (name: EventName) => step('perform', signed(deliveryOf(name)));
    for (const name of own) await expect(start(name)).resolves.toEqual([events[name].sample]);
    for (const name of eventNames.filter((each) => !own.includes(each))) await expect(start(name)).resolves.toEqual([]);
  });
});

import * as z from 'zod/mini';
import { runStep } from '../../playground/zapier';
import app from '../../src';
import { type EventName, events } from '../../src/api/events';
import { vocabulary, webhook } from '../../src/api/resources';
import { deliveryOf, signed, subscribeData } from '../deliveries';
import { authData, recordCalls } from '../service';

const instant = Object.values(app.triggers).filter(({ operation }) => operation.type === 'hook');

const subscription = z.object({ body: z.object({ events: z.array(z.enum(vocabulary.event)) }) });

test.each(instant.map(({ key }) => key))(
  '%s starts for the events that it subscribes to and no others',
  async (key) => {
    const run = (name: string, bundle: object) =>
      runStep(`triggers.${key}.operation.${name}`, { authData, subscribeData, ...bundle });
    const start = (name: EventName) => run('perform', signed(deliveryOf(name)));

    const asked = recordCalls('createWebhook', {}, 201, webhook.sample);
    await run('performSubscribe', { targetUrl: 'https://hooks.example.com/1/' });
    const own = subscription.parse(asked[0]).body.events;

    expect(own).not.toEqual([]);
    for (const name of own) await expect(start(name)).resolves.toEqual([events[name].sample]);
    for (const name of vocabulary.event.filter((each) => !own.includes(each))) {
      await expect(start(name)).resolves.toEqual([]);
    }
  },
);

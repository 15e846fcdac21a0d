import fc from 'fast-check';
import * as z from 'zod/mini';
import app from '../../src';
import { events } from '../../src/api/events';
import { vocabulary, webhook } from '../../src/api/resources';
import { deliveryOf, signed, subscribeData } from '../support/deliveries';
import { allowWebhooks, authData, expectCall, recordCalls } from '../support/service';
import { runStep } from '../support/zapier';

const senders = ['colleague', 'ai', 'automation', 'campaign', 'api'];

const defaults: Record<string, string[]> = {
  message_sent: ['colleague', 'automation'],
  message_status_updated: ['colleague', 'ai', 'automation', 'api'],
};

const field = z.object({ key: z.string() });

/** Every trigger whose form has Sent By, and the senders that an empty field means. */
const triggers = Object.values(app.triggers)
  .filter(({ operation }) =>
    operation.inputFields?.some((each: unknown) => field.safeParse(each).data?.key === 'sources'),
  )
  .map(({ key }) => ({ key, byDefault: defaults[key] ?? [] }));

const asked = z.object({
  events: z.tuple([z.enum(vocabulary.event)], z.string()),
  filters: z.optional(z.object({ source: z.optional(z.array(z.string())) })),
});

const kept = z.looseObject({ id: z.string(), secret: z.string() });

type Trigger = (typeof triggers)[number];

const step = (trigger: string, name: string, bundle: Parameters<typeof runStep>[1]) =>
  runStep(`triggers.${trigger}.operation.${name}`, { authData, ...bundle });

/** Turns on a Zap with a service that returns these filters. Returns what was asked for, and what Zapier keeps. */
const turnOn = async (trigger: string, sources: string[], filters: unknown) => {
  const { secret } = subscribeData;
  const requests = recordCalls('createWebhook', {}, 201, { ...webhook.sample, secret, filters });
  const bundle = { inputData: { sources }, targetUrl: 'https://hooks.example.com/standard/1/a/' };
  const subscription = kept.parse(await step(trigger, 'performSubscribe', bundle));
  return { asked: asked.parse(requests[0]?.body), subscription };
};

/** What a message says about its sender. Undefined leaves the field out. */
const source = fc.constantFrom(...vocabulary.source, 'robot', undefined, null, '', ' ');

/** The filter that a service returns for the one that was asked for. */
const echoes: Record<string, (wanted: string[]) => unknown> = {
  'the same': (wanted) => ({ source: wanted }),
  'the same in another order': (wanted) => ({ channel: [], source: wanted.toReversed() }),
  'fewer senders': (wanted) => ({ source: wanted.slice(1) }),
  'more senders': (wanted) => ({ source: [...wanted, ...senders] }),
  'no senders': () => ({ source: [] }),
  'other filters': () => ({ channel: ['whatsapp'] }),
  'no filters': () => null,
  text: (wanted) => ({ source: wanted.join() }),
  'the same and something else': (wanted) => ({ source: [...wanted, null] }),
  'a list of something else': () => ({ source: [7, null] }),
};

const sendersInForce = (sources: string[], { byDefault }: Trigger): string[] => {
  if (sources.length === 0) return byDefault;
  return sources.length === senders.length ? [] : sources;
};

const says = {
  name: 'HaltedError',
  message: expect.stringMatching(/^The messaging service doesn't say who sent this message, so the Zap didn't start\./),
};

const started = z.array(z.looseObject({ id: z.string() }));

const echoed = z.object({ source: z.array(z.string()) });

test('three triggers let people choose senders', () => {
  expect(triggers.map(({ key }) => key).toSorted()).toEqual([
    'message_failed',
    'message_sent',
    'message_status_updated',
  ]);
});

const choice = fc.subarray(senders);
const anyTrigger = fc.constantFrom(...triggers);

interface Case {
  trigger: Trigger;
  sources: string[];
  echo: string;
  given: string | null | undefined;
  /** Another choice since the Zap was turned on. Zapier may run a changed form with the old subscription. */
  changed: string[] | null;
}

const anyCase: fc.Arbitrary<Case> = fc.record({
  trigger: anyTrigger,
  sources: choice,
  echo: fc.constantFrom(...Object.keys(echoes)),
  given: source,
  changed: fc.option(choice, { freq: 2 }),
});

/** The cases that matter most, each with every trigger. */
const examples = triggers.flatMap((trigger) =>
  ['the same', 'more senders', 'no filters'].flatMap((echo) =>
    [undefined, null].flatMap((given) =>
      [null, ['campaign']].map((changed): [Case] => [{ trigger, sources: ['colleague'], echo, given, changed }]),
    ),
  ),
);

test('a Zap starts for wanted senders, and for unknown ones only when the service leaves out all others', async () => {
  await fc.assert(
    fc.asyncProperty(anyCase, async ({ trigger, sources, echo, given, changed }) => {
      const wanted = sendersInForce(sources, trigger);
      const filters = echoes[echo]?.(wanted);
      const { asked, subscription } = await turnOn(trigger.key, sources, filters);
      expect(asked.filters?.source ?? []).toEqual(wanted);

      const message = signed(deliveryOf(asked.events[0], { source: given }));
      const bundle = { subscribeData: subscription, inputData: { sources: changed ?? sources } };
      const received = step(trigger.key, 'perform', { ...bundle, ...message });

      const inForce = changed ? sendersInForce(changed, trigger) : wanted;
      const { source: confirmed = [] } = echoed.safeParse(filters).data ?? {};
      const isWithin = [wanted, inForce].every((each) => confirmed.every((sender) => each.includes(sender)));
      const isLimited = confirmed.length > 0 && isWithin;
      const isStarted = inForce.length === 0 || inForce.includes(given ?? '') || (given === undefined && isLimited);
      if (isStarted) return expect(started.parse(await received)).toHaveLength(1);
      if (given?.trim()) return await expect(received).resolves.toEqual([]);
      await expect(received).rejects.toMatchObject(says);
    }),
    { numRuns: 80, examples },
  );
});

test('the test step lists messages of wanted and of unknown senders', async () => {
  await fc.assert(
    fc.asyncProperty(anyTrigger, choice, source, async (trigger, sources, given) => {
      const record = { ...events['message.failed'].sample, source: given };
      // Each trigger lists messages of its own statuses.
      const data = ['sent', 'read', 'failed'].map((status) => ({ ...record, id: `msg_${status}`, status }));
      allowWebhooks();
      expectCall('listMessages').reply(200, { data });
      const listed = started.parse(await step(trigger.key, 'performList', { inputData: { sources } }));
      const wanted = sendersInForce(sources, trigger);
      expect(listed.length > 0).toBe(wanted.length === 0 || !given?.trim() || wanted.includes(given));
    }),
    { numRuns: 40 },
  );
});

describe('a message without a sender', () => {
  const type = 'message.sent';
  const unknown = deliveryOf(type, { id: 'msg_unknown', source: undefined });
  const receive = (delivered: object, inputData: object = {}, subscription: object = {}) =>
    step('message_sent', 'perform', {
      subscribeData: { ...subscribeData, ...subscription },
      inputData: { ...inputData },
      ...signed(delivered),
    });

  test.each([{}, { confirmed_sources: [] }, { confirmed_sources: 'colleague' }, { confirmed_sources: [7] }])(
    'starts nothing and says why when the Zap was turned on with %j',
    async (subscription) => {
      await expect(receive(unknown, {}, subscription)).rejects.toMatchObject(says);
    },
  );

  test('does not hold back the others of its payload', async () => {
    const known = deliveryOf(type, { id: 'msg_known', source: 'colleague' });
    await expect(receive([unknown, known])).resolves.toMatchObject([{ id: 'msg_known' }]);
  });

  test('starts nothing without a word when it passes no other filter', async () => {
    await expect(receive(unknown, { channel: 'sms' })).resolves.toEqual([]);
    await expect(receive(deliveryOf(type, { direction: 'inbound', source: null }))).resolves.toEqual([]);
    await expect(receive(deliveryOf('message.read', { source: null }))).resolves.toEqual([]);
  });

  test('is not taken for a repeat later', async () => {
    await expect(receive(unknown)).rejects.toMatchObject(says);
    await expect(receive(unknown, {}, { confirmed_sources: ['colleague'] })).resolves.toHaveLength(1);
  });
});

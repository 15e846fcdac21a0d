/** How the sandbox delivers events, which conformance sees only when a delivery arrives at once. */
import { Webhook as StandardWebhook } from 'standardwebhooks';
import * as z from 'zod/mini';
import type { Webhook } from '../../../src/api/resources';
import { Receiver, type Reply } from '../../../test/support/receiver';
import { eventually, newNumber, parcelMessage, Running, withId } from '../../../test/support/running';

const service = new Running({ speed: 1 });
const impatient = new Running({ speed: 1, deliveryTimeoutMs: 50 });

const ends: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** Creates a receiver and a webhook that delivers to it until the test ends. */
const listen = async (reply?: Reply, wanted: object = { events: ['message.received'] }, of = service) => {
  const receiver = await Receiver.start(reply);
  const hook = await of.read('createWebhook', { body: { url: receiver.url, ...wanted } });
  ends.push(() => of.request('deleteWebhook', { id: hook.id }), receiver.stop);
  return { receiver, hook };
};

const write = (of = service) => of.control('POST', '/messages', { from: newNumber(), text: 'Hello' });

const deliveryList = z.object({
  data: z.array(
    z.object({
      status: z.string(),
      attempts: z.array(z.object({ at: z.string(), status: z.nullable(z.number()), error: z.nullable(z.string()) })),
    }),
  ),
});
const deliveriesTo = async ({ id }: Webhook, of = service) =>
  deliveryList.parse((await of.control('GET', `/deliveries?webhook_id=${id}`)).body).data;

const headersOf = (received: object | undefined) => z.record(z.string(), z.string()).parse(Object(received).headers);

test('an event is delivered with its whole record, signed as Standard Webhooks says', async () => {
  const { receiver, hook } = await listen();
  const { body } = await write();
  const [first] = await receiver.wait(1);
  const headers = headersOf(first);
  expect(new StandardWebhook(hook.secret ?? '').verify(first?.raw ?? '', headers)).toEqual({
    id: headers['webhook-id'],
    type: 'message.received',
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    workspace_id: expect.stringMatching(/^ws_/),
    data: body,
  });
  expect(JSON.stringify((await service.request('listWebhooks')).body)).not.toContain('whsec_');
});

test('for a day after a rotation the old secret signs along with the new one', async () => {
  const { receiver, hook } = await listen();
  const { body: rotated } = await service.control('POST', `/webhooks/${hook.id}/rotate-secret`);
  await write();
  await receiver.wait(1);
  await service.advance(86_400);
  await write();
  const received = await receiver.wait(2);
  const isSigned = (secret: unknown, index: number): boolean => {
    try {
      return Boolean(
        new StandardWebhook(String(secret)).verify(received[index]?.raw ?? '', headersOf(received[index])),
      );
    } catch {
      return false;
    }
  };
  const secrets = [hook.secret, withId.parse(rotated).secret];
  expect([0, 1].map((index) => secrets.map((secret) => isSigned(secret, index)))).toEqual([
    [true, true],
    [false, true],
  ]);
});

test('a filter by source lets only the messages of these through', async () => {
  const wanted = { events: ['message.sent'], filters: { source: ['colleague', 'campaign'] } };
  const { receiver } = await listen(undefined, wanted);
  const { id } = await service.read('sendMessage', { body: parcelMessage(newNumber()) });
  const { conversation_id } = await service.read('getMessage', { id });
  await service.control('POST', `/conversations/${conversation_id}/messages`, { text: 'From a colleague' });
  await service.advance(60);
  const received = await receiver.wait(1);
  // A slow machine may receive a delivery twice.
  expect(new Set(received.map(({ event }) => event.data.source))).toEqual(new Set(['colleague']));
});

test('nothing goes to other machines', async () => {
  const body = { url: 'https://hooks.zapier.com/hooks/standard/1/abc/', events: ['message.received'] };
  const hook = await service.read('createWebhook', { body });
  await write();
  const attempts = [{ status: null, error: expect.stringContaining('this machine') }];
  await eventually(async () => expect(await deliveriesTo(hook)).toMatchObject([{ status: 'failed', attempts }]));
});

test('a webhook expires after 30 days', async () => {
  const { hook } = await listen();
  const idsAfter = async (days: number) => {
    await service.advance(days * 86_400);
    return (await service.read('listWebhooks')).data.map(({ id }) => id);
  };
  expect(await idsAfter(29)).toContain(hook.id);
  expect(await idsAfter(1)).not.toContain(hook.id);
});

const pauses = [5, 30, 120, 600, 1800, 7200, 21_600];

test('the same delivery is sent until it arrives, with growing pauses, up to eight times', async () => {
  const { receiver, hook } = await listen((response, count) => response.writeHead(count <= 7 ? 503 : 200).end());
  await write();
  for (const [index, pause] of pauses.entries()) {
    await receiver.wait(index + 1);
    // A pause that is too short ends here.
    await service.advance(pause - 5);
    await service.advance(5);
  }
  const received = await receiver.wait(8);
  expect(new Set(received.map((each) => each.raw + headersOf(each)['webhook-id'])).size).toBe(1);
  await eventually(async () => expect(await deliveriesTo(hook)).toMatchObject([{ status: 'delivered' }]));
  const attempts = (await deliveriesTo(hook)).flatMap((each) => each.attempts);
  expect(attempts.map(({ status }) => status)).toEqual([...pauses.map(() => 503), 200]);
  const seconds = attempts.map(({ at }) => Date.parse(at) / 1000);
  const waited = seconds.slice(1).map((each, index) => each - (seconds[index] ?? 0));
  expect(waited.filter((each, index) => each < (pauses[index] ?? 0) - 1)).toEqual([]);
});

test('a receiver that never responds gets the delivery again', async () => {
  const { receiver, hook } = await listen(() => undefined, undefined, impatient);
  await write(impatient);
  const error = 'No response within 0.05 seconds.';
  await eventually(async () =>
    expect(await deliveriesTo(hook, impatient)).toMatchObject([{ status: 'pending', attempts: [{ error }] }]),
  );
  await impatient.advance(5);
  await receiver.wait(2);
});

test('a 410 deletes the webhook and cancels its deliveries', async () => {
  const { receiver, hook } = await listen((response) => response.writeHead(500).end());
  await write();
  await write();
  await receiver.wait(2);
  receiver.reply = (response) => response.writeHead(410).end();
  await service.advance(5);
  await eventually(async () => {
    expect((await deliveriesTo(hook)).map(({ status }) => status)).toEqual(['canceled', 'canceled']);
  });
  expect(await service.request('deleteWebhook', { id: hook.id })).toMatchObject({ status: 404 });
});

test('a webhook that is deleted during an attempt gets no other', async () => {
  const held: (() => void)[] = [];
  const { receiver, hook } = await listen((response) => held.push(() => response.writeHead(500).end()));
  await write();
  await receiver.wait(1);
  await service.request('deleteWebhook', { id: hook.id });
  for (const answer of held) answer();
  await eventually(async () => expect(await deliveriesTo(hook)).toMatchObject([{ status: 'canceled' }]));
});

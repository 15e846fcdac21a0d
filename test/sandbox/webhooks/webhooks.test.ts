import * as z from 'zod/mini';
import { campaign, message, type Webhook } from '../../../src/api/resources';
import { deliveryHeaders } from '../../../src/api/service';
import { isSigned, Receiver, type Reply } from '../../support/receiver';
import { errorOf, eventually, newNumber, parcelMessage, Running } from '../../support/running';

const service = new Running();

const listening: { receiver: Receiver; hook: Webhook }[] = [];

afterEach(async () => {
  for (const { receiver, hook } of listening.splice(0)) {
    await service.request('deleteWebhook', { id: hook.id });
    await receiver.stop();
  }
});

/** Creates a receiver and a webhook that delivers to it until the test ends. */
const listen = async (
  types: string[],
  { filters, reply }: { filters?: object; reply?: Reply } = {},
): Promise<{ receiver: Receiver; hook: Webhook }> => {
  const receiver = await Receiver.start(reply);
  const hook = await service.read('createWebhook', {
    body: {
      url: receiver.url,
      events: types,
      ...(filters && { filters }),
    },
  });
  listening.push({ receiver, hook });
  return { receiver, hook };
};

const write = (from: string, channel = 'whatsapp') =>
  service.control('POST', '/messages', { from, text: 'Hello', channel });
const send = async (to: string) => {
  const { id } = await service.read('sendMessage', { body: parcelMessage(to) });
  return service.read('getMessage', { id });
};

const deliveryList = z.object({
  data: z.array(
    z.object({
      id: z.number(),
      type: z.string(),
      status: z.string(),
      attempts: z.array(z.object({ status: z.nullable(z.number()), error: z.nullable(z.string()) })),
    }),
  ),
});
const deliveriesTo = async ({ id }: Webhook, sender = service) =>
  deliveryList.parse((await sender.control('GET', `/deliveries?webhook_id=${id}`)).body).data;

describe('subscribing', () => {
  test('shows the secret only in the response that creates the webhook', async () => {
    const answer = await service.request('createWebhook', {
      body: {
        url: 'https://hooks.zapier.com/hooks/standard/1/abc/',
        events: ['message.read', 'message.read'],
        filters: { channel: ['whatsapp'] },
      },
    });
    expect(answer).toMatchObject({
      status: 201,
      body: {
        events: ['message.read'],
        filters: { channel: ['whatsapp'] },
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{32}$/),
      },
    });
    expect(JSON.stringify((await service.request('listWebhooks')).body)).not.toContain('whsec_');
  });

  test.each([
    ['an address of another machine without https', { url: 'http://example.com/', events: ['message.read'] }, 'url'],
    ['an address that is none', { url: 'hooks', events: ['message.read'] }, 'url'],
    ['no event', { url: 'https://example.com/', events: [] }, 'events'],
    ['an unknown event', { url: 'https://example.com/', events: ['message.lost'] }, 'events'],
    [
      'a filter that is no list',
      { url: 'https://example.com/', events: ['message.read'], filters: { from: 'a' } },
      'filters.from',
    ],
  ])('refuses %s', async (_, content, field) => {
    const answer = await service.request('createWebhook', { body: content });
    expect(answer.status).toBe(422);
    expect(errorOf(answer).field).toBe(field);
  });

  test('expires after 30 days', async () => {
    const { receiver, hook } = await listen(['message.received']);
    expect(Date.parse(hook.expires_at ?? '') - Date.parse(hook.created_at ?? '')).toBe(30 * 86_400_000);
    await service.advance(31 * 86_400);
    expect(await service.request('deleteWebhook', { id: hook.id })).toMatchObject({ status: 404 });
    await write(newNumber());
    await service.advance(0);
    expect(await deliveriesTo(hook)).toEqual([]);
    expect(receiver.received).toEqual([]);
  });
});

describe('deliveries', () => {
  test('contain the event and the whole resource, signed', async () => {
    const { receiver, hook } = await listen(['message.received']);
    const from = newNumber();
    const { body } = await write(from);
    const [first] = await receiver.wait(1);
    expect(first?.event).toMatchObject({
      type: 'message.received',
      data: body,
      workspace_id: expect.any(String),
    });
    expect(first?.headers).toMatchObject({ 'content-type': 'application/json' });
    expect(Math.abs(Number(first?.headers[deliveryHeaders.timestamp]) - Date.now() / 1000)).toBeLessThan(60);
    expect(receiver.received.map((each) => isSigned(each, hook.secret))).toEqual([true]);
  });

  test('report each status of a message with the same data as a GET', async () => {
    const { receiver } = await listen(['conversation.opened', 'message.sent', 'message.delivered', 'message.read']);
    const { id, conversation_id } = await send(newNumber());
    const received = await receiver.wait(4);
    expect(new Map(received.map(({ event }) => [event.type, event.data.id]))).toEqual(
      new Map([
        ['conversation.opened', conversation_id],
        ['message.sent', id],
        ['message.delivered', id],
        ['message.read', id],
      ]),
    );
    const read = received.find(({ event }) => event.type === 'message.read');
    expect(read?.event.data).toEqual(await service.read('getMessage', { id }));
  });

  test('pass a filter by source', async () => {
    const { receiver } = await listen(['message.sent'], { filters: { source: ['colleague', 'campaign'] } });
    const { conversation_id } = await send(newNumber());
    await service.control('POST', `/conversations/${conversation_id}/messages`, { text: 'From a colleague' });
    await service.advance(60);
    const received = await receiver.wait(1);
    // A slow machine may receive a delivery twice.
    expect(new Set(received.map(({ event }) => event.data.source))).toEqual(new Set(['colleague']));
  });

  test('report what one contact wrote after a message, also before there was a webhook', async () => {
    const to = newNumber();
    await write(to);
    const { id, contact } = await send(to);
    const early = await write(to, 'sms');
    await write(newNumber());
    const { receiver } = await listen(['message.received'], { filters: { contact_id: [contact?.id], after: id } });
    const later = await write(to);
    const received = await receiver.wait(2);
    expect(new Set(received.map(({ event }) => event.data.id))).toEqual(
      new Set([early, later].map(({ body }) => Object(body).id)),
    );
    await service.settle();
  });

  test('refuse to begin after a message that there is not', async () => {
    const body = { url: 'https://example.com/', events: ['message.received'], filters: { after: 'msg_none' } };
    const refused = await service.request('createWebhook', { body });
    expect(refused).toMatchObject({ status: 422 });
    expect(errorOf(refused)).toMatchObject({ field: 'filters.after' });
  });

  test('pass a filter by campaign for campaigns and their messages', async () => {
    const { body } = await service.request('listCampaigns', { query: { status: ['completed', 'failed'] } });
    const { data } = z.object({ data: z.array(campaign.schema) }).parse(body);
    const [wanted, other] = data.map(({ id }) => id);
    const filters = { campaign_id: [wanted] };
    const { receiver } = await listen(['campaign.completed', 'message.sent'], { filters });
    for (const id of [other, wanted]) {
      await service.request('triggerCampaign', { id, body: { to: newNumber() } });
      await service.control('POST', `/campaigns/${id}/finish`);
    }
    await service.advance(60);
    await receiver.wait(2);
    expect(receiver.received.map(({ event }) => event.data.campaign_id ?? event.data.id)).toEqual([wanted, wanted]);
    expect(receiver.received.map(({ event }) => event.type).sort()).toEqual(['campaign.completed', 'message.sent']);
  });

  test('fail for other machines', async () => {
    const hook = await service.read('createWebhook', {
      body: {
        url: 'https://hooks.zapier.com/hooks/standard/1/abc/',
        events: ['message.received'],
      },
    });
    await write(newNumber());
    await eventually(async () =>
      expect(await deliveriesTo(hook)).toMatchObject([
        { status: 'failed', attempts: [{ status: null, error: expect.stringContaining('this machine') }] },
      ]),
    );
  });
});

describe('retries', () => {
  const failing =
    (status: number, times: number): Reply =>
    (response, count) =>
      response.writeHead(count <= times ? status : 200).end();

  test('send the same delivery until it arrives', async () => {
    const { receiver, hook } = await listen(['message.received'], { reply: failing(503, 2) });
    await write(newNumber());
    await service.advance(6);
    await receiver.wait(2);
    await service.advance(31);
    const received = await receiver.wait(3);
    expect(new Set(received.map(({ raw }) => raw)).size).toBe(1);
    expect(new Set(received.map(({ headers }) => headers[deliveryHeaders.id])).size).toBe(1);
    await eventually(async () => expect(await deliveriesTo(hook)).toMatchObject([{ status: 'delivered' }]));
    expect((await deliveriesTo(hook))[0]?.attempts.map(({ status }) => status)).toEqual([503, 503, 200]);
  });

  test('stop after eight attempts with growing delays', async () => {
    const { receiver, hook } = await listen(['message.received'], { reply: failing(500, 100) });
    await write(newNumber());
    for (const [index, pause] of [5, 30, 120, 600, 1800, 7200, 21_600].entries()) {
      await receiver.wait(index + 1);
      await eventually(async () => expect((await deliveriesTo(hook))[0]?.attempts).toHaveLength(index + 1));
      await service.advance(pause);
    }
    await receiver.wait(8);
    await eventually(async () => expect(await deliveriesTo(hook)).toMatchObject([{ status: 'failed' }]));
    await service.advance(86_400);
    expect(receiver.received).toHaveLength(8);
  });

  test('treat a redirect as a failure', async () => {
    const elsewhere = await listen(['campaign.failed']);
    const reply: Reply = (response) => response.writeHead(307, { location: elsewhere.receiver.url }).end();
    const { hook } = await listen(['message.received'], { reply });
    await write(newNumber());
    await eventually(async () => expect(await deliveriesTo(hook)).toMatchObject([{ attempts: [{ status: 307 }] }]));
    await service.advance(0);
    expect(elsewhere.receiver.received).toEqual([]);
  });

  test('stop at a 410, which deletes the webhook and cancels its deliveries', async () => {
    const { receiver, hook } = await listen(['message.received'], { reply: failing(500, 100) });
    await write(newNumber());
    await write(newNumber());
    await receiver.wait(2);
    receiver.reply = (response) => response.writeHead(410).end();
    await eventually(async () => {
      expect((await deliveriesTo(hook)).map(({ status }) => status)).toEqual(['canceled', 'canceled']);
    });
    expect(await service.request('deleteWebhook', { id: hook.id })).toMatchObject({ status: 404 });
  });

  test('leave room for other receivers while one is silent', async () => {
    let open = 0;
    let mostOpen = 0;
    const stayOpen: Reply = (response) => {
      open += 1;
      mostOpen = Math.max(mostOpen, open);
      response.on('close', () => {
        open -= 1;
      });
    };
    await listen(['message.received'], { reply: stayOpen });
    const quick = await listen(['message.received']);
    await Promise.all(Array.from({ length: 30 }, () => write(newNumber())));
    await quick.receiver.wait(30);
    expect(mostOpen).toBeLessThan(20);
  });

  test('stop when the webhook is deleted during an attempt', async () => {
    const held: (() => void)[] = [];
    const reply: Reply = (response) => held.push(() => response.writeHead(500).end());
    const { receiver, hook } = await listen(['message.received'], { reply });
    await write(newNumber());
    await receiver.wait(1);
    expect((await deliveriesTo(hook))[0]?.attempts).toEqual([]);
    await service.request('deleteWebhook', { id: hook.id });
    for (const answer of held) answer();
    await eventually(async () => expect(await deliveriesTo(hook)).toMatchObject([{ status: 'canceled' }]));
  });

  describe('of a service that waits half a second for a response', () => {
    // No retry is due before the clock is advanced.
    const impatient = new Running({ deliveryTimeoutMs: 500, speed: 0.01 });

    test('follow an attempt without one', async () => {
      const receiver = await Receiver.start(() => undefined);
      const hook = await impatient.read('createWebhook', { body: { url: receiver.url, events: ['message.received'] } });
      await impatient.control('POST', '/messages', { from: newNumber(), text: 'Hello', channel: 'whatsapp' });
      await eventually(async () =>
        expect((await deliveriesTo(hook, impatient))[0]?.attempts).toMatchObject([
          { status: null, error: 'No response within 0.5 seconds.' },
        ]),
      );
      await receiver.stop();
    });

    test('are counted by the clock while they are open', async () => {
      const receiver = await Receiver.start(() => undefined);
      const hook = await impatient.read('createWebhook', { body: { url: receiver.url, events: ['message.received'] } });
      for (let count = 0; count < 40; count += 1) {
        await impatient.control('POST', '/messages', { from: newNumber(), text: 'Hello', channel: 'whatsapp' });
      }
      await eventually(async () => {
        const attempts = (await deliveriesTo(hook, impatient)).map((each) => each.attempts.length);
        expect(attempts).toEqual(Array.from({ length: 40 }, () => 1));
      });
      const { body } = await impatient.control('POST', '/clock', { advance_seconds: 3600 });
      expect(z.object({ open_deliveries: z.number() }).parse(body).open_deliveries).toBeGreaterThan(0);
      await receiver.stop();
    });
  });
});

describe('a jump of the clock', () => {
  test('back to now lets a webhook from ahead of time hear what happens', async () => {
    await service.advance(86_400);
    const { receiver } = await listen(['message.received']);
    await service.control('DELETE', '/clock');
    const { body } = await write(newNumber());
    expect((await receiver.wait(1))[0]?.event.data).toEqual(body);
  });

  test('waits until due deliveries have arrived', async () => {
    const { receiver, hook } = await listen(['message.received', 'message.read']);
    await send(newNumber());
    for (let index = 0; index < 20; index += 1) await write(newNumber());
    await service.advance(3600);
    expect(receiver.types.toSorted()).toEqual(['message.read', ...Array(20).fill('message.received')].toSorted());
    const deliveries = await deliveriesTo(hook);
    expect(new Set(deliveries.map(({ status }) => status))).toEqual(new Set(['delivered']));
  });

  test('does not shorten the time that a receiver has to respond', async () => {
    const reply: Reply = (response) => setTimeout(() => response.writeHead(200).end(), 50);
    const { receiver, hook } = await listen(['message.received'], { reply });
    await write(newNumber());
    await receiver.wait(1);
    await service.advance(86_400);
    expect(await deliveriesTo(hook)).toMatchObject([{ status: 'delivered', attempts: [{ status: 200, error: null }] }]);
  });
});

describe('delivery faults', () => {
  afterEach(() => service.control('DELETE', '/faults'));

  const addFault = (fault: object) => service.control('POST', '/faults', fault);

  test('send a delivery twice', async () => {
    const { receiver, hook } = await listen(['message.received']);
    await addFault({ kind: 'delivery_twice', webhook_id: hook.id });
    await write(newNumber());
    const received = await receiver.wait(2);
    expect(new Set(received.map(({ event }) => event.id)).size).toBe(1);
  });

  test('send a delivery late', async () => {
    const { receiver, hook } = await listen(['message.received']);
    await addFault({ kind: 'delivery_late', webhook_id: hook.id, delay_ms: 3_600_000 });
    await write(newNumber());
    const { body } = await write(newNumber());
    expect((await receiver.wait(1))[0]?.event.data).toEqual(body);
    await service.advance(3600);
    expect((await receiver.wait(2)).map(({ event }) => event.id)).toHaveLength(2);
  });

  test('send deliveries in reverse order', async () => {
    const { receiver, hook } = await listen(['message.received']);
    await addFault({ kind: 'delivery_out_of_order', webhook_id: hook.id, count: 3 });
    const ids: string[] = [];
    for (const from of [newNumber(), newNumber(), newNumber()]) {
      ids.push(message.schema.parse((await write(from)).body).id);
    }
    const received = await receiver.wait(3);
    expect(received.map(({ event }) => event.data.id)).toEqual(ids.toReversed());
  });

  test('send held deliveries when the faults are cleared', async () => {
    const { receiver, hook } = await listen(['message.received']);
    await addFault({ kind: 'delivery_out_of_order', webhook_id: hook.id, count: 3 });
    await write(newNumber());
    expect(await deliveriesTo(hook)).toMatchObject([{ status: 'held' }]);
    await service.control('DELETE', '/faults');
    await receiver.wait(1);
  });

  test('drop a delivery', async () => {
    const { hook } = await listen(['message.received']);
    await addFault({ kind: 'delivery_dropped', webhook_id: hook.id, event: 'message.received' });
    await write(newNumber());
    await service.advance(86_400);
    expect(await deliveriesTo(hook)).toMatchObject([{ status: 'dropped', attempts: [] }]);
  });

  test('send an old delivery again', async () => {
    const { receiver, hook } = await listen(['message.received']);
    await write(newNumber());
    const [first] = await receiver.wait(1);
    const [{ id } = { id: 0 }] = await deliveriesTo(hook);
    expect(await service.control('POST', `/deliveries/${id}/again`)).toMatchObject({ status: 202 });
    await receiver.wait(2);
    await service.control('POST', `/deliveries/${id}/again`, { delay_seconds: 3600 });
    await service.advance(3600);
    const all = await receiver.wait(3);
    expect(all.map(({ raw }) => raw)).toEqual([first?.raw, first?.raw, first?.raw]);
    expect(await service.control('POST', '/deliveries/0/again')).toMatchObject({ status: 404 });
    await service.request('deleteWebhook', { id: hook.id });
    expect(await service.control('POST', `/deliveries/${id}/again`)).toMatchObject({ status: 404 });
  });
});

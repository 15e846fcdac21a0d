import { makeCheck, type Row } from '../../conformance/checks/check';
import { deliveryChecks } from '../../conformance/checks/deliveries';
import { openReceiver } from '../../conformance/checks/receiver';
import type { Answer } from '../../conformance/service';
import { type Endpoint, endpoints } from '../../src/api/endpoints';
import { message, webhook } from '../../src/api/resources';
import { deliveryOf, signed, subscribeData } from '../deliveries';

const answered = (endpoint: Endpoint, body: unknown): (() => Promise<Answer>) => {
  const { status } = endpoint;
  return async () => ({ endpoint, status, headers: new Headers(), body });
};

const subscription = {
  url: 'http://127.0.0.1/',
  answer: answered(endpoints.createWebhook, { ...webhook.sample, secret: subscribeData.secret }),
};
const sent = answered(endpoints.sendMessage, message.sample);
const sending = { answer: sent, repeat: sent };

interface Delivered {
  headers: Record<string, string>;
  content: string;
}

/** A delivery of the message that was sent, signed by the reference library. */
const genuine = (data: object = {}, at = new Date()): Delivered => {
  const { rawRequest } = signed(deliveryOf('message.sent', data), { at });
  const headers = Object.entries(rawRequest.headers).map(([name, value]) => [name.replace('Http-', ''), value]);
  return { headers: Object.fromEntries(headers), content: rawRequest.content };
};

/** What the checks find when this is delivered to the local port. */
const check = async ({ headers, content }: Delivered): Promise<Row[]> => {
  const receiver = await openReceiver(0);
  await fetch(receiver.url, { method: 'POST', headers, body: content });
  const rows: Row[] = [];
  for (const each of deliveryChecks(receiver, subscription, sending)) rows.push(await makeCheck(each));
  await receiver.stop();
  return rows;
};

test('a delivery by Standard Webhooks with all fields holds', async () => {
  expect(await check(genuine())).toMatchObject([
    { check: 'a delivery', outcome: 'held', how: 'message.sent' },
    { check: 'a delivery, signed', outcome: 'held' },
    { check: 'a delivery, its fields', outcome: 'held' },
  ]);
});

const { 'Webhook-Id': _, ...withoutId } = genuine().headers;
const hourAgo = new Date(Date.now() - 3_600_000);
const altered = genuine();

test.each<[what: string, delivered: Delivered, row: Partial<Row>]>([
  [
    'a header that is missing',
    { ...genuine(), headers: withoutId },
    { check: 'a delivery, signed', how: '`webhook-id` is missing' },
  ],
  [
    'a time that is not now',
    genuine({}, hourAgo),
    { check: 'a delivery, signed', how: '`webhook-timestamp` is not the time in seconds' },
  ],
  [
    'a body that was altered',
    { ...altered, content: `${altered.content} ` },
    {
      check: 'a delivery, signed',
      how: 'the signature is not the one of Standard Webhooks with the secret of the webhook',
    },
  ],
  [
    'a field that is missing',
    genuine({ text: undefined }),
    { check: 'a delivery, its fields', how: 'message.sent: `text` is missing' },
  ],
  [
    'a field of another type',
    genuine({ variables: [] }),
    { check: 'a delivery, its fields', how: 'message.sent: `variables` is a list, not an object' },
  ],
])('%s is named', async (_what, delivered, row) => {
  expect((await check(delivered)).filter(({ outcome }) => outcome === 'differs')).toMatchObject([row]);
});

test('an event that the contract does not know is named', async () => {
  const content = JSON.stringify({ ...deliveryOf('message.sent'), type: 'message.exploded' });
  expect(await check({ ...genuine(), content })).toContainEqual({
    check: 'a delivery, its fields',
    basis: 'assumed',
    outcome: 'differs',
    how: '`type` has the unknown word "message.exploded"',
  });
});

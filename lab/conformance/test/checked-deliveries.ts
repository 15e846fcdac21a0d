import { endpoints } from '../../../src/api/endpoints';
import { message, webhook } from '../../../src/api/resources';
import { deliveryOf, signed, subscribeData } from '../../../test/support/deliveries';
import { type CheckResult, runCheck } from '../checks/check';
import { deliveryChecks } from '../checks/deliveries';
import type { TestMessage } from '../checks/messages';
import { openReceiver } from '../checks/receiver';
import type { TestWebhook, TestWebhooks } from '../checks/webhooks';
import { responseOf } from './client';

const created = async () => responseOf(endpoints.createWebhook, { ...webhook.sample, secret: subscribeData.secret });
const webhookAt = (name: string): TestWebhook => ({
  name,
  body: async () => ({ url: `http://127.0.0.1/${name}`, events: [] }),
  response: created,
  repeat: created,
});
/** The webhooks that exist while the message is sent. */
export const webhooks: TestWebhooks = {
  first: webhookAt('first'),
  second: webhookAt('second'),
  matching: webhookAt('matching'),
  excluding: [
    { ...webhookAt('excluding-source'), filter: 'source' },
    {
      ...webhookAt('excluding-from'),
      body: async () => ({ url: 'http://127.0.0.1/excluding-from', events: [], filters: { from: ['+447700900001'] } }),
      filter: 'from',
    },
  ],
};

const sent = async () => responseOf(endpoints.sendMessage, message.sample);
const body = { channel: 'whatsapp', to: '+12025550123', template: 'parcel_sms', variables: {} };
const testMessage: TestMessage = { composed: async () => ({ body }), response: sent, repeat: sent };

/** A delivery as it arrives. */
export interface Delivery {
  headers: Record<string, string>;
  content: string;
}

/** A delivery of the message as the service signs it. */
export const genuine = (data: object = {}, at = new Date()): Delivery => {
  const { rawRequest } = signed(deliveryOf('message.sent', data), { at });
  const headers = Object.entries(rawRequest.headers).map(([name, value]) => [name.replace('Http-', ''), value]);
  return { headers: Object.fromEntries(headers), content: rawRequest.content };
};

/** A delivery of a message that someone else sends from a number. */
export const fromOther = (from: string): Delivery => ({
  ...genuine(),
  content: JSON.stringify(deliveryOf('message.received', { id: 'msg_other', from })),
});

/**
 * Delivers to the webhooks of these names, and something else to the one that lets another number through. Returns the rows
 * of the checks by name.
 */
export const checkDeliveries = async (
  { headers, content }: Delivery,
  names = ['first', 'second', 'matching'],
  other?: Delivery,
  to = webhooks,
) => {
  const receiver = await openReceiver(0);
  try {
    for (const name of names) {
      await fetch(`${receiver.url}/${name}`, { method: 'POST', headers, body: content });
    }
    if (other) {
      await fetch(`${receiver.url}/excluding-from`, { method: 'POST', headers: other.headers, body: other.content });
    }
    const rows: CheckResult[] = [];
    const checks = deliveryChecks({ ...receiver, settle: async () => undefined }, to, testMessage, 100);
    for (const each of checks) rows.push(await runCheck(each));
    return new Map(rows.map((row) => [row.check, row]));
  } finally {
    await receiver.stop();
  }
};

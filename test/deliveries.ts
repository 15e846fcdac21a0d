import { randomBytes, randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { type EventName, events } from '../src/api/events';

/** A subscription as Zapier keeps it. */
export const subscribeData = { id: 'wh_1', secret: `whsec_${randomBytes(24).toString('base64')}` };

/** The body of a delivery of a new event, with the event's own example as its record. */
export const deliveryOf = (type: EventName, data: object = {}, id = `evt_${randomUUID()}`) => ({
  id,
  type,
  created_at: '2026-06-11T09:40:12Z',
  workspace_id: 'ws_4Kd9Qm',
  data: { ...events[type].sample, ...data },
});

/**
 * The request of a delivery as Zapier hands it over, signed by the reference library of Standard Webhooks. `change`
 * alters the text before it is signed.
 */
export const signed = (
  body: object,
  { secret = subscribeData.secret, at = new Date(), change = (text: string) => text } = {},
) => {
  const content = change(JSON.stringify(body));
  const id = 'id' in body ? String(body.id) : 'evt_1';
  return {
    rawRequest: {
      method: 'POST' as const,
      querystring: '',
      content,
      headers: {
        'Content-Type': 'application/json',
        'Http-Webhook-Id': id,
        'Http-Webhook-Timestamp': String(Math.floor(at.getTime() / 1000)),
        'Http-Webhook-Signature': new Webhook(secret).sign(id, at, content),
      },
    },
    cleanedRequest: { ...body, querystring: {} },
  };
};

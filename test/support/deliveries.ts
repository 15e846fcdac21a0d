import { signatureHeaders } from '../../lab/sandbox/webhooks/signature';
import { type EventName, events } from '../../src/api/events';

/** A subscription as Zapier keeps it. */
export const subscribeData = {
  id: '501',
  secret: `whsec_${Buffer.from('a secret of 24 characters').toString('base64')}`,
};

let made = 0;

/** A new event, with the event's own example as its record. No other is of the same moment. */
export const deliveryOf = (type: EventName, data: object = {}, id = `evt_${1000 + made}`) => ({
  id,
  type,
  created_at: new Date(Date.parse('2026-06-11T09:40:12Z') + 1000 * made++).toISOString().replace('.000', ''),
  workspace_id: 'ws_4Kd9Qm',
  data: { ...events[type].sample, ...data },
});

/** The name of a header as Zapier hands it over. */
export const toZapierHeader = (name: string): string =>
  `Http-${name.replace(/(^|-)[a-z]/g, (letters) => letters.toUpperCase())}`;

/** The headers that sign a body, as Zapier hands them over. `timestamp` is in seconds. */
export const signedHeaders = (
  body: string,
  { secret = subscribeData.secret, id = 'evt_1', timestamp = String(Math.floor(Date.now() / 1000)) } = {},
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(signatureHeaders({ id, timestamp, body }, [secret])).map(([name, value]) => [
      toZapierHeader(name),
      value,
    ]),
  );

/** The request of a delivery as Zapier hands it over. `change` alters the text before it is signed. */
export const signed = (
  event: object,
  { secret = subscribeData.secret, at = new Date(), change = (text: string) => text } = {},
) => {
  const content = change(JSON.stringify(event));
  const id = 'id' in event ? String(event.id) : 'evt_1';
  const timestamp = String(Math.floor(at.getTime() / 1000));
  return {
    rawRequest: {
      method: 'POST' as const,
      querystring: '',
      content,
      headers: { 'Content-Type': 'application/json', ...signedHeaders(content, { secret, id, timestamp }) },
    },
    cleanedRequest: { ...event, querystring: {} },
  };
};

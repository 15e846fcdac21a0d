import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod/mini';
import { exists } from '../../src/api/endpoints';
import { delivery, deliveryHeaders, events, type Signing, signing } from '../../src/api/events';
import { capitalize } from '../../src/api/labels';
import { workspace } from '../../src/api/resources';
import { toWire } from '../../src/api/translate';
import { nameOnWire } from '../../src/api/wire';
import { refTo } from './schemas';

const parameter = (name: string, description: string): object => ({
  name,
  in: 'header',
  required: true,
  description,
  'x-basis': 'assumed',
  schema: { type: 'string' },
});

const describeSignature = ({ parts, encoding, prefix }: Signing): string =>
  `\`${prefix}\` and the ${capitalize(encoding)} HMAC-SHA256 of \`${parts.join('.')}\` with the webhook's secret. Spaces separate signatures.`;

/** Whether headers and signatures are those of https://www.standardwebhooks.com. */
export const usesStandardWebhooks = isDeepStrictEqual(
  { ...deliveryHeaders, ...signing },
  {
    id: 'webhook-id',
    timestamp: 'webhook-timestamp',
    signature: 'webhook-signature',
    parts: ['id', 'timestamp', 'body'],
    encoding: 'base64',
    prefix: 'v1,',
    key: 'base64',
  },
);

const description = 'Signed according to [Standard Webhooks](https://www.standardwebhooks.com).';

const parameters = [
  parameter(deliveryHeaders.id, 'The ID of the event. A retry has the same ID.'),
  parameter(deliveryHeaders.timestamp, 'When the service sent this request, in seconds since 1970.'),
  ...(signing ? [parameter(deliveryHeaders.signature, describeSignature(signing))] : []),
];

const responses = {
  '2XX': { description: 'The receiver has the event.', 'x-basis': 'assumed' },
  '410': { description: 'The receiver is gone. The service deletes the webhook.', 'x-basis': 'assumed' },
  default: {
    description: 'The service retries, as it does after 10 seconds without a response.',
    'x-basis': 'assumed',
  },
};

const { shape } = delivery;
const nameOf = (key: keyof typeof shape): string => nameOnWire(key, shape[key]);

const writeSchema = (type: string, record: z.ZodMiniObject): object =>
  refTo(delivery, {
    type: 'object',
    properties: { [nameOf('type')]: { const: type }, [nameOf('data')]: refTo(record) },
  });

type Event = (typeof events)[keyof typeof events];

const writeEvent = (name: string, { schema, sample, basis }: Event): [string, object] => {
  const type = String(toWire(shape.type, name));
  const example = toWire(delivery, {
    id: 'evt_5Yd0Ns',
    type: name,
    created_at: '2026-06-11T09:41:02Z',
    workspace_id: workspace.sample.id,
    data: toWire(schema, sample),
  });
  const post = {
    operationId: type,
    summary: capitalize(name.replace('.', ' ')),
    ...(usesStandardWebhooks && { description }),
    tags: ['events'],
    'x-basis': basis,
    'x-section': '§6',
    security: [],
    parameters,
    requestBody: { required: true, content: { 'application/json': { schema: writeSchema(type, schema), example } } },
    responses,
  };
  return [type, { 'x-basis': basis, post }];
};

/** Writes every event as the POST request that delivers it; none when the service has no webhooks. */
export const writeWebhooks = (): object => {
  const delivered = exists('createWebhook') ? Object.entries(events) : [];
  return Object.fromEntries(delivered.map(([name, event]) => writeEvent(name, event)));
};

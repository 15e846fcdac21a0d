import type * as z from 'zod/mini';
import { delivery, events } from '../../src/api/events';
import { capitalize } from '../../src/api/labels';
import { deliveryHeaders } from '../../src/api/presets';
import { workspace } from '../../src/api/resources';
import { refTo } from './schemas';

const parameter = (name: string, description: string): object => ({
  name,
  in: 'header',
  required: true,
  description,
  'x-basis': 'assumed',
  schema: { type: 'string' },
});

const description = 'Signed according to [Standard Webhooks](https://www.standardwebhooks.com).';

const headers: Readonly<Record<keyof typeof deliveryHeaders, string>> = {
  id: 'The ID of the event. A retry has the same ID.',
  timestamp: 'When the service sent this request, in seconds since 1970.',
  signature:
    "`v1,` and the Base64 HMAC-SHA256 of `id.timestamp.body` with the webhook's secret. Spaces separate signatures.",
};

const parameters = (['id', 'timestamp', 'signature'] as const).map((key) =>
  parameter(deliveryHeaders[key], headers[key]),
);

const responses = {
  '2XX': { description: 'The receiver has the event.', 'x-basis': 'assumed' },
  '410': { description: 'The receiver is gone. The service deletes the webhook.', 'x-basis': 'assumed' },
  default: {
    description: 'The service retries, as it does after 10 seconds without a response.',
    'x-basis': 'assumed',
  },
};

const writeSchema = (type: string, record: z.ZodMiniObject): object =>
  refTo(delivery, {
    type: 'object',
    properties: { type: { const: type }, data: refTo(record) },
  });

type Event = (typeof events)[keyof typeof events];

const writeEvent = (type: string, { schema, sample, basis }: Event): [string, object] => {
  const example = {
    id: 'evt_5Yd0Ns',
    type,
    created_at: '2026-06-11T09:41:02Z',
    workspace_id: workspace.sample.id,
    data: sample,
  };
  const post = {
    operationId: type,
    summary: capitalize(type.replace('.', ' ')),
    description,
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

/** Writes every event as the POST request that delivers it. */
export const writeWebhooks = (): object =>
  Object.fromEntries(Object.entries(events).map(([type, event]) => writeEvent(type, event)));

import type * as z from 'zod/mini';
import { delivery, deliveryHeaders, events } from '../../src/api/events';
import { workspace } from '../../src/api/resources';
import { nameOnWire, toWire } from '../../src/api/wire';
import { refTo } from './schemas';

const parameter = (name: string, description: string): object => ({
  name,
  in: 'header',
  required: true,
  description,
  'x-basis': 'assumed',
  schema: { type: 'string' },
});

const parameters = [
  parameter(deliveryHeaders.id, 'The id of the event: the same when it is delivered again.'),
  parameter(deliveryHeaders.timestamp, 'When this try was made, in seconds since 1970.'),
  parameter(
    deliveryHeaders.signature,
    '`v1,` and, in base64, the HMAC-SHA256 of `id.timestamp.body` by the secret of the webhook; several with spaces.',
  ),
];

const responses = {
  '2XX': { description: 'The delivery has arrived.' },
  '410': { description: 'Nobody listens any more: the webhook is deleted.' },
  default: {
    description: 'Anything else, or silence: the delivery is tried again.',
  },
};

const { shape } = delivery;
const nameOf = (key: keyof typeof shape): string => nameOnWire(key, shape[key]);

const writeSchema = (type: string, record: z.ZodMiniObject): object => ({
  allOf: [
    refTo(delivery),
    { type: 'object', properties: { [nameOf('type')]: { const: type }, [nameOf('data')]: refTo(record) } },
  ],
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
    summary: `Tell of ${type}`,
    description: 'Signed as https://www.standardwebhooks.com has it.',
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
  Object.fromEntries(Object.entries(events).map(([name, event]) => writeEvent(name, event)));

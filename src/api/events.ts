/**
 * What the service reports by webhook: the three areas are specified (§6), names and shapes are assumed
 * (contract §4).
 */
import * as z from 'zod/mini';
import { field, nullish } from './fields';
import { type Basis, campaign, conversation, message, vocabulary } from './resources';
import * as wire from './wire';

/** An event: the resource it carries, and an example of that resource as it stands at the time of the event. */
const event = <S extends z.ZodMiniObject>(
  resource: { noun: string; schema: S; sample: z.output<S> },
  then?: Partial<z.output<S>>,
) => ({
  noun: resource.noun,
  schema: resource.schema,
  sample: then ? { ...resource.sample, ...then } : resource.sample,
  basis: 'assumed' satisfies Basis as Basis,
});

const undelivered = { delivered_at: null, read_at: null };

const definitions = {
  'message.received': event(message, {
    direction: 'inbound',
    from: message.sample.to,
    to: message.sample.from,
    template: null,
    variables: {},
    text: 'Can you leave it with the neighbours?',
    status: 'received',
    source: 'contact',
    sent_at: null,
    ...undelivered,
  }),
  'message.sent': event(message, { status: 'sent', source: 'agent', ...undelivered }),
  'message.delivered': event(message),
  'message.read': event(message, { status: 'read', read_at: '2026-06-11T09:41:02Z' }),
  'message.failed': event(message, {
    status: 'failed',
    error: { code: 'recipient_unreachable', message: 'This number cannot be reached on this channel.' },
    failed_at: '2026-06-11T09:40:20Z',
    ...undelivered,
  }),
  'conversation.opened': event(conversation, {
    assignee: null,
    message_count: 1,
    last_message_at: conversation.sample.created_at,
  }),
  'conversation.closed': event(conversation, { status: 'closed', closed_at: '2026-06-11T10:05:00Z' }),
  'conversation.reopened': event(conversation),
  'campaign.started': event(campaign, {
    status: 'sending',
    stats: { recipients: 0, sent: 0, delivered: 0, read: 0, replied: 0, failed: 0 },
    completed_at: null,
  }),
  'campaign.completed': event(campaign),
  'campaign.failed': event(campaign, {
    status: 'failed',
    stats: { recipients: 120, sent: 40, delivered: 39, read: 12, replied: 1, failed: 1 },
    completed_at: null,
  }),
} satisfies Record<(typeof vocabulary.event)[number], unknown>;

export type EventName = keyof typeof definitions;
/** What each event carries, after parsing. */
export type EventRecords = { [K in EventName]: z.output<(typeof definitions)[K]['schema']> };

interface EventDefinition<R> {
  noun: string;
  schema: z.ZodMiniObject & z.ZodMiniType<R>;
  sample: R;
  basis: Basis;
}

/** Every event and the resource that it carries, whole, as `data`. */
export const events: { [K in EventName]: EventDefinition<EventRecords[K]> } = definitions;

/** One delivery: a POST with this body. `id` repeats when the service delivers the same event again. */
export const delivery = z.looseObject({
  id: field.id,
  type: wire.openEnum(vocabulary.event),
  created_at: nullish.time,
  workspace_id: nullish.id,
  data: z.looseObject({}),
});
export type Delivery = z.output<typeof delivery>;

/** The headers of a delivery, in lower case, by https://www.standardwebhooks.com. */
export const deliveryHeaders = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
} as const;

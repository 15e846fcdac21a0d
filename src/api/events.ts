import * as z from 'zod/mini';
import { linkTo } from './addresses';
import { type Endpoint, endpoints } from './endpoints';
import { field, nullish, openEnum } from './fields';
import { type Basis, campaign, conversation, message, vocabulary } from './resources';

type Getter<R> = Endpoint & { response: z.ZodMiniType<R> };

/** An event: its resource, and an example of that resource at the time of the event. */
const carries = <N extends string, S extends z.ZodMiniObject>(
  resource: { noun: N; schema: S; sample: z.output<S>; get: Getter<z.output<S>> },
  then?: Partial<z.output<S>>,
) => ({
  noun: resource.noun,
  schema: resource.schema,
  sample: { ...resource.sample, ...then },
  get: resource.get,
  basis: 'assumed' satisfies Basis as Basis,
});

const undelivered = { delivered_at: null, read_at: null };

const ofMessage = { ...message, get: endpoints.getMessage };
const ofConversation = { ...conversation, get: endpoints.getConversation };
const ofCampaign = { ...campaign, get: endpoints.getCampaign };

const definitions = {
  'message.received': carries(ofMessage, {
    id: 'msg_2Fd7Lc',
    url: linkTo('conversations/cnv_3Tn8Lw/messages/msg_2Fd7Lc'),
    direction: 'inbound',
    from: message.sample.to,
    to: message.sample.from,
    template: null,
    variables: {},
    text: 'Can you leave it with the neighbors?',
    status: 'received',
    source: 'contact',
    created_at: conversation.sample.last_message_at,
    sent_at: null,
    ...undelivered,
  }),
  'message.sent': carries(ofMessage, {
    status: 'sent',
    source: 'colleague',
    template: null,
    text: 'Yes, your neighbors can take it.',
    ...undelivered,
  }),
  'message.delivered': carries(ofMessage),
  'message.read': carries(ofMessage, { status: 'read', read_at: '2026-06-11T09:41:02Z' }),
  'message.failed': carries(ofMessage, {
    status: 'failed',
    error: { code: 'recipient_unreachable', message: 'This number cannot be reached on this channel.' },
    failed_at: '2026-06-11T09:40:20Z',
    ...undelivered,
  }),
  'conversation.opened': carries(ofConversation, {
    assignee: null,
    message_count: 1,
    last_message: conversation.sample.last_message && {
      ...conversation.sample.last_message,
      created_at: conversation.sample.created_at,
    },
    last_message_at: conversation.sample.created_at,
  }),
  'conversation.closed': carries(ofConversation, { status: 'closed', closed_at: '2026-06-11T10:05:00Z' }),
  'conversation.reopened': carries(ofConversation),
  'campaign.started': carries(ofCampaign, {
    status: 'sending',
    stats: { recipients: 120, sent: 0, delivered: 0, read: 0, replied: 0, failed: 0 },
    completed_at: null,
  }),
  'campaign.completed': carries(ofCampaign),
  'campaign.failed': carries(ofCampaign, {
    status: 'failed',
    stats: { recipients: 120, sent: 40, delivered: 39, read: 12, replied: 1, failed: 1 },
    completed_at: null,
  }),
} satisfies Record<(typeof vocabulary.event)[number], unknown>;

export type EventName = keyof typeof definitions;
export type EventRecords = { [K in EventName]: z.output<(typeof definitions)[K]['schema']> };

interface EventDefinition<N, R> {
  noun: N;
  schema: z.ZodMiniObject & z.ZodMiniType<R>;
  sample: R;
  /** The call that returns the resource by its id. */
  get: Getter<R>;
  basis: Basis;
}

/** Every event, with its resource. The record in `data` is complete, or has only its `id`. */
export const events: { [K in EventName]: EventDefinition<(typeof definitions)[K]['noun'], EventRecords[K]> } =
  definitions;

/** What a delivery has for each event. A repeated delivery has the same `id`. `delivery` in `service.ts` reads how it travels. */
export const delivery = z.looseObject({
  id: field.eventId,
  type: openEnum(vocabulary.event),
  created_at: nullish.time,
  workspace_id: nullish.id,
  data: z.looseObject({}),
});

export type Delivery = z.output<typeof delivery>;

/**
 * The things the messaging service talks about: one schema and one example each.
 *
 * Reading is tolerant: unknown fields pass through, a status word the service adds later is a string and not an
 * error, an absent optional field is not an error, and numeric ids become strings. Only what identifies a thing is
 * required. All field lists are assumed; the four fields of a send are specified (§2).
 */
import * as z from 'zod/mini';
import { once } from './once';
import { time } from './time';
import * as wire from './wire';

export type Basis = 'specified' | 'assumed';

/** A thing the API returns: its shape, one example that keeps to it, and whether the shape is specified or assumed. */
const resource = <S extends z.ZodMiniObject>(make: () => S, sample: z.output<S>) => {
  const schema = once(make);
  return {
    get schema() {
      return schema();
    },
    sample,
    basis: 'assumed' satisfies Basis as Basis,
  };
};

const maybe = <S extends z.ZodMiniType>(schema: S) => z.optional(z.nullable(schema));

const text = z.string();
const number = z.number();
const texts = z.array(text);
const textByName = z.record(text, text);
/** An opaque identifier with a prefix (`msg_…`); one that arrives as a number becomes a string. */
const id = z.pipe(
  z.transform((value: unknown) => (typeof value === 'number' ? String(value) : value)),
  text,
);
// Shared, because making a schema costs time and most fields are alike.
const maybeText = maybe(text);
const maybeId = maybe(id);
const maybeTime = maybe(time);
const maybeNumber = maybe(number);
const maybeTexts = maybe(texts);
const maybeTextByName = maybe(textByName);
const optionalTexts = z.optional(texts);

/**
 * The words each field of a closed vocabulary is known to hold. The service may add to them. One that the service spells
 * otherwise is told to `wire.spell`, below.
 */
export const vocabulary = {
  plan: ['starter', 'growth', 'advanced'],
  scope: [
    'messages:read',
    'messages:write',
    'contacts:read',
    'contacts:write',
    'conversations:read',
    'campaigns:read',
    'campaigns:write',
    'webhooks:write',
  ],
  consent: ['opted_in', 'opted_out', 'unknown'],
  variableFormat: ['text', 'time', 'date', 'number', 'url'],
  direction: ['inbound', 'outbound'],
  messageStatus: ['received', 'queued', 'sent', 'delivered', 'read', 'failed'],
  source: ['api', 'agent', 'campaign', 'automation', 'contact'],
  conversationStatus: ['open', 'closed'],
  campaignStatus: ['draft', 'scheduled', 'sending', 'completed', 'failed', 'canceled'],
  event: [
    'message.received',
    'message.sent',
    'message.delivered',
    'message.read',
    'message.failed',
    'conversation.opened',
    'conversation.closed',
    'conversation.reopened',
    'campaign.started',
    'campaign.completed',
    'campaign.failed',
  ],
} as const;

export type Plan = (typeof vocabulary.plan)[number];
export type Scope = (typeof vocabulary.scope)[number];

export const workspace = resource(
  () => z.looseObject({ id, name: maybeText, plan: maybe(wire.word(vocabulary.plan)), scopes: maybeTexts }),
  {
    id: 'ws_4Kd9Qm',
    name: 'Harbour Parcels',
    plan: 'advanced',
    scopes: [...vocabulary.scope],
  },
);

export const channel = resource(() => z.looseObject({ key: text, name: maybeText }), {
  key: 'whatsapp',
  name: 'WhatsApp',
});

export const template = resource(
  () =>
    z.looseObject({
      name: text,
      channel: maybeText,
      language: maybeText,
      status: maybeText,
      category: maybeText,
      body: maybeText,
      variables: maybe(
        z.array(
          z.looseObject({
            name: text,
            label: maybeText,
            example: maybeText,
            format: maybe(wire.word(vocabulary.variableFormat)),
            required: maybe(z.boolean()),
          }),
        ),
      ),
    }),
  {
    name: 'parcel_out_for_delivery',
    channel: 'whatsapp',
    language: 'en',
    status: 'approved',
    category: 'utility',
    body: 'Your parcel {{parcel_id}} arrives today at about {{arrival_time}}.',
    variables: [
      { name: 'parcel_id', label: 'Parcel Number', example: 'PX-20418', format: 'text', required: true },
      { name: 'arrival_time', label: 'Arrival Time', example: '14:30', format: 'time', required: true },
    ],
  },
);

export const contact = resource(
  () =>
    z.looseObject({
      id,
      phone: maybeText,
      email: maybeText,
      first_name: maybeText,
      last_name: maybeText,
      language: maybeText,
      tags: maybeTexts,
      attributes: maybeTextByName,
      consent: maybe(wire.word(vocabulary.consent)),
      url: maybeText,
      created_at: maybeTime,
      updated_at: maybeTime,
    }),
  {
    id: 'con_7Hq2Zr',
    phone: '+31612345678',
    email: 'noor.visser@example.com',
    first_name: 'Noor',
    last_name: 'Visser',
    language: 'nl',
    tags: ['parcel-customer'],
    attributes: { customer_number: '10482' },
    consent: 'opted_in',
    url: 'https://app.example.com/contacts/con_7Hq2Zr',
    created_at: '2026-03-02T08:15:00Z',
    updated_at: '2026-06-11T09:40:12Z',
  },
);

const maybePerson = once(() =>
  maybe(z.looseObject({ id, phone: maybeText, first_name: maybeText, last_name: maybeText })),
);
const personSample = {
  id: contact.sample.id,
  phone: contact.sample.phone,
  first_name: contact.sample.first_name,
  last_name: contact.sample.last_name,
};

export const conversation = resource(
  () =>
    z.looseObject({
      id,
      channel: maybeText,
      status: maybe(wire.word(vocabulary.conversationStatus)),
      contact: maybePerson(),
      assignee: maybeText,
      message_count: maybeNumber,
      url: maybeText,
      last_message_at: maybeTime,
      created_at: maybeTime,
      closed_at: maybeTime,
    }),
  {
    id: 'cnv_3Tn8Lw',
    channel: 'whatsapp',
    status: 'open',
    contact: personSample,
    assignee: 'Sam Okafor',
    message_count: 4,
    url: 'https://app.example.com/conversations/cnv_3Tn8Lw',
    last_message_at: '2026-06-11T09:41:30Z',
    created_at: '2026-06-11T09:40:12Z',
    closed_at: null,
  },
);

export const message = resource(
  () =>
    z.looseObject({
      id,
      conversation_id: maybeId,
      contact: maybePerson(),
      campaign_id: maybeId,
      channel: maybeText,
      direction: maybe(wire.word(vocabulary.direction)),
      from: maybeText,
      to: maybeText,
      template: maybeText,
      variables: maybeTextByName,
      text: maybeText,
      status: maybe(wire.word(vocabulary.messageStatus)),
      error: maybe(z.looseObject({ code: maybeText, message: maybeText })),
      source: maybe(wire.word(vocabulary.source)),
      created_at: maybeTime,
      sent_at: maybeTime,
      delivered_at: maybeTime,
      read_at: maybeTime,
      failed_at: maybeTime,
    }),
  {
    id: 'msg_9Vb4Xs',
    conversation_id: conversation.sample.id,
    contact: personSample,
    campaign_id: null,
    channel: 'whatsapp',
    direction: 'outbound',
    from: '+31201234567',
    to: '+31612345678',
    template: template.sample.name,
    variables: { parcel_id: 'PX-20418', arrival_time: '14:30' },
    text: 'Your parcel PX-20418 arrives today at about 14:30.',
    status: 'delivered',
    error: null,
    source: 'api',
    created_at: '2026-06-11T09:40:12Z',
    sent_at: '2026-06-11T09:40:13Z',
    delivered_at: '2026-06-11T09:40:15Z',
    read_at: null,
    failed_at: null,
  },
);

export const campaign = resource(
  () =>
    z.looseObject({
      id,
      name: maybeText,
      channel: maybeText,
      template: maybeText,
      status: maybe(wire.word(vocabulary.campaignStatus)),
      audience_size: maybeNumber,
      stats: maybe(
        z.looseObject({
          recipients: maybeNumber,
          sent: maybeNumber,
          delivered: maybeNumber,
          read: maybeNumber,
          replied: maybeNumber,
          failed: maybeNumber,
        }),
      ),
      url: maybeText,
      created_at: maybeTime,
      started_at: maybeTime,
      completed_at: maybeTime,
    }),
  {
    id: 'cmp_5Jc1Fy',
    name: 'Summer opening hours',
    channel: 'whatsapp',
    template: 'opening_hours',
    status: 'completed',
    audience_size: 120,
    stats: { recipients: 120, sent: 119, delivered: 117, read: 96, replied: 14, failed: 1 },
    url: 'https://app.example.com/campaigns/cmp_5Jc1Fy',
    created_at: '2026-06-01T10:00:00Z',
    started_at: '2026-06-02T08:00:00Z',
    completed_at: '2026-06-02T08:04:41Z',
  },
);

export const campaignRun = resource(
  () =>
    z.looseObject({
      id,
      campaign_id: maybeId,
      campaign_name: maybeText,
      status: maybeText,
      recipients: maybeNumber,
      created_at: maybeTime,
    }),
  {
    id: 'run_2Mw6Kd',
    campaign_id: campaign.sample.id,
    campaign_name: campaign.sample.name,
    status: 'queued',
    recipients: 120,
    created_at: '2026-06-02T08:00:00Z',
  },
);

/** What a webhook lets through: each key holds the values that pass; an absent key lets everything through. */
export const webhookFilters = z.strictObject({
  channel: optionalTexts,
  from: optionalTexts,
  source: z.optional(z.array(wire.word(vocabulary.source))),
  campaign_id: optionalTexts,
});
export type WebhookFilters = z.output<typeof webhookFilters>;

export const webhook = resource(
  () =>
    z.looseObject({
      id,
      url: maybeText,
      events: maybe(z.array(wire.word(vocabulary.event))),
      filters: maybe(z.looseObject({})),
      created_at: maybeTime,
      expires_at: maybeTime,
      /** `whsec_` and base64, given once, in the answer that creates the webhook. */
      secret: maybeText,
    }),
  {
    id: 'wh_8Rp3Gt',
    url: 'https://hooks.example.com/standard/1234/abcd/',
    events: ['message.received'],
    filters: { channel: ['whatsapp'] },
    created_at: '2026-06-11T09:40:12Z',
    expires_at: null,
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  },
);

export type Workspace = z.output<typeof workspace.schema>;
export type Channel = z.output<typeof channel.schema>;
export type Template = z.output<typeof template.schema>;
export type Contact = z.output<typeof contact.schema>;
export type Conversation = z.output<typeof conversation.schema>;
export type Message = z.output<typeof message.schema>;
export type Campaign = z.output<typeof campaign.schema>;
export type CampaignRun = z.output<typeof campaignRun.schema>;
export type Webhook = z.output<typeof webhook.schema>;

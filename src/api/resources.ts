import * as z from 'zod/mini';
import { linkTo } from './addresses';
import { field, nullish, openEnum, optional } from './fields';

export type Basis = 'specified' | 'assumed';

/** A record that the API returns: its name in the app, its schema, a valid example, and the basis of the schema. */
const resource = <const N extends string, S extends z.ZodMiniObject>(noun: N, schema: S, sample: z.output<S>) => ({
  noun,
  schema,
  sample,
  basis: 'assumed' satisfies Basis as Basis,
});

/** The known words of fields that hold one word of a list. The service may add words. */
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
  variableFormat: ['text', 'time', 'date', 'number', 'url', 'image', 'video', 'document'],
  direction: ['inbound', 'outbound'],
  messageStatus: ['received', 'queued', 'sent', 'delivered', 'read', 'failed'],
  source: ['api', 'colleague', 'ai', 'campaign', 'automation', 'contact'],
  conversationStatus: ['open', 'closed'],
  attachmentType: ['image', 'audio', 'video', 'document', 'location'],
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
  'Workspace',
  z.looseObject({
    id: field.id,
    name: nullish.text,
    plan: z.nullish(openEnum(vocabulary.plan)),
    scopes: nullish.texts,
  }),
  {
    id: 'ws_4Kd9Qm',
    name: 'Harbor Parcels',
    plan: 'advanced',
    scopes: [...vocabulary.scope],
  },
);

export const channel = resource('Channel', z.looseObject({ key: field.text, name: nullish.text }), {
  key: 'whatsapp',
  name: 'WhatsApp',
});

export const template = resource(
  'Template',
  z.looseObject({
    name: field.text,
    channel: nullish.text,
    language: nullish.text,
    status: nullish.text,
    category: nullish.text,
    header: z.nullish(z.looseObject({ type: nullish.text, text: nullish.text })),
    body: nullish.text,
    footer: nullish.text,
    buttons: z.nullish(z.array(z.looseObject({ type: nullish.text, text: nullish.text, url: nullish.text }))),
    variables: z.nullish(
      z.array(
        z.looseObject({
          name: field.text,
          label: nullish.text,
          example: nullish.text,
          format: z.nullish(openEnum(vocabulary.variableFormat)),
          required: z.nullish(z.boolean()),
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
    header: null,
    body: 'Your parcel {{parcel_id}} arrives today at about {{arrival_time}}.',
    footer: null,
    buttons: [],
    variables: [
      { name: 'parcel_id', label: 'Parcel Number', example: 'PX-20418', format: 'text', required: true },
      { name: 'arrival_time', label: 'Arrival Time', example: '14:30', format: 'time', required: true },
    ],
  },
);

/** What a contact has of the person. Requests and forms have each of these fields. */
export const personFields = {
  phone: nullish.phone,
  email: nullish.text,
  first_name: nullish.text,
  last_name: nullish.text,
  language: nullish.text,
};

export const contact = resource(
  'Contact',
  z.looseObject({
    id: field.id,
    ...personFields,
    /** The name that a person chose in the messaging app, without @. It may change. */
    username: nullish.text,
    tags: nullish.texts,
    attributes: nullish.textByName,
    consent: z.nullish(openEnum(vocabulary.consent)),
    consent_changed_at: nullish.time,
    url: nullish.text,
    created_at: nullish.time,
    updated_at: nullish.time,
  }),
  {
    id: 'con_7Hq2Zr',
    ...Object.fromEntries(Object.keys(personFields).map((key) => [key, null])),
    phone: '+12025550123',
    username: 'noor.visser',
    email: 'noor.visser@example.com',
    first_name: 'Noor',
    last_name: 'Visser',
    language: 'nl',
    tags: ['parcel-customer'],
    attributes: {},
    consent: 'opted_in',
    consent_changed_at: '2026-03-02T08:15:00Z',
    url: linkTo('contacts/con_7Hq2Zr'),
    created_at: '2026-03-02T08:15:00Z',
    updated_at: '2026-06-11T09:40:12Z',
  },
);

const person = z.nullish(
  z.looseObject({
    id: field.id,
    phone: nullish.phone,
    username: nullish.text,
    first_name: personFields.first_name,
    last_name: personFields.last_name,
  }),
);
const personSample = {
  id: contact.sample.id,
  phone: contact.sample.phone,
  username: contact.sample.username,
  first_name: contact.sample.first_name,
  last_name: contact.sample.last_name,
};

/** What a conversation has of its newest message. */
const newestMessage = z.looseObject({
  id: nullish.id,
  direction: z.nullish(openEnum(vocabulary.direction)),
  text: nullish.text,
  created_at: nullish.time,
});

export const conversation = resource(
  'Conversation',
  z.looseObject({
    id: field.id,
    channel: nullish.text,
    status: z.nullish(openEnum(vocabulary.conversationStatus)),
    contact: person,
    assignee: nullish.text,
    message_count: nullish.number,
    url: nullish.text,
    last_message: z.nullish(newestMessage),
    last_message_at: nullish.time,
    created_at: nullish.time,
    closed_at: nullish.time,
  }),
  {
    id: 'cnv_3Tn8Lw',
    channel: 'whatsapp',
    status: 'open',
    contact: personSample,
    assignee: 'Sam Okafor',
    message_count: 4,
    url: linkTo('conversations/cnv_3Tn8Lw'),
    last_message: {
      id: 'msg_2Fd7Lc',
      direction: 'inbound',
      text: 'Can you leave it with the neighbors?',
      created_at: '2026-06-11T09:52:12Z',
    },
    last_message_at: '2026-06-11T09:52:12Z',
    created_at: '2026-06-11T09:40:12Z',
    closed_at: null,
  },
);

/** A file of a message. Its `url` is https and may expire. */
const attachment = z.looseObject({
  type: z.nullish(openEnum(vocabulary.attachmentType)),
  url: nullish.text,
  name: nullish.text,
});

export const message = resource(
  'Message',
  z.looseObject({
    id: field.id,
    conversation_id: nullish.id,
    contact: person,
    campaign_id: nullish.id,
    campaign_name: nullish.text,
    /** The id of the message that a person quoted. */
    reply_to: nullish.id,
    channel: nullish.text,
    direction: z.nullish(openEnum(vocabulary.direction)),
    /** Null, like `to`, when the person hides their phone number. */
    from: nullish.phone,
    to: nullish.phone,
    template: nullish.text,
    variables: nullish.variables,
    /** Null for a message that has only attachments. */
    text: nullish.text,
    attachments: z.nullish(z.array(attachment)),
    status: z.nullish(openEnum(vocabulary.messageStatus)),
    error: z.nullish(z.looseObject({ code: nullish.text, message: nullish.text })),
    source: z.nullish(openEnum(vocabulary.source)),
    /** The quick reply that a person pressed; null for any other message. */
    button: z.nullish(z.looseObject({ text: nullish.text, payload: nullish.text })),
    /** Opens the conversation at the message. */
    url: nullish.text,
    created_at: nullish.time,
    sent_at: nullish.time,
    delivered_at: nullish.time,
    read_at: nullish.time,
    failed_at: nullish.time,
  }),
  {
    id: 'msg_9Vb4Xs',
    conversation_id: conversation.sample.id,
    contact: personSample,
    campaign_id: null,
    campaign_name: null,
    reply_to: null,
    channel: 'whatsapp',
    direction: 'outbound',
    from: '+12025550190',
    to: '+12025550123',
    template: template.sample.name,
    variables: {},
    text: 'Your parcel PX-20418 arrives today at about 14:30.',
    attachments: [],
    status: 'delivered',
    error: null,
    source: 'api',
    button: null,
    url: linkTo('conversations/cnv_3Tn8Lw/messages/msg_9Vb4Xs'),
    created_at: '2026-06-11T09:40:12Z',
    sent_at: '2026-06-11T09:40:13Z',
    delivered_at: '2026-06-11T09:40:15Z',
    read_at: null,
    failed_at: null,
  },
);

export const campaign = resource(
  'Campaign',
  z.looseObject({
    id: field.id,
    name: nullish.text,
    channel: nullish.text,
    template: nullish.text,
    status: z.nullish(openEnum(vocabulary.campaignStatus)),
    audience_size: nullish.number,
    stats: z.nullish(
      z.looseObject({
        recipients: nullish.number,
        sent: nullish.number,
        delivered: nullish.number,
        read: nullish.number,
        replied: nullish.number,
        failed: nullish.number,
      }),
    ),
    url: nullish.text,
    created_at: nullish.time,
    started_at: nullish.time,
    completed_at: nullish.time,
  }),
  {
    id: 'cmp_5Jc1Fy',
    name: 'Summer opening hours',
    channel: 'whatsapp',
    template: 'opening_hours',
    status: 'completed',
    audience_size: 120,
    stats: { recipients: 120, sent: 119, delivered: 117, read: 96, replied: 14, failed: 1 },
    url: linkTo('campaigns/cmp_5Jc1Fy'),
    created_at: '2026-06-01T10:00:00Z',
    started_at: '2026-06-02T08:00:00Z',
    completed_at: '2026-06-02T08:04:41Z',
  },
);

export const campaignRun = resource(
  'Run',
  z.looseObject({
    id: field.id,
    campaign_id: nullish.id,
    campaign_name: nullish.text,
    status: nullish.text,
    recipients: nullish.number,
    created_at: nullish.time,
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

/** The filters of a webhook. Each key has the values that pass; without the key, all pass. */
export const webhookFilters = z.strictObject({
  channel: optional.texts,
  from: z.optional(z.array(field.phone)),
  contact_id: optional.texts,
  source: z.optional(z.array(openEnum(vocabulary.source))),
  campaign_id: optional.texts,
  /** The id of a message. Only later ones pass, also those that came before the webhook. */
  after: optional.text,
});
export type WebhookFilters = z.output<typeof webhookFilters>;

/** The fields of a webhook, except its secret. */
export const webhookFields = {
  id: field.id,
  url: nullish.text,
  events: z.nullish(z.array(openEnum(vocabulary.event))),
  filters: z.nullish(z.looseObject({})),
  created_at: nullish.time,
  expires_at: nullish.anyTime,
};

export const webhook = resource(
  'Webhook',
  /** `secret` is `whsec_` and base64. The service returns it once, when it creates the webhook. */
  z.looseObject({ ...webhookFields, secret: nullish.text }),
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

import type { BodyOf } from '../../../src/api/endpoints';
import type { Message, Plan } from '../../../src/api/resources';
import { day, hour, minute, second } from '../../zapier/clock';
import { createCampaign, endCampaign, type NewCampaign, triggerCampaign } from '../domain/campaigns';
import { contactByPhone, createContact, updateContact } from '../domain/contacts';
import { dueWork } from '../domain/due-work';
import { receiveMessage, sendMessage, writeMessage } from '../domain/messages';
import { templateId } from '../domain/templates';
import { createToken } from '../domain/workspaces';
import { type Random, seededRandom } from '../engine/random';
import { runNextDue } from '../engine/scheduler';
import { inWorkspace, type SandboxContext, type WorkspaceContext } from '../store/context';
import { fold } from '../store/database';
import { dueRecords } from '../store/due-records';
import { addRecord, changeRecord } from '../store/records';
import { campaigns, countries, hiddenCustomer, questions, templates } from './data';

interface Business {
  plan: Plan;
  name: string;
  customers: number;
  parcels: number;
  questions: number;
  campaigns: number;
}

const businesses: Business[] = [
  { plan: 'starter', name: 'Dune Bicycles', customers: 8, parcels: 4, questions: 2, campaigns: 1 },
  { plan: 'growth', name: 'Quayside Couriers', customers: 20, parcels: 12, questions: 5, campaigns: 2 },
  { plan: 'advanced', name: 'Harbor Parcels', customers: 230, parcels: 150, questions: 40, campaigns: 6 },
];

/** Something that happened in a workspace. */
interface SeedEvent {
  /** How many milliseconds ago it happened. */
  ago: number;
  apply: (context: WorkspaceContext) => void;
}

/** Applies the events in order of time and runs the jobs that come due in between. */
const replay = (present: SandboxContext, events: (SeedEvent & { workspaceId: string })[]): void => {
  const now = present.clock.now();
  let time = 0;
  const context = { ...present, clock: { now: () => time } };
  const jobs = [dueRecords(context, dueWork)];
  const runUntil = (end: number) => {
    while (runNextDue(jobs, end));
    time = end;
  };
  for (const { ago, apply, workspaceId } of events.toSorted((a, b) => b.ago - a.ago)) {
    runUntil(now - ago);
    apply(inWorkspace(context, workspaceId));
  }
  runUntil(now);
};

interface Customer {
  phone: string;
  language: string;
  first_name: string;
  last_name: string;
}

const digits = (random: Random, count: number): string =>
  Array.from({ length: count }, () => random.integer(0, 9)).join('');

const randomCustomer = (random: Random): Customer => {
  const { areaCode, language, firstNames, lastNames } = random.pick(countries);
  return {
    phone: `+1${areaCode}55501${digits(random, 2)}`,
    language,
    first_name: random.pick(firstNames),
    last_name: random.pick(lastNames),
  };
};

/** Most customers read English. The first with a Dutch and the first with a German name don't. */
const languageOf = (customer: Customer, all: readonly Customer[]): string => {
  const { language } = customer;
  const isFirst = all.find((each) => each.language === language) === customer;
  return isFirst && ['nl', 'de'].includes(language) ? language : 'en';
};

const randomCustomers = (random: Random, count: number): Customer[] => {
  const byPhone = new Map<string, Customer>();
  while (byPhone.size < count) {
    const customer = randomCustomer(random);
    byPhone.set(customer.phone, customer);
  }
  return [...byPhone.values()].map((customer, _, all) => ({ ...customer, language: languageOf(customer, all) }));
};

const plainLetters = (name: string): string => fold(name).replace(/[^a-z]/g, '');

const tagsOf = (random: Random, { language }: Customer): string[] => [
  'parcel-customer',
  ...(random.integer(1, 4) === 1 ? ['newsletter'] : []),
  ...(language === 'nl' ? ['dutch-newsletter'] : []),
  ...(random.integer(1, 8) === 1 ? ['vip'] : []),
];

const contactCreated = (random: Random, customer: Customer, index: number): SeedEvent => ({
  ago: random.integer(30 * day, 200 * day),
  apply: (context) => {
    const { first_name, last_name } = customer;
    createContact(context, {
      ...customer,
      email: `${plainLetters(first_name)}.${plainLetters(last_name)}${index + 1}@example.com`,
      tags: tagsOf(random, customer),
      attributes: { customer_number: String(10_001 + index) },
      consent: random.pick(['opted_in', 'opted_in', 'opted_in', 'unknown']),
    });
  },
});

/** The opt-out is newer than all messages to the contact, which the service would refuse after it. */
const contactOptedOut = ({ phone }: Customer): SeedEvent => ({
  ago: 30 * minute,
  apply: (context) => {
    const { id } = contactByPhone(context, phone);
    updateContact(context, id, { consent: 'opted_out' });
  },
});

const timeOfDay = (random: Random): string =>
  `${String(random.integer(9, 20)).padStart(2, '0')}:${random.pick(['00', '15', '30', '45'])}`;

/**
 * Returns how long ago a conversation began, so that a page or a test that takes an hour reads the same: the time is a few
 * minutes over a full hour, and no conversation is about to close.
 */
const beganAgo = (random: Random): number => {
  const drawn = random.integer(hour, 12 * day);
  const ago = drawn - (drawn % hour) + 5 * minute;
  return ago > day - 2 * hour && ago < day + hour ? ago + 8 * hour : ago;
};

const parcelMessageSent = (random: Random, { phone, language }: Customer): SeedEvent => ({
  ago: beganAgo(random),
  apply: (context) => {
    const number = `PX-${random.integer(20_000, 29_999)}`;
    const arrival = timeOfDay(random);
    const message: Omit<BodyOf<'sendMessage'>, 'channel' | 'to'> = language === 'nl'
      ? { template: 'pakket_onderweg', variables: { pakketnummer: number, aankomsttijd: arrival } }
      : { template: 'parcel_out_for_delivery', variables: { parcel_id: number, arrival_time: arrival } };
    sendMessage(context, { channel: 'whatsapp', to: phone, ...message });
  },
});

const questionAnswered = (random: Random, { phone }: Customer): SeedEvent[] => {
  const [question, reply, then] = random.pick(questions);
  const ago = beganAgo(random);
  let conversation: string | null | undefined;
  let channel = '';
  const sent: SeedEvent[] = then
    ? [
        {
          ago: ago - 45 * minute,
          apply: (context) => receiveMessage(context, { from: phone, attachments: [then], channel }),
        },
      ]
    : [];
  return [
    {
      ago,
      apply: (context) => {
        channel = random.pick(['whatsapp', 'whatsapp', 'sms']);
        conversation = receiveMessage(context, { from: phone, text: question, channel }).conversation_id;
      },
    },
    {
      ago: ago - random.integer(2 * minute, 40 * minute),
      apply: (context) => {
        if (conversation) writeMessage(context, conversation, { text: reply, source: 'colleague' });
      },
    },
    ...sent,
  ];
};

/** A customer has waited for an answer since yesterday. */
const questionUnanswered = ({ phone }: Customer): SeedEvent => ({
  ago: 21 * hour + 5 * minute,
  apply: (context) => {
    receiveMessage(context, { from: phone, text: 'Can the driver ring twice?', channel: 'sms' });
  },
});

/** A customer who hides the phone number asks, gets an answer, and thanks for it. */
const hiddenCustomerAnswered = (): SeedEvent[] => {
  const { username, question, reply, thanks, known } = hiddenCustomer;
  const wrote = { username, channel: 'whatsapp' };
  let asked: Message | undefined;
  let reply_to: string | undefined;
  return [
    {
      ago: 3 * day,
      apply: (context) => {
        asked = receiveMessage(context, { ...wrote, text: question });
        if (asked.contact) updateContact(context, asked.contact.id, known);
      },
    },
    {
      ago: 3 * day - 10 * minute,
      apply: (context) => {
        if (!asked?.conversation_id) return;
        reply_to = writeMessage(context, asked.conversation_id, { text: reply, source: 'colleague' }).id;
      },
    },
    { ago: 3 * day - hour, apply: (context) => receiveMessage(context, { ...wrote, text: thanks, reply_to }) },
  ];
};

type CampaignSeed = (typeof campaigns)[number];

const plannedStatus = ({ status }: CampaignSeed): NewCampaign['status'] =>
  status === 'scheduled' || status === 'canceled' ? status : 'draft';

/** Stops the run, so that its campaign stays `sending`. */
const pauseRun = (context: WorkspaceContext, runId: string): void => {
  changeRecord(context, 'campaign_run', runId, { due_at: null });
};

const campaignHistory = (campaign: CampaignSeed, index: number): SeedEvent[] => {
  const ago = (12 - index) * day;
  const { status } = campaign;
  let id = '';
  let run = '';
  const created: SeedEvent = {
    ago,
    apply: (context) => {
      id = createCampaign(context, { ...campaign, status: plannedStatus(campaign) });
    },
  };
  if (status !== 'completed' && status !== 'failed' && status !== 'sending') return [created];
  const started: SeedEvent = {
    ago: ago - hour,
    apply: (context) => {
      run = triggerCampaign(context, id, {}).id;
    },
  };
  if (status === 'completed') return [created, started];
  const stopped: SeedEvent = {
    ago: ago - hour - 4 * second,
    apply: (context) => (status === 'failed' ? endCampaign(context, id, 'failed') : pauseRun(context, run)),
  };
  return [created, started, stopped];
};

const createWorkspace = (context: SandboxContext, { plan, name }: Business): string => {
  const id = context.random.id('ws');
  const workspace = inWorkspace(context, id);
  addRecord(workspace, 'workspace', id, { id, name, plan, language: 'en' });
  createToken(workspace);
  for (const template of templates) {
    const { channel, name, language } = template;
    addRecord(workspace, 'template', templateId(channel, name, language), template);
  }
  return id;
};

const history = (random: Random, business: Business): SeedEvent[] => {
  const customers = randomCustomers(random, business.customers);
  const someone = () => random.pick(customers);
  const times = (count: number) => Array.from({ length: count });
  return [
    ...customers.map((customer, index) => contactCreated(random, customer, index)),
    ...customers.filter((_, index) => index % 40 === 39).map((customer) => contactOptedOut(customer)),
    ...times(business.parcels).map(() => parcelMessageSent(random, someone())),
    ...times(business.questions).flatMap(() => questionAnswered(random, someone())),
    ...customers.slice(-1).map((customer) => questionUnanswered(customer)),
    ...hiddenCustomerAnswered(),
    ...campaigns.slice(0, business.campaigns).flatMap((campaign, index) => campaignHistory(campaign, index)),
  ];
};

/** Fills an empty database with three workspaces and their history. The same seed gives the same data except for times. */
export const seedDatabase = (context: SandboxContext, seed: number): void => {
  const { database } = context;
  if (database.number('SELECT 1 FROM records')) return;
  const seeded = { ...context, random: seededRandom(seed) };
  database.transaction(() => {
    const events = businesses.flatMap((business) => {
      const workspaceId = createWorkspace(seeded, business);
      return history(seeded.random, business).map((event) => ({ ...event, workspaceId }));
    });
    replay(seeded, events);
  });
};

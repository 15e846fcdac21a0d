import * as z from 'zod/mini';
import type { BodyOf } from '../../src/api/endpoints';
import type { Plan } from '../../src/api/resources';
import { campaignRuns } from '../domain/campaign-runs';
import { createCampaign, endCampaign, type NewCampaign, triggerCampaign } from '../domain/campaigns';
import { contactByPhone, createContact, updateContact } from '../domain/contacts';
import { idleConversations } from '../domain/conversations';
import { messageLife } from '../domain/message-lifecycle';
import { receiveMessage, sendMessage, writeMessage } from '../domain/messages';
import { createToken } from '../domain/workspaces';
import type { Service } from '../engine/context';
import { type Random, seededRandom } from '../engine/random';
import { runNextDue } from '../engine/scheduler';
import { campaigns, countries, talks, templates } from './data';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

interface Business {
  plan: Plan;
  name: string;
  customers: number;
  parcels: number;
  talks: number;
  campaigns: number;
}

const businesses: Business[] = [
  { plan: 'starter', name: 'Dune Bicycles', customers: 8, parcels: 4, talks: 2, campaigns: 1 },
  { plan: 'growth', name: 'Quayside Couriers', customers: 20, parcels: 12, talks: 5, campaigns: 2 },
  { plan: 'advanced', name: 'Harbour Parcels', customers: 230, parcels: 150, talks: 40, campaigns: 6 },
];

/** Something that happened in a workspace, and how long ago. */
interface Happening {
  ago: number;
  happen: (service: Service) => void;
}

/** Lives through what happened: in between messages move on, campaigns run and idle conversations close. */
const live = (present: Service, happenings: Happening[]): void => {
  const now = present.clock.now();
  let time = 0;
  const service = { ...present, clock: { now: () => time } };
  const jobs = [messageLife(service), campaignRuns(service), idleConversations(service)];
  const liveUntil = (end: number) => {
    while (runNextDue(jobs, end));
    time = end;
  };
  for (const { ago, happen } of happenings.toSorted((a, b) => b.ago - a.ago)) {
    liveUntil(now - ago);
    happen(service);
  }
  liveUntil(now);
};

interface Customer {
  phone: string;
  language: string;
  first_name: string;
  last_name: string;
}

const digits = (random: Random, count: number): string =>
  Array.from({ length: count }, () => random.integer(0, 9)).join('');

const inventCustomer = (random: Random): Customer => {
  const { mobile, language, firstNames, lastNames } = random.pick(countries);
  const [start, length] = mobile;
  return {
    phone: start + digits(random, length),
    language,
    first_name: random.pick(firstNames),
    last_name: random.pick(lastNames),
  };
};

const inventCustomers = (random: Random, count: number): [Customer, ...Customer[]] => {
  const byPhone = new Map<string, Customer>();
  while (byPhone.size < count) {
    const customer = inventCustomer(random);
    byPhone.set(customer.phone, customer);
  }
  const [first = inventCustomer(random), ...others] = byPhone.values();
  return [first, ...others];
};

const plainLetters = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/[^a-z]/gi, '')
    .toLowerCase();

const tagsOf = (random: Random, { language }: Customer): string[] => [
  'parcel-customer',
  ...(random.integer(1, 4) === 1 ? ['newsletter'] : []),
  ...(language === 'nl' && random.integer(1, 3) === 1 ? ['dutch-newsletter'] : []),
  ...(random.integer(1, 8) === 1 ? ['business'] : []),
];

const joining = (random: Random, workspaceId: string, customer: Customer, index: number): Happening => ({
  ago: random.integer(30 * day, 200 * day),
  happen: (service) => {
    const { first_name, last_name } = customer;
    createContact(service, workspaceId, {
      ...customer,
      email: `${plainLetters(first_name)}.${plainLetters(last_name)}${index + 1}@example.com`,
      tags: tagsOf(random, customer),
      attributes: { customer_number: String(10_001 + index) },
      consent: random.pick(['opted_in', 'opted_in', 'opted_in', 'unknown']),
    });
  },
});

/** After all they were sent, so that nothing of it was refused. */
const optingOut = (workspaceId: string, { phone }: Customer): Happening => ({
  ago: 30 * minute,
  happen: (service) => {
    const { id } = contactByPhone(service, workspaceId, phone);
    updateContact(service, workspaceId, id, { consent: 'opted_out' });
  },
});

const timeOfDay = (random: Random): string =>
  `${String(random.integer(9, 20)).padStart(2, '0')}:${random.pick(['00', '15', '30', '45'])}`;

const parcel = (random: Random, workspaceId: string, { phone, language }: Customer): Happening => ({
  ago: random.integer(hour, 12 * day),
  happen: (service) => {
    const number = `PX-${random.integer(20_000, 29_999)}`;
    const arrival = timeOfDay(random);
    const message: Omit<BodyOf<'sendMessage'>, 'channel' | 'to'> = language === 'nl'
      ? { template: 'pakket_onderweg', variables: { pakketnummer: number, aankomsttijd: arrival } }
      : { template: 'parcel_out_for_delivery', variables: { parcel_id: number, arrival_time: arrival } };
    sendMessage(service, workspaceId, { channel: 'whatsapp', to: phone, ...message });
  },
});

const talk = (random: Random, workspaceId: string, { phone }: Customer): Happening[] => {
  const [question, reply] = random.pick(talks);
  const ago = random.integer(hour, 12 * day);
  let conversation: string | null | undefined;
  return [
    {
      ago,
      happen: (service) => {
        const message = { from: phone, text: question, channel: random.pick(['whatsapp', 'whatsapp', 'sms']) };
        conversation = receiveMessage(service, workspaceId, message).conversation_id;
      },
    },
    {
      ago: ago - random.integer(2 * minute, 40 * minute),
      happen: (service) => {
        if (conversation) writeMessage(service, workspaceId, conversation, { text: reply, source: 'agent' });
      },
    },
  ];
};

type CampaignSeed = (typeof campaigns)[number];

const plannedStatus = ({ status }: CampaignSeed): NewCampaign['status'] =>
  status === 'scheduled' || status === 'canceled' ? status : 'draft';

/** A run that stands still keeps its campaign `sending` for as long as nobody ends it. */
const halt = ({ database }: Service, campaignId: string): void => {
  database.run('UPDATE campaign_runs SET due_at = NULL WHERE campaign_id = ?', campaignId);
};

const campaignHistory = (workspaceId: string, campaign: CampaignSeed, index: number): Happening[] => {
  const ago = (12 - index) * day;
  const { status } = campaign;
  let id = '';
  const created: Happening = {
    ago,
    happen: (service) => {
      id = createCampaign(service, workspaceId, { ...campaign, status: plannedStatus(campaign) });
    },
  };
  if (status !== 'completed' && status !== 'failed' && status !== 'sending') return [created];
  const started: Happening = {
    ago: ago - hour,
    happen: (service) => triggerCampaign(service, workspaceId, id, {}),
  };
  if (status === 'completed') return [created, started];
  const stopped: Happening = {
    ago: ago - hour - 4 * second,
    happen: (service) => (status === 'failed' ? endCampaign(service, workspaceId, id, 'failed') : halt(service, id)),
  };
  return [created, started, stopped];
};

const addWorkspace = (service: Service, { plan, name }: Business): string => {
  const id = service.random.id('ws');
  service.database.insert('workspaces', { id, name, plan });
  createToken(service, id);
  for (const { variables, ...template } of templates) {
    service.database.insert('templates', { ...template, workspace_id: id, variables: JSON.stringify(variables) });
  }
  return id;
};

const history = (random: Random, workspaceId: string, business: Business): Happening[] => {
  const customers = inventCustomers(random, business.customers);
  const someone = () => random.pick(customers);
  const times = (count: number) => Array.from({ length: count });
  return [
    ...customers.map((customer, index) => joining(random, workspaceId, customer, index)),
    ...customers.filter((_, index) => index % 40 === 39).map((customer) => optingOut(workspaceId, customer)),
    ...times(business.parcels).map(() => parcel(random, workspaceId, someone())),
    ...times(business.talks).flatMap(() => talk(random, workspaceId, someone())),
    ...campaigns
      .slice(0, business.campaigns)
      .flatMap((campaign, index) => campaignHistory(workspaceId, campaign, index)),
  ];
};

const foundRow = z.object({ found: z.number() });

/** Fills an empty database with three businesses and their past, the same for the same seed except for the times. */
export const seedDatabase = (service: Service, seed: number): void => {
  const { database } = service;
  if (database.first(foundRow, 'SELECT 1 AS found FROM workspaces')) return;
  const seeded = { ...service, random: seededRandom(seed) };
  database.transaction(() => {
    const happenings = businesses.flatMap((business) =>
      history(seeded.random, addWorkspace(seeded, business), business),
    );
    live(seeded, happenings);
  });
};

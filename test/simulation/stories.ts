/** The plan `faults`: each kind of write with each fault, at each position, with and without Send Once for Each. */
import type { Service } from './service';
import { rareKinds, verdicts } from './wire';
import type { Intent } from './zapier';

type Input = Record<string, unknown>;

/** A request to the service that a fault meets: its place among all requests, among those that write, or the creations. */
export interface PlannedFault {
  request: number;
  of?: 'writes' | 'creations';
  kind: string;
}

/** What a form may name of a person. */
type Known = Record<'phone' | 'email' | 'contact', string>;

/** A step as people fill it in, for a person whom nothing else is about. */
interface Form {
  step: string;
  takesKey?: boolean;
  isTest?: boolean;
  /** Whether the service has the person. */
  isKnown?: boolean;
  fillIn: (person: Known) => { input: Input; intent: Intent };
}

export interface Story {
  form: Form;
  hasKey: boolean;
}

const parcel = { channel: 'whatsapp', template: 'parcel_update' };

const messageForm = (step: string): Form => ({
  step,
  takesKey: true,
  fillIn: ({ phone: to }) => ({
    input: { ...parcel, to, variable_parcel_id: 'P-1' },
    intent: { to, duty: 'take', sends: { ...parcel, to, variables: { parcel_id: 'P-1' } } },
  }),
});

const savedAudience = { campaign: 'cmp_1', audience: 'saved', max_recipients: '1000000' };

const contactForm = (step: string, isKnown: boolean, inputOf: (person: Known) => Input): Form => ({
  step,
  isKnown,
  fillIn: (person) => ({ input: inputOf(person), intent: {} }),
});

/** Each action, with each kind of request that it can make, a test in the editor, and a Zap that is turned on. */
export const forms: readonly Form[] = [
  messageForm('send_message'),
  messageForm('send_message_and_wait'),
  // For the saved audience, for one recipient, and in a test.
  {
    step: 'start_campaign',
    takesKey: true,
    fillIn: () => ({ input: savedAudience, intent: { maxRecipients: 1_000_000 } }),
  },
  {
    step: 'start_campaign',
    takesKey: true,
    fillIn: ({ phone: to }) => ({
      input: { campaign: 'cmp_1', audience: 'one', to, variables: { parcel_id: 'P-1' } },
      intent: { to, duty: 'take', starts: true },
    }),
  },
  {
    step: 'start_campaign',
    isTest: true,
    fillIn: () => ({ input: { ...savedAudience, deduplication_key: 'June' }, intent: { isReadOnly: true } }),
  },
  contactForm('create_contact', false, ({ phone, email }) => ({ phone, email })),
  contactForm('create_or_update_contact', false, ({ phone, email }) => ({ phone, email })),
  contactForm('create_or_update_contact', true, ({ phone, email }) => ({ phone, email, first_name: 'Noor' })),
  contactForm('update_contact', true, ({ contact }) => ({ contact, first_name: 'Noor' })),
  contactForm('delete_contact', true, ({ contact }) => ({ contact })),
  { step: 'message_received', fillIn: () => ({ input: {}, intent: {} }) },
];

const kinds = [
  ...['refused', 'dns', 'reset', 'reset-after', 'hang', 'hang-after', 'cut', 'cut-silent', 'busy', 'failed'],
  ...rareKinds,
];

/** What is no fault of a step: a deletion needs no record, and services answer an update with nothing. */
const accepted: Record<string, RegExp> = {
  delete_contact: /^(20[04]-none|200-blank|404-object|404-not_found|410)/,
  update_contact: /^20[04]-none/,
};

const fits = ({ step }: Form, kind: string): boolean =>
  !accepted[step]?.test(kind) && (kind !== 'failed' || step.startsWith('send_message'));

const most = 20;
const row = (of: PlannedFault['of'], count: number, kind: string, from = 0): PlannedFault[] =>
  Array.from({ length: count }, (_, index) => ({ request: from + index, kind, ...(of && { of }) }));

type Position = (kind: string) => PlannedFault[];

const afterLostResponse: readonly Position[] = [
  (kind) => [...row('writes', 1, 'reset-after'), ...row('writes', 1, kind, 1)],
  (kind) => [...row('writes', 1, 'reset-after'), ...row('writes', most, kind, 1)],
];

const onReads: readonly Position[] = [(kind) => row(undefined, 1, kind), (kind) => row(undefined, most, kind)];

const onWrites: readonly Position[] = [
  (kind) => row('writes', 1, kind),
  (kind) => row('writes', 2, kind),
  (kind) => row('writes', most, kind),
  (kind) => row('creations', most, kind),
  (kind) => [...row('writes', 1, 'reset'), ...row('writes', 1, kind, 1)],
  (kind) => row(undefined, most, kind),
];

/** Where a fault can be. A verdict after the service has acted would contradict what it keeps for the key. */
const positionsOf = ({ isTest }: Form, kind: string): readonly Position[] => {
  if (isTest) return onReads;
  return [...verdicts, 'failed'].includes(kind) ? onWrites : [...onWrites, ...afterLostResponse];
};

/** All stories, each with its faults. */
export const stories: readonly { story: Story; faults: PlannedFault[] }[] = forms.flatMap((form) => {
  const rows = kinds
    .filter((kind) => fits(form, kind))
    .flatMap((kind) => positionsOf(form, kind).map((at) => at(kind)));
  const keys = form.takesKey ? [false, true] : [false];
  return rows.flatMap((faults) => keys.map((hasKey) => ({ story: { form, hasKey }, faults })));
});

/** How many worlds tell all stories, with 50 in each. */
export const worldsOfStories = Math.ceil(stories.length / 50);

/** Adds the person of a story to a service, under a number and an address that nobody else has. */
export const addPerson = (service: Service, { form }: Story, id: number): Known => {
  const [phone, email] = [`+316${41_000_000 + id}`, `person.${id}@example.com`];
  const contact = form.isKnown ? service.addContact({ phone, email }).id : '';
  return { phone, email, contact };
};

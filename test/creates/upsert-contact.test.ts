/** What Create or Update Contact changes of a contact that exists. In a public form, anyone can enter any email. */
import nock from 'nock';
import { type EndpointName, endpoints, missing } from '../../src/api/endpoints';
import { fromWire } from '../../src/api/translate';
import { runStep } from '../support/zapier';
import '../support/many-runs';
import { authData, expectCall, toResponse } from '../support/service';

const given = '+12025550123';
const other = '+12025550187';
const email = 'noor@example.com';
const id = 'con_7';

/** A service that takes its only contact for the person, whatever the step sends. Lists the calls that it gets. */
const serve = (existing: object, code: string) => {
  const stored: Record<string, unknown> = { id, ...existing };
  const called: EndpointName[] = [];
  const answer = (name: EndpointName, status: number, respond: () => object) =>
    expectCall(name, { id })
      .interceptor.reply((_uri, body) => {
        called.push(name);
        if (name === 'updateContact') Object.assign(stored, fromWire(endpoints.updateContact.body, body));
        return [status, toResponse(name, status, respond())];
      })
      .persist();
  answer('createContact', 409, () => ({ error: { code, message: 'Exists', existing_id: id } }));
  answer('getContact', 200, () => stored);
  answer('updateContact', 200, () => stored);
  return { stored, called };
};

/** Runs the step for an existing contact. Returns the error, the contact afterwards and the calls. */
const upsert = async (existing: object, inputData: Record<string, unknown>, code = 'contact_exists') => {
  const { stored, called } = serve(existing, code);
  const error = await runStep('creates.upsert_contact.operation.perform', { authData, inputData }).then(
    () => null,
    ({ name, message }: Error) => `${name}: ${message}`,
  );
  nock.cleanAll();
  return { error, called, ...stored };
};

const stopped =
  'HaltedError: Phone Number: the contact with this email has another phone number, so nothing was changed. Check which one is right, then use Update Contact.';

const both = { phone: given, email };

interface Row {
  contact: string;
  /** How the contact is known to be the person. */
  by: 'phone' | 'email';
  form: object;
  choices: ('keep' | 'replace' | 'stop')[];
  /** The contact's phone number before and after the step. */
  before: string | null;
  after: string | null;
  error?: string;
}

const everyChoice: Row['choices'] = ['keep', 'replace', 'stop'];

const rows: Row[] = [
  { contact: 'with this number', by: 'phone', form: both, choices: everyChoice, before: given, after: given },
  { contact: 'without a number', by: 'email', form: both, choices: everyChoice, before: null, after: given },
  { contact: 'with another number', by: 'email', form: both, choices: ['keep'], before: other, after: other },
  { contact: 'with another number', by: 'email', form: both, choices: ['replace'], before: other, after: given },
  {
    contact: 'with another number',
    by: 'email',
    form: both,
    choices: ['stop'],
    before: other,
    after: other,
    error: stopped,
  },
  { contact: 'with a number', by: 'email', form: { email }, choices: everyChoice, before: other, after: other },
  { contact: 'without a number', by: 'email', form: { email }, choices: everyChoice, before: null, after: null },
  {
    contact: 'found by number',
    by: 'phone',
    form: { phone: given },
    choices: everyChoice,
    before: given,
    after: given,
  },
];

type Consent = 'opted_in' | 'opted_out' | 'unknown' | null;

/** The consent before, in the form, and after the step if only the email is known to match. */
const consents: [before: Consent, given: Consent, after: Consent][] = [
  ['opted_in', 'opted_in', 'opted_in'],
  ['opted_in', 'opted_out', 'opted_out'],
  ['opted_in', 'unknown', 'unknown'],
  ['opted_in', null, 'opted_in'],
  ['opted_out', 'opted_in', 'opted_out'],
  ['opted_out', 'opted_out', 'opted_out'],
  ['opted_out', 'unknown', 'opted_out'],
  ['opted_out', null, 'opted_out'],
  ['unknown', 'opted_in', 'opted_in'],
  ['unknown', 'opted_out', 'opted_out'],
  ['unknown', 'unknown', 'unknown'],
  ['unknown', null, 'unknown'],
  [null, 'opted_in', null],
  [null, 'opted_out', 'opted_out'],
  [null, 'unknown', null],
  [null, null, null],
];

test.each(rows)(
  'a contact $contact has $after after $form with $choices, and only a consent that is certain',
  async ({ by, form, choices, before, after, error = null }) => {
    const emails = by === 'phone' ? [email, null] : [email];
    const contacts = emails.flatMap((own) => consents.map((row) => [own, ...row] as const));
    for (const phone_change of choices) {
      for (const [own, consent, agreed, agreedByEmail] of contacts) {
        const existing = { phone: before, email: own, consent };
        const inputData = { ...form, consent: agreed, phone_change };
        const consentAfter = by === 'phone' ? (agreed ?? consent) : agreedByEmail;
        const expected = { error, phone: after, consent: error ? consent : consentAfter };
        const outcome = await upsert(existing, inputData);
        expect({ existing, inputData, outcome }).toMatchObject({ existing, inputData, outcome: expected });
      }
    }
  },
);

test('a contact keeps its phone number unless the form says otherwise', async () => {
  await expect(upsert({ phone: other, email }, both)).resolves.toMatchObject({ error: null, phone: other });
});

test('a conflict of another kind changes no contact, although it names one', async () => {
  await expect(upsert({ phone: given, email }, both, 'contact_locked')).resolves.toMatchObject({
    error: expect.stringMatching(/^HaltedError: .*refused this step \(status 409\)/),
    called: ['createContact'],
  });
});

test('an email identifies a contact in any case', async () => {
  const existing = { phone: null, email: 'Noor@Example.com' };
  await expect(upsert(existing, both)).resolves.toMatchObject({ error: null, phone: given });
});

test('a form opts nobody in whose consent is a word that the step does not know', async () => {
  const existing = { phone: other, email, consent: 'blocked' };
  await expect(upsert(existing, { email, consent: 'opted_in' })).resolves.toMatchObject({ consent: 'blocked' });
});

test.each(['+1 202-555-0123', '12025550123', '+1 (202) 555-0123'])(
  'a contact with the phone number as %j is the person, by the digits',
  async (phone) => {
    const existing = { phone, email: null, consent: 'opted_out' };
    const inputData = { ...both, consent: 'opted_in', phone_change: 'stop' };
    await expect(upsert(existing, inputData)).resolves.toMatchObject({ error: null, consent: 'opted_in' });
  },
);

test('a phone number or consent that the service leaves out stays as it is', async () => {
  const inputData = { ...both, consent: 'opted_in' };
  const called = ['createContact', 'getContact'];
  await expect(upsert({ email }, inputData)).resolves.toEqual({
    error: null,
    called: [...called, 'updateContact'],
    id,
    email,
  });
  const error =
    'HaltedError: Phone Number: the contact with this email may have another phone number, so nothing was changed. Check which one is right, then use Update Contact.';
  await expect(upsert({ email }, { ...inputData, phone_change: 'stop' })).resolves.toEqual({
    error,
    called,
    id,
    email,
  });
});

test.each<[string, object]>([
  ['ID', { id: 'con_8', phone: given, email }],
  ['phone number and email', { phone: other, email: 'b@example.com' }],
  ['phone number and no email', { phone: other, email: null }],
  ['email and no phone number', { phone: null, email: 'b@example.com' }],
])('a record with another %s changes nothing', async (_what, existing) => {
  for (const phone_change of everyChoice) {
    await expect(upsert(existing, { ...both, consent: 'opted_in', phone_change })).resolves.toMatchObject({
      error: expect.stringContaining(
        'says that this contact exists, but returned another one, so nothing was changed.',
      ),
      called: ['createContact', 'getContact'],
    });
  }
});

test.each<[object, EndpointName[]]>([
  [both, ['getContact']],
  [{ email, consent: 'opted_in' }, ['getContact']],
  [{ email, consent: 'unknown' }, ['getContact']],
  [{ email, consent: 'opted_out' }, []],
  [{ email }, []],
  [{ phone: given, consent: 'opted_in' }, []],
])('with %j, the step reads the contact first only if that matters: %j', async (inputData, reads) => {
  const existing = { phone: given, email, consent: 'unknown' };
  const called = ['createContact', ...reads, 'updateContact'];
  await expect(upsert(existing, { ...inputData })).resolves.toMatchObject({ error: null, called });
});

describe('of a service that gives no single contact', () => {
  beforeAll(() => Object.assign(missing, { [missing.length]: 'getContact' }));
  afterAll(() => Object.assign(missing, { length: missing.length - 1 }));

  const existing = { phone: other, email, consent: 'opted_out' };
  const inputData = { ...both, first_name: 'Sanne', consent: 'opted_in' };

  test('a contact keeps its phone number and consent, and gets the other changes', async () => {
    await expect(upsert(existing, inputData)).resolves.toMatchObject({
      error: null,
      phone: other,
      consent: 'opted_out',
      first_name: 'Sanne',
      called: ['createContact', 'updateContact'],
    });
  });

  test('a contact gets another phone number only if the form says so', async () => {
    await expect(upsert(existing, { ...inputData, phone_change: 'replace' })).resolves.toMatchObject({
      error: null,
      phone: given,
      consent: 'opted_out',
    });
    await expect(upsert(existing, { ...inputData, phone_change: 'stop' })).resolves.toMatchObject({
      error: expect.stringMatching(/^HaltedError: Phone Number: the contact with this email may have another/),
      called: ['createContact'],
    });
  });
});

describe('of a service without a code for a contact that exists', () => {
  beforeAll(() => Object.assign(missing, { [missing.length]: 'contact_exists' }));
  afterAll(() => Object.assign(missing, { length: missing.length - 1 }));

  const refuse = () => expectCall('createContact').reply(422, { error: { code: 'refused', message: 'Taken' } });
  const list = (query: object, ...found: object[]) =>
    expectCall('listContacts', { query: { ...query, limit: 100 } }).reply(200, { data: found });
  const run = (inputData: object) =>
    runStep('creates.upsert_contact.operation.perform', { authData, inputData: { ...inputData } });

  test('the step looks up the only contact with this email', async () => {
    refuse();
    list({ email }, { id: 'con_1', email: email.toUpperCase() }, { id: 'con_2', email: 'other@example.com' });
    expectCall('updateContact', { id: 'con_1' }).reply(200, { id: 'con_1' });
    await expect(run({ email })).resolves.toEqual({ id: 'con_1' });
  });

  test.each([
    ['none', []],
    [
      'several',
      [
        { id: 'con_1', email },
        { id: 'con_2', email },
      ],
    ],
    ['one that has no email', [{ id: 'con_1' }]],
  ])('with %s of them, the step halts for the reason of the service', async (_what, found) => {
    refuse();
    list({ email }, ...found);
    await expect(run({ email })).rejects.toThrow("didn't accept the input. Taken.");
  });

  test('with one by phone number and another by email, the step changes neither', async () => {
    refuse();
    list({ phone: given }, { id: 'con_1', phone: given });
    list({ email }, { id: 'con_2', email });
    await expect(run(both)).rejects.toThrow("didn't accept the input. Taken.");
  });
});

test('refuses a choice that is none before any request', async () => {
  await expect(upsert({}, { ...both, phone_change: 'swap' })).resolves.toMatchObject({
    error: expect.stringContaining('If the Phone Number Differs: "swap" isn\'t one of the choices.'),
    called: [],
  });
});

test('a refusal of the tags to add to an existing contact names the field Tags', async () => {
  const exists = { error: { code: 'contact_exists', message: 'Exists', existing_id: id } };
  const refused = { error: { code: 'validation_failed', message: 'No', field: 'add_tags' } };
  expectCall('createContact').reply(409, exists);
  expectCall('updateContact', { id }).reply(422, refused);
  await expect(
    runStep('creates.upsert_contact.operation.perform', { authData, inputData: { email, tags: 'vip' } }),
  ).rejects.toThrow('Tags: No.');
});

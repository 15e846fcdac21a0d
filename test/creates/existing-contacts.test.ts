/** What Create or Update Contact changes of a contact that exists. Anyone can enter someone else's number or email. */

import nock from 'nock';
import { exampleConnection } from '../../src/api/connection';
import { encode } from '../../src/api/encode';
import { endpoints } from '../../src/api/endpoints';
import { contact } from '../../src/api/resources';
import type { EndpointName } from '../../src/api/transport';
import { expectHalt } from '../support/halt';
import { person, written } from '../support/person';
import { authData, expectCall, toResponse } from '../support/service';
import { reachable } from '../support/triggered';
import { runStep } from '../support/zapier';

const create = (inputData: object, country?: string) =>
  runStep('creates.create_or_update_contact.operation.perform', {
    authData: { ...authData, ...(country && { default_country: country }) },
    inputData: { ...inputData },
  });

describe('create_or_update_contact', () => {
  const upsert = (inputData: object) => create(inputData, 'US');
  const existsBy = (field?: string, existing_id: unknown = 'con_7') => ({
    error: { code: 'contact_exists', message: 'Exists', existing_id, field },
  });

  test('creates a contact that is new, in one request', async () => {
    expectCall('createContact', { body: { ...written, tags: ['vip'] } }).reply(201, contact.sample);
    await expect(upsert({ ...person, tags: 'vip' })).resolves.toEqual({ ...reachable(contact.sample), kept: null });
  });

  /** The contact that the service has, with the person's phone number and email unless told otherwise. */
  const answerExisting = (changes: object = {}, id = 'con_7') =>
    expectCall('listContacts').reply(200, { data: [{ ...contact.sample, ...written, id, ...changes }] });

  test('halts when the service neither says which contact exists nor lists it', async () => {
    expectCall('createContact').reply(409, { error: { code: 'contact_exists', message: 'Exists' } });
    expectCall('listContacts', { query: { phone: '+12025550123', limit: 100 } }).reply(200, { data: [] });
    await expectHalt(
      upsert({ phone: '+12025550123' }),
      'Another contact already has this phone number or email, so no contact was created. To change the existing one, use Update Contact.',
    );
  });

  test('halts when another contact has what is to be changed, and says that nothing was changed', async () => {
    expectCall('createContact').reply(409, existsBy());
    // The other contact is newer than the list.
    answerExisting({ email: null });
    answerExisting({ email: null });
    const { email, consent, attributes } = written;
    const body = { email, consent, attributes };
    expectCall('updateContact', { id: 'con_7', body }).reply(409, existsBy(undefined, 'con_8'));
    await expect(upsert({ ...person, on_difference: 'replace' })).rejects.toThrow(
      '(con_8) already has this phone number or email, so nothing was changed. Leave that field empty',
    );
  });
});

describe('a contact that exists', () => {
  const given = '+12025550123';
  const other = '+12025550187';
  const email = 'noor@example.com';
  const otherEmail = 'other@example.com';
  const id = 'con_7';
  const both = { phone: given, email };

  type Stored = Record<string, unknown>;

  /** How a service refuses to create a contact that exists. */
  interface Refusal {
    status: number;
    code: string;
    namesId: boolean;
  }
  const documented: Refusal = { status: 409, code: 'contact_exists', namesId: true };

  const has = (contact: Stored, field: 'phone' | 'email', value: unknown): boolean =>
    typeof value === 'string' && String(contact[field] ?? '').toLowerCase() === value.toLowerCase();

  /** A service with these contacts, which ignores the filters of lists. Lists the calls that it gets. */
  const serve = (contacts: Stored[], { status, code, namesId }: Refusal) => {
    const called: EndpointName[] = [];
    const answer = (name: EndpointName, path: string, respond: (body: unknown) => [number, object]) =>
      expectCall(name, { id: path })
        .interceptor.reply((_uri, body) => {
          called.push(name);
          const [answered, response] = respond(body);
          return [answered, toResponse(response)];
        })
        .persist();
    answer('createContact', '', (body) => {
      const { phone, email: address } = Object(body);
      const existing = contacts.find((each) => has(each, 'phone', phone) || has(each, 'email', address)) ?? contacts[0];
      return [status, { error: { code, message: 'Exists', ...(namesId && { existing_id: existing?.id }) } }];
    });
    for (const contact of contacts) {
      answer('getContact', String(contact.id), () => [200, contact]);
      answer('updateContact', String(contact.id), (body) => [200, Object.assign(contact, Object(body))]);
    }
    const { path } = encode(endpoints.listContacts, { query: {} }, exampleConnection);
    nock(authData.base_url)
      .get(new RegExp(`${path}(\\?.*)?$`))
      .reply(() => {
        called.push('listContacts');
        return [200, toResponse({ data: contacts, next_cursor: null })];
      })
      .persist();
    return called;
  };

  /** Runs the step. Returns the error and the calls. The contacts are those of the service afterwards. */
  const run = async (contacts: Stored[], inputData: object, refusal = documented) => {
    const called = serve(contacts, refusal);
    const error = await create(inputData).then(
      () => null,
      ({ name, message }: Error) => `${name}: ${message}`,
    );
    nock.cleanAll();
    return { error, called };
  };

  /** Runs the step for one existing contact. Returns the error, the calls and the contact afterwards. */
  const upsert = async (existing: object, inputData: object, refusal?: Refusal) => {
    const stored: Stored = { id, ...existing };
    const outcome = await run([stored], inputData, refusal);
    return { ...outcome, ...stored };
  };

  test.each([
    ['Phone Number', 'another one', { phone: other, email }],
    ['Email', 'another one', { phone: given, email: otherEmail }],
    ['Phone Number', 'none', { phone: null, email }],
    ['Email', 'none', { phone: given, email: null }],
  ])('the %s that differs is kept unless the form says otherwise (%s)', async (label, has, existing) => {
    await expect(upsert(existing, both)).resolves.toMatchObject({ error: null, ...existing });
    await expect(upsert(existing, { ...both, on_difference: 'replace' })).resolves.toMatchObject({
      error: null,
      ...both,
    });
    await expect(upsert(existing, { ...both, on_difference: 'stop' })).resolves.toMatchObject({
      error: `HaltedError: ${label}: the contact has ${has}, so nothing was changed. Check which one is right, then use Update Contact.`,
      ...existing,
    });
  });

  const mia = { phone: given, email: null, first_name: 'Mia', last_name: null, language: 'nl', consent: 'opted_in' };
  const tom = { phone: given, email, first_name: 'Tom', last_name: 'Jansen', language: 'en' };

  test.each<[object, object]>([
    [{}, { ...mia, last_name: 'Jansen' }],
    [{ on_difference: 'replace' }, { ...mia, ...tom }],
  ])('whose number somebody else enters (%j) is %j', async (choice, after) => {
    await expect(upsert(mia, { ...tom, ...choice })).resolves.toMatchObject({ error: null, ...after });
  });

  test.each([
    ['First Name', { first_name: 'Tom' }, 'another one'],
    ['Language', { language: 'en' }, 'another one'],
    ['Email', { email }, 'none'],
  ])('stops the step if the form says so and %s differs', async (label, changes, has) => {
    const form = { phone: given, ...changes, on_difference: 'stop' };
    await expect(upsert(mia, form)).resolves.toMatchObject({
      error: `HaltedError: ${label}: the contact has ${has}, so nothing was changed. Check which one is right, then use Update Contact.`,
      ...mia,
    });
    const same = { phone: given, first_name: 'MIA', last_name: 'Jansen', language: 'NL', on_difference: 'stop' };
    await expect(upsert(mia, same)).resolves.toMatchObject({ error: null, ...mia, last_name: 'Jansen' });
  });

  test('says what it kept, and asks for no change when there is none', async () => {
    serve([{ id, ...mia, consent: 'opted_out' }], documented);
    const inputData = { ...tom, last_name: '', consent: 'opted_in' };
    await expect(create(inputData)).resolves.toMatchObject({
      ...mia,
      consent: 'opted_out',
      kept: 'Email, First Name, Language, Consent',
    });
    nock.cleanAll();
    await expect(upsert(mia, { ...mia, consent: '' })).resolves.toMatchObject({
      called: ['createContact', 'listContacts'],
    });
  });

  test.each([{ phone: given }, { email }])('with %j alone, no other one differs', async (contact) => {
    const inputData = { ...contact, on_difference: 'stop', first_name: 'Noor' };
    await expect(upsert({ phone: other, email: otherEmail, ...contact }, inputData)).resolves.toMatchObject({
      error: null,
      first_name: 'Noor',
    });
  });

  test('a phone number and an email of two people change neither of them', async () => {
    const contacts = [
      { id: 'con_1', phone: given, email: otherEmail },
      { id: 'con_2', phone: null, email },
    ];
    const before = structuredClone(contacts);
    for (const on_difference of ['keep', 'replace', 'stop']) {
      await expect(run(contacts, { ...both, on_difference })).resolves.toMatchObject({
        error:
          'HaltedError: Phone Number and Email belong to different contacts, so nothing was changed. Correct one of them, or leave it empty.',
      });
      expect(contacts).toEqual(before);
    }
  });

  /** Finds nobody in the list, and reads the contact by its ID. */
  const readById = (contact: object) => {
    expectCall('getContact', { id }).reply(200, { id, ...contact });
    return [];
  };

  test.each<[string, () => object[]]>([
    ['ID', () => readById({ id: 'con_8', phone: given, email })],
    ['ID in the list', () => [{ id: 'con_8', phone: given, email }]],
    ['phone number and email', () => readById({ phone: other, email: 'b@example.com' })],
    ['ID of the messaging app in place of the number', () => readById({ phone: 'US.12025550123', email: null })],
  ])('a record with another %s changes nothing', async (_what, listed) => {
    const data = listed();
    expectCall('createContact').reply(409, { error: { code: 'contact_exists', message: 'Exists', existing_id: id } });
    expectCall('listContacts', { query: { phone: given, limit: 100 } }).reply(200, { data });
    expectCall('listContacts', { query: { email, limit: 100 } }).reply(200, { data });
    await expect(create({ ...both, consent: 'opted_in', on_difference: 'replace' })).rejects.toThrow(
      'says that this contact exists, but returned another one, so nothing was changed.',
    );
  });

  test('a contact that was deleted in the meantime is looked up by its phone number', async () => {
    expectCall('createContact').reply(409, {
      error: { code: 'contact_exists', message: 'Exists', existing_id: 'con_1' },
    });
    expectCall('getContact', { id: 'con_1' }).reply(404, { error: { code: 'not_found', message: 'Gone' } });
    expectCall('listContacts', { query: { phone: given, limit: 100 } }).reply(200, { data: [] });
    await expect(create({ phone: given })).rejects.toThrow(
      'Another contact (con_1) already has this phone number or email, so no contact was created.',
    );
  });

  test.each([
    ['Phone Number', { phone: given }, { phone: given }],
    ['Email', both, both],
  ])(
    'several contacts with the %s of %j stop the step, whether or not the service names one',
    async (label, form, first) => {
      const contacts = [
        { id: 'con_1', ...first },
        { id: 'con_2', ...form, ...('email' in form && { phone: null }) },
      ];
      const before = structuredClone(contacts);
      for (const namesId of [true, false]) {
        await expect(
          run(contacts, { ...form, first_name: 'Sanne' }, { ...documented, namesId }),
        ).resolves.toMatchObject({
          error: `HaltedError: ${label}: several contacts match equally well, so the step can't tell which one you mean. In the messaging service, keep this value on one contact only.`,
        });
        expect(contacts).toEqual(before);
      }
    },
  );

  test('a named contact that the lists lack still is the one, because a list may lag behind', async () => {
    expectCall('createContact').reply(409, { error: { code: 'contact_exists', message: 'Exists', existing_id: id } });
    expectCall('listContacts', { query: { email, limit: 100 } }).reply(200, { data: [] });
    expectCall('getContact', { id }).reply(200, { id, email });
    expectCall('updateContact', { id }).reply(200, { id, email });
    await expect(create({ email, first_name: 'Sanne' })).resolves.toMatchObject({ id });
  });

  test('a refusal for another reason of the contract looks nobody up, although it names a contact', async () => {
    const refusal = { status: 422, code: 'validation_failed', namesId: true };
    await expect(upsert(both, both, refusal)).resolves.toMatchObject({
      error:
        "HaltedError: The messaging service didn't accept the input. Exists. Correct the fields of this step and try again.",
      called: ['createContact'],
    });
  });

  test('a refusal of the tags to add to an existing contact names the field Tags', async () => {
    const exists = { error: { code: 'contact_exists', message: 'Exists', existing_id: id } };
    const refused = { error: { code: 'validation_failed', message: 'No', field: 'add_tags' } };
    expectCall('createContact').reply(409, exists);
    expectCall('listContacts').reply(200, { data: [{ id, email }] });
    expectCall('updateContact', { id }).reply(422, refused);
    await expect(create({ email, tags: 'vip' })).rejects.toThrow('Tags: No.');
  });
});

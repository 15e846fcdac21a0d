/** What steps write of contacts, and what they change of one that exists. Anyone can enter someone else's number or email. */

import fc from 'fast-check';
import nock from 'nock';
import { exampleConnection } from '../../src/api/connection';
import { encode } from '../../src/api/encode';
import { endpoints } from '../../src/api/endpoints';
import { contact } from '../../src/api/resources';
import type { EndpointName } from '../../src/api/transport';
import { readEmail } from '../../src/contact/form';
import { expectHalt } from '../support/halt';
import { authData, expectCall, toResponse } from '../support/service';
import { reachable } from '../support/triggered';
import { runStep } from '../support/zapier';

const run = (key: string, inputData: Record<string, unknown>) =>
  runStep(`creates.${key}.operation.perform`, { authData: { ...authData, default_country: 'US' }, inputData });

const person = {
  phone: '(202) 555-0123',
  email: ' noor@example.com ',
  first_name: 'Noor',
  last_name: 'Visser',
  language: 'nl',
  consent: 'Opted in',
  attributes: { customer_number: 10482, note: '' },
};
const written = {
  phone: '+12025550123',
  email: 'noor@example.com',
  first_name: 'Noor',
  last_name: 'Visser',
  language: 'nl',
  consent: 'opted_in',
  attributes: { customer_number: '10482' },
};

describe('create_contact', () => {
  const create = (inputData: Record<string, unknown>) => run('create_contact', inputData);
  const expectBody = (body: object) => expectCall('createContact', { body }).reply(201, contact.sample);

  test('takes custom details as JSON text, as an AI agent may give them', async () => {
    expectBody({ phone: '+12025550123', attributes: { city: 'Utrecht', floor: '3' } });
    const attributes = '{"city": "Utrecht", "floor": 3}';
    await expect(create({ phone: '+12025550123', attributes })).resolves.toHaveProperty('id');
  });

  test('writes every field, the number in E.164, in one request', async () => {
    expectBody({ ...written, tags: ['vip', 'new'] });
    await expect(create({ ...person, tags: ['vip', 'new'] })).resolves.toEqual(reachable(contact.sample));
  });

  test.each([[['vip', 'new']], ['vip,new'], ['vip;new'], ['["vip", "new"]']])('takes the tags %j', async (tags) => {
    expectBody({ phone: '+12025550123', tags: ['vip', 'new'] });
    await expect(create({ phone: '+12025550123', tags })).resolves.toHaveProperty('id');
  });

  test.each([
    ['NL', 'nl'],
    ['pt_br', 'pt-BR'],
    ['en-US', 'en-US'],
    ['Dutch', 'Dutch'],
  ])('takes the language %s as %s', async (language, code) => {
    expectBody({ email: 'a@example.com', language: code });
    await expect(create({ email: 'a@example.com', language })).resolves.toHaveProperty('id');
  });

  test.each([
    'Noor Visser <noor@example.com>',
    "'Noor@example.com' <noor@example.com>",
    'Noor Visser (noor@example.com) <noor@example.com>',
    '"Noor @ Acme" <noor@example.com>',
  ])('accepts an email copied from a mail program, with the name in front: %s', async (email) => {
    expectBody({ email: 'noor@example.com' });
    await expect(create({ email })).resolves.toHaveProperty('id');
  });

  test.each([
    'Sam <sam@example.com>, Noor <noor@example.com>',
    "noor@example.com <o'noor@example.com>",
    'sam@example.com, noor@example.com',
    ['Sam <sam@example.com>', 'Noor <noor@example.com>'],
  ])('takes none of several emails: %j', async (email) => {
    await expectHalt(
      create({ email }),
      'Email: enter only one email address. For several people, add a Looping by Zapier step before this one.',
    );
  });

  test('names the field first when the service refuses a value', async () => {
    const details = [{ field: 'language', message: 'must be a language code such as nl' }];
    expectCall('createContact').reply(422, { error: { code: 'validation_failed', message: 'No.', details } });
    await expect(create({ email: 'a@example.com', language: 'Dutch' })).rejects.toThrow(
      /^Language must be a language code such as nl\. Correct/,
    );
  });

  test('writes nothing that is blank', async () => {
    expectBody({ email: 'a@example.com' });
    const blank = { phone: ' ', first_name: '', last_name: null, tags: [], attributes: {}, consent: undefined };
    await expect(create({ email: 'a@example.com', ...blank })).resolves.toHaveProperty('id');
  });

  test.each<[Record<string, unknown>, string]>([
    [{ first_name: 'Noor' }, 'Phone Number and Email are both empty.'],
    [
      { first_name: '{{first_name}}' },
      `First Name: "{{first_name}}" is a placeholder, not a value, so this step did nothing.`,
    ],
    [{ phone: '123' }, 'Phone Number: "123" isn\'t a phone number in the Default Country'],
    [{ email: 'nope' }, 'Email: "nope" isn\'t an email address.'],
    [{ email: 'x'.repeat(200) }, `Email: "${'x'.repeat(40)}" isn't an email address.`],
    [{ language: '#N/A' }, 'Language: "#N/A" is a placeholder, not a value, so this step did nothing.'],
    [{ tags: ['vip', '#REF!'] }, 'Tags: "#REF!" is a placeholder, not a value, so this step did nothing.'],
    [
      { attributes: { City: '*|CITY|*' } },
      'Custom Details: "*|CITY|*" is a placeholder, not a value, so this step did nothing.',
    ],
    [
      { consent: 'perhaps' },
      'Consent: "perhaps" isn\'t one of the choices. Choose one of these: Opted in; Opted out; Unknown.',
    ],
    [
      { consent: true },
      'Consent: "true" isn\'t one of the choices. Map it with a Formatter lookup table to one of these:',
    ],
    [{ first_name: '[{"name":"Noor"}]' }, 'First Name: this is a group of values in JSON, so this step did nothing.'],
    [{ attributes: { '{{name}}': 'x' } }, 'Custom Details: "{{name}}" is a placeholder'],
    ...['O&#39;Brien', 'Tom &amp; Co', 'Milo&scaron; S&oslash;', '<p>Ring <b>twice</b></p>', '<o:p>x</o:p>'].flatMap(
      (html): [Record<string, unknown>, string][] => [
        [{ first_name: html }, 'First Name: this value has HTML code, which people would see'],
        [{ last_name: html }, 'Last Name: this value has HTML code'],
        [{ attributes: { City: html } }, 'Custom Details: this value has HTML code'],
        [{ tags: [html] }, 'Tags: this value has HTML code'],
      ],
    ),
  ])('with %j makes no request and says which field', async (inputData, words) => {
    await expectHalt(create(inputData), expect.stringContaining(words));
  });

  test.each([
    ['a\tb\u0000\n  c', 'a b c'],
    ['\u202eNoor\u200b', 'Noor'],
    ['AT&T', 'AT&T'],
    ['R&D; Lab', 'R&D; Lab'],
    ['<3', '<3'],
    ['عزت\u200cالله', 'عزت\u200cالله'],
    ['👩\u200d🚀', '👩\u200d🚀'],
    ['❤\ufe0f', '❤\ufe0f'],
  ])('writes %j as %j wherever it stands', async (text, plain) => {
    const tag = plain.replaceAll(';', '');
    const named = { first_name: plain, last_name: plain, attributes: { [plain]: plain } };
    expectBody({ email: 'a@example.com', ...named, tags: [tag] });
    const given = {
      first_name: text,
      last_name: text,
      attributes: { [text]: text },
      tags: [text.replace(/[;\n]/g, '')],
    };
    await expect(create({ email: 'a@example.com', ...given })).resolves.toHaveProperty('id');
    const both = { add_tags: [tag], remove_tags: [tag] };
    expectCall('updateContact', { id: 'con_7', body: { ...named, ...both } }).reply(200, contact.sample);
    const { tags, ...changes } = given;
    const input = { contact: 'con_7', ...changes, add_tags: tags, remove_tags: tags };
    await expect(run('update_contact', input)).resolves.toHaveProperty('id');
  });

  test('an email address in whatever programs put around it is that address, or none', () => {
    const around = fc.constantFrom(
      ['', ''],
      ['mailto:', ''],
      ['mailto:', '?subject=Hi'],
      ['<', '>'],
      ['"', '"'],
      ['“', '”'],
      ['(', ')'],
      ['Noor <', '>'],
      ['\u200b', '\ufeff'],
      [' ', ';'],
      ['<mailto:', '>'],
      ...['``', '**', '__', '{}', '‹›', '「」'].map((pair) => [pair.slice(0, 1), pair.slice(1)]),
      ...['/', '!', '%20', '#x'].map((end) => ['', end]),
      ['=', ''],
      ['mailto://', ''],
      ['mailto:%20', ''],
      ['\u2800', '\u3164'],
    );
    const address = fc.emailAddress().filter((each) => /^[\w.+-]+@[\w.-]+$/.test(each));
    fc.assert(
      fc.property(address, fc.array(around, { maxLength: 2 }), (email, wraps) => {
        const text = wraps.reduce((inside, [start, end]) => `${start}${inside}${end}`, email);
        const read = () => {
          try {
            return readEmail(text);
          } catch (error) {
            return String(error);
          }
        };
        expect([email, expect.stringContaining('HaltedError: Email: ')]).toContainEqual(read());
      }),
    );
  });

  test('that exists already halts with the contact that is there', async () => {
    const error = { code: 'contact_exists', message: 'Exists', existing_id: 'con_7' };
    expectCall('createContact').reply(409, { error });
    await expectHalt(
      create({ phone: '+12025550123' }),
      expect.stringContaining('Another contact (con_7) already has this phone number or email'),
    );
  });
});

describe('create_or_update_contact', () => {
  const upsert = (inputData: Record<string, unknown>) => run('create_or_update_contact', inputData);
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

  test('updates a contact with this phone number and email, keeping its tags, in four requests', async () => {
    expectCall('createContact').reply(409, existsBy('phone'));
    answerExisting();
    answerExisting();
    const { consent, attributes } = written;
    const body = { consent, attributes, add_tags: ['vip'] };
    expectCall('updateContact', { id: 'con_7', body }).reply(200, contact.sample);
    await expect(upsert({ ...person, tags: 'vip' })).resolves.toEqual({ ...reachable(contact.sample), kept: null });
  });

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

describe('update_contact', () => {
  const update = (inputData: Record<string, unknown>) => run('update_contact', { contact: 'con_1', ...inputData });

  test('writes the fields that are filled in and no others', async () => {
    expectCall('updateContact', { id: 'con_1', body: { first_name: 'Noor' } }).reply(200, contact.sample);
    await expect(update({ first_name: 'Noor', last_name: '', phone: null })).resolves.toEqual(
      reachable(contact.sample),
    );
  });

  test('says nothing of a phone number when the service answers with nothing', async () => {
    expectCall('updateContact', { id: 'con_1', body: { first_name: 'Noor' } }).reply(204);
    await expect(update({ first_name: 'Noor' })).resolves.toEqual({
      id: 'con_1',
      first_name: 'Noor',
      has_phone_number: null,
    });
  });

  test('writes every field, and tags to add and to remove', async () => {
    expectCall('updateContact', {
      id: 'con_1',
      body: { ...written, add_tags: ['vip'], remove_tags: ['new', 'old'] },
    }).reply(200, contact.sample);
    await expect(update({ ...person, add_tags: 'vip', remove_tags: 'new, old' })).resolves.toHaveProperty('id');
  });

  test('empties the fields that the form names, and keeps those that are empty in the form', async () => {
    expectCall('updateContact', { id: 'con_1', body: { first_name: 'Noor', email: null, phone: null } }).reply(
      200,
      contact.sample,
    );
    const clear = 'Email, phone';
    await expect(update({ first_name: 'Noor', email: '', last_name: '', clear })).resolves.toHaveProperty('id');
  });

  test("doesn't empty a field that also has a new value", async () => {
    await expect(update({ email: 'noor@example.com', clear: ['first_name', 'email'] })).rejects.toThrow(
      'Fields to Empty: Email also has a new value in this form. Remove it from one of the two.',
    );
  });

  test.each([
    ['add_tags', 'Tags to Add'],
    ['remove_tags', 'Tags to Remove'],
  ])('splits no HTML in %s, which would be other tags', async (key, label) => {
    await expectHalt(update({ [key]: 'R&amp;D' }), expect.stringContaining(`${label}: this value has HTML code`));
  });

  test.each([{}, { first_name: ' ', add_tags: [], attributes: {}, clear: [] }])(
    'with nothing to change makes no request: %j',
    async (nothing) => {
      await expect(update(nothing)).rejects.toThrow(
        'There is nothing to change. Fill in at least one field besides Contact.',
      );
    },
  );
});

describe('delete_contact', () => {
  test('deletes the contact in one request', async () => {
    expectCall('deleteContact', { id: 'con_1' }).reply(204);
    await expect(run('delete_contact', { contact: ' con_1 ' })).resolves.toEqual({ id: 'con_1', deleted: true });
  });

  test.each(['', '{}', '{"deleted": true}'])('takes %j for a success', async (body) => {
    expectCall('deleteContact', { id: 'con_1' }).reply(200, body);
    await expect(run('delete_contact', { contact: 'con_1' })).resolves.toHaveProperty('deleted', true);
  });

  test.each(['<html>Sign in</html>', '{"error": "no"}'])("doesn't take %j for a success", async (body) => {
    expectCall('deleteContact', { id: 'con_1' }).reply(200, body);
    await expect(run('delete_contact', { contact: 'con_1' })).rejects.toThrow('check before you try again');
  });

  test('without a contact makes no request', async () => {
    await expect(run('delete_contact', { contact: '' })).rejects.toThrow('Contact is empty.');
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
    const error = await runStep('creates.create_or_update_contact.operation.perform', {
      authData,
      inputData: { ...inputData },
    }).then(
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
    [{ on_difference: 'keep' }, { ...mia, last_name: 'Jansen' }],
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
    await expect(
      runStep('creates.create_or_update_contact.operation.perform', { authData, inputData }),
    ).resolves.toMatchObject({ ...mia, consent: 'opted_out', kept: 'Email, First Name, Language, Consent' });
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
    await expect(
      runStep('creates.create_or_update_contact.operation.perform', {
        authData,
        inputData: { ...both, consent: 'opted_in', on_difference: 'replace' },
      }),
    ).rejects.toThrow('says that this contact exists, but returned another one, so nothing was changed.');
  });

  test.each<[object, object, EndpointName[]]>([
    [both, both, ['listContacts', 'listContacts']],
    [both, { phone: given }, ['listContacts']],
    [{ phone: given, email: otherEmail }, { phone: given }, ['listContacts']],
    [{ phone: given, email: otherEmail }, both, ['listContacts', 'listContacts']],
  ])('of %j, the step with %j reads no more than it needs: %j', async (existing, inputData, reads) => {
    const called = ['createContact', ...reads, 'updateContact'];
    await expect(upsert(existing, { ...inputData, tags: 'vip' })).resolves.toMatchObject({ error: null, called });
  });

  test('a contact that was deleted in the meantime is looked up by its phone number', async () => {
    expectCall('createContact').reply(409, {
      error: { code: 'contact_exists', message: 'Exists', existing_id: 'con_1' },
    });
    expectCall('getContact', { id: 'con_1' }).reply(404, { error: { code: 'not_found', message: 'Gone' } });
    expectCall('listContacts', { query: { phone: given, limit: 100 } }).reply(200, { data: [] });
    await expect(
      runStep('creates.create_or_update_contact.operation.perform', { authData, inputData: { phone: given } }),
    ).rejects.toThrow('Another contact (con_1) already has this phone number or email, so no contact was created.');
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
    await expect(
      runStep('creates.create_or_update_contact.operation.perform', {
        authData,
        inputData: { email, first_name: 'Sanne' },
      }),
    ).resolves.toMatchObject({ id });
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
    await expect(
      runStep('creates.create_or_update_contact.operation.perform', { authData, inputData: { email, tags: 'vip' } }),
    ).rejects.toThrow('Tags: No.');
  });
});

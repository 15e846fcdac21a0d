import fc from 'fast-check';
import nock from 'nock';
import { contact } from '../../src/api/resources';
import { authData, expectCall, recordCalls } from '../support/service';
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
    await expect(create({ email })).rejects.toMatchObject({
      name: 'HaltedError',
      message: 'Email: enter only one email address. For several people, add a Looping by Zapier step before this one.',
    });
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
    [{ email: 'a@example.com', consent: 'perhaps' }, 'Consent: "perhaps" isn\'t one of the choices.'],
  ])('with %j makes no request and says which field', async (inputData, words) => {
    await expect(create(inputData)).rejects.toMatchObject({
      name: 'HaltedError',
      message: expect.stringContaining(words),
    });
  });

  test('with an email address in whatever programs put around it sends that address, or nothing', async () => {
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
    await fc.assert(
      fc.asyncProperty(address, fc.array(around, { maxLength: 2 }), async (email, wraps) => {
        const text = wraps.reduce((inside, [start, end]) => `${start}${inside}${end}`, email);
        const sent = recordCalls('createContact', {}, 201, contact.sample);
        const outcome = await create({ email: text }).catch((error: Error) => error);
        if (sent.length > 0) expect(sent).toMatchObject([{ body: { email } }]);
        else expect(outcome).toMatchObject({ message: expect.stringContaining('Email: ') });
        nock.cleanAll();
      }),
    );
  });

  test('that exists already halts with the contact that is there', async () => {
    const error = { code: 'contact_exists', message: 'Exists', existing_id: 'con_7' };
    expectCall('createContact').reply(409, { error });
    await expect(create({ phone: '+12025550123' })).rejects.toMatchObject({
      name: 'HaltedError',
      message: expect.stringContaining('Another contact (con_7) already has this phone number or email'),
    });
  });
});

describe('create_or_update_contact', () => {
  const upsert = (inputData: Record<string, unknown>) => run('create_or_update_contact', inputData);
  const existsBy = (field?: string, existing_id: unknown = 'con_7') => ({
    error: { code: 'contact_exists', message: 'Exists', existing_id, field },
  });

  test('creates a contact that is new, in one request', async () => {
    expectCall('createContact', { body: { ...written, tags: ['vip'] } }).reply(201, contact.sample);
    await expect(upsert({ ...person, tags: 'vip' })).resolves.toEqual(reachable(contact.sample));
  });

  /** The contact that the service has, with the person's phone number and email unless told otherwise. */
  const answerExisting = (changes: object = {}, id = 'con_7') =>
    expectCall('listContacts').reply(200, { data: [{ ...contact.sample, ...written, id, ...changes }] });

  test('updates a contact with this phone number and email, keeping its tags, in four requests', async () => {
    expectCall('createContact').reply(409, existsBy('phone'));
    answerExisting();
    answerExisting();
    expectCall('updateContact', { id: 'con_7', body: { ...written, add_tags: ['vip'] } }).reply(200, contact.sample);
    await expect(upsert({ ...person, tags: 'vip' })).resolves.toEqual(reachable(contact.sample));
  });

  test('halts when the service neither says which contact exists nor lists it', async () => {
    expectCall('createContact').reply(409, { error: { code: 'contact_exists', message: 'Exists' } });
    expectCall('listContacts', { query: { phone: '+12025550123', limit: 100 } }).reply(200, { data: [] });
    await expect(upsert({ phone: '+12025550123' })).rejects.toMatchObject({
      name: 'HaltedError',
      message:
        'Another contact already has this phone number or email, so no contact was created. To change the existing one, use Update Contact.',
    });
  });

  test('halts when another contact has what is to be changed, and says that nothing was changed', async () => {
    expectCall('createContact').reply(409, existsBy());
    // The other contact is newer than the list.
    answerExisting({ email: null });
    answerExisting({ email: null });
    expectCall('updateContact', { id: 'con_7', body: written }).reply(409, existsBy(undefined, 'con_8'));
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

  test('writes every field, and tags to add and to remove', async () => {
    expectCall('updateContact', {
      id: 'con_1',
      body: { ...written, add_tags: ['vip'], remove_tags: ['new', 'old'] },
    }).reply(200, contact.sample);
    await expect(update({ ...person, add_tags: 'vip', remove_tags: 'new, old' })).resolves.toHaveProperty('id');
  });

  test.each([{}, { first_name: ' ', add_tags: [], attributes: {} }])(
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

  test.each(['<html>Sign in</html>', '{"error": "no"}', '{"success": false}', '{"deleted": false}'])(
    "doesn't take %j for a success",
    async (body) => {
      expectCall('deleteContact', { id: 'con_1' }).reply(200, body);
      await expect(run('delete_contact', { contact: 'con_1' })).rejects.toThrow('check before you try again');
    },
  );

  test('without a contact makes no request', async () => {
    await expect(run('delete_contact', { contact: '' })).rejects.toThrow('Contact is empty.');
  });
});

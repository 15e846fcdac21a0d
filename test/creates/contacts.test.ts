/** What steps write of contacts, and how they read what people enter. */

import fc from 'fast-check';
import { contact } from '../../src/api/resources';
import { readEmail } from '../../src/contact/form';
import { expectHalt } from '../support/halt';
import { person, written } from '../support/person';
import { authData, expectCall } from '../support/service';
import { reachable } from '../support/triggered';
import { runStep } from '../support/zapier';

const run = (key: string, inputData: Record<string, unknown>) =>
  runStep(`creates.${key}.operation.perform`, { authData: { ...authData, default_country: 'US' }, inputData });

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
    ...['O&#39;Brien', 'Milo&scaron; S&oslash;', '<p>Ring <b>twice</b></p>', '<o:p>x</o:p>'].map(
      (first_name): [Record<string, unknown>, string] => [
        { first_name },
        'First Name: this value has HTML code, which people would see',
      ],
    ),
    [{ last_name: 'Tom &amp; Co' }, 'Last Name: this value has HTML code'],
    [{ attributes: { City: 'Tom &amp; Co' } }, 'Custom Details: this value has HTML code'],
    [{ tags: ['Tom &amp; Co'] }, 'Tags: this value has HTML code'],
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

  test.each(['', '{"deleted": true}'])('takes %j for a success', async (body) => {
    expectCall('deleteContact', { id: 'con_1' }).reply(200, body);
    await expect(run('delete_contact', { contact: 'con_1' })).resolves.toHaveProperty('deleted', true);
  });

  test.each(['<html>Sign in</html>', '{"error": "no"}'])("doesn't take %j for a success", async (body) => {
    expectCall('deleteContact', { id: 'con_1' }).reply(200, body);
    await expect(run('delete_contact', { contact: 'con_1' })).rejects.toThrow('check before you try again');
  });
});

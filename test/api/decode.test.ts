/** What a step makes of a response that isn't as the contract says. */
import * as z from 'zod/mini';
import { decode } from '../../src/api/decode';
import { elementOf, innerOf } from '../../src/api/fields';
import * as resources from '../../src/api/resources';
import { authData, expectCall, toResponse } from '../support/service';
import { runStep } from '../support/zapier';

type Schema = z.core.$ZodType;
type Path = readonly string[];

const { contact, message } = resources;
const records = Object.values(resources).flatMap((each) => (typeof each === 'object' && 'sample' in each ? each : []));

/** Lists the fields of a record that may be absent, with those inside its objects. */
const optionalFields = (schema: Schema, path: Path = []): { path: Path; field: Schema }[] => {
  if (!(schema instanceof z.ZodMiniObject)) return [];
  return Object.entries(schema.def.shape).flatMap(([name, outer]) => {
    // Any value of this field is kept as text, because a step must not miss when its webhook ends.
    if (name === 'expires_at') return [];
    const field = innerOf(outer) ? unwrap(outer) : undefined;
    return field ? [{ path: [...path, name], field }, ...optionalFields(field, [...path, name])] : [];
  });
};

const unwrap = (schema: Schema): Schema => {
  const inner = innerOf(schema);
  return inner ? unwrap(inner) : schema;
};

/** Values of another type than the field has. */
const wrongValues = (field: Schema): unknown[] => {
  if (elementOf(field)) return ['x', 7, true, {}, { 0: 'x' }];
  if (field instanceof z.ZodMiniObject) return ['x', 7, false, [], ['x']];
  if (field instanceof z.ZodMiniNumber) return ['x', '', true, [], {}];
  return [[], {}, ['x'], { id: 'x' }];
};

/** Returns a copy with a value at a path. */
const put = (record: object, [name = '', ...rest]: Path, value: unknown): object => ({
  ...record,
  [name]: rest.length > 0 ? put(Object(Reflect.get(record, name)), rest, value) : value,
});

test.each(records)('a field of the wrong type in a $noun becomes null and changes no other', ({ schema, sample }) => {
  const full = { ...sample, ...('error' in sample && { error: { code: 'a', message: 'b' } }) };
  for (const { path, field } of optionalFields(schema)) {
    for (const value of wrongValues(field)) {
      expect({ path, value, ...decode(schema, put(full, path, value)) }).toMatchObject({
        path,
        value,
        success: true,
        data: put(full, path, null),
      });
    }
  }
});

test.each(records)(
  'a $noun whose fields are all of the wrong type still has what identifies it',
  ({ schema, sample }) => {
    const all = optionalFields(schema).filter(({ path }) => path.length === 1);
    const wrong = all.reduce<object>((record, { path, field }) => put(record, path, wrongValues(field)[0]), sample);
    const empty = all.reduce<object>((record, { path }) => put(record, path, null), sample);
    expect(decode(schema, wrong).data).toEqual(empty);
  },
);

const findContact = async (found: object): Promise<unknown> => {
  expectCall('listContacts').reply(200, { data: [{ ...contact.sample, ...found }] });
  return runStep('searches.find_contact.operation.perform', {
    authData,
    inputData: { email: 'noor.visser@example.com' },
  });
};

test('numbers and booleans among custom details and tags become text, and only what has no text is left out', async () => {
  const attributes = { floor: 3, ratio: 1.5, vip: true, note: 'x', none: null, list: [1], group: { a: 1 } };
  await expect(findContact({ attributes, tags: ['vip', 2026, false, null, ['x'], {}] })).resolves.toMatchObject([
    { attributes: { floor: '3', ratio: '1.5', vip: 'true', note: 'x' }, tags: ['vip', '2026', 'false'] },
  ]);
});

test('numbers and booleans among the variables of a message become text', async () => {
  const variables = { parcel_id: 20418, paid: false, at: null };
  expectCall('getMessage', { id: 'msg_1' }).reply(200, { ...message.sample, variables });
  const found = runStep('searches.find_message_status.operation.perform', {
    authData,
    inputData: { message: 'msg_1' },
  });
  await expect(found).resolves.toMatchObject([{ variables: { parcel_id: '20418', paid: 'false' } }]);
});

test('a number as text and a text as a number keep their value, but no time, phone number or word', () => {
  const { schema, sample } = resources.conversation;
  const given = { ...sample, assignee: 17, message_count: '4', status: 1, last_message_at: 1781171000 };
  expect(decode(schema, given).data).toMatchObject({
    ...{ assignee: '17', message_count: 4, status: null, last_message_at: null },
  });
});

test('custom details may have any name', async () => {
  const attributes = JSON.parse('{"constructor": 1, "toString": 2, "__proto__": 3, "": 4, "0": 5}');
  const [found] = z.array(z.looseObject({ attributes: z.looseObject({}) })).parse(await findContact({ attributes }));
  expect(found?.attributes).toEqual({ constructor: '1', toString: '2', '': '4', 0: '5' });
});

test('an error names the place of the required field, and no optional one before it', async () => {
  expectCall('listContacts').reply(200, { data: [{ last_name: [], first_name: 'Noor' }] });
  const search = runStep('searches.find_contact.operation.perform', { authData, inputData: { name: 'Noor' } });
  await expect(search).rejects.toThrow(/returned an unexpected response \(\\"data\.0\.id\\" is missing or invalid\)\./);
});

test('a record whose field became null passes no filter for it', async () => {
  const data = [
    { ...contact.sample, tags: 'vip' },
    { ...contact.sample, id: 'con_2', tags: [7, 'vip'] },
  ];
  expectCall('listContacts').reply(200, { data });
  const poll = runStep('triggers.new_contact.operation.perform', { authData, inputData: { tag: 'vip' } });
  await expect(poll).resolves.toMatchObject([{ id: 'con_2' }]);
});

test('a long id keeps all its digits, from a number in JSON to the path of the next request', async () => {
  const id = '9007199254740993';
  const json = toResponse({ data: [{ ...contact.sample, id: 'LONG' }], next_cursor: null });
  expectCall('listContacts').reply(200, json.replace('"LONG"', id));
  const inputData = { email: 'noor.visser@example.com' };
  const found = await runStep('searches.find_contact.operation.perform', { authData, inputData });
  expect(found).toMatchObject([{ id }]);
  expectCall('deleteContact', { id }).reply(204);
  await expect(
    runStep('creates.delete_contact.operation.perform', { authData, inputData: { contact: id } }),
  ).resolves.toMatchObject({ id });
});

test('a number that has lost its last digits is no id', () => {
  expect(decode(contact.schema, { id: Number.MAX_SAFE_INTEGER })).toMatchObject({ data: { id: '9007199254740991' } });
  expect(decode(contact.schema, { id: Number.MAX_SAFE_INTEGER + 1 })).toMatchObject({ success: false });
});

test("a refusal in the format of RFC 9457 stops a step with the service's own words", async () => {
  const problem = { type: 'https://example.com/problem', title: 'Invalid', detail: 'The email has no domain.' };
  expectCall('createContact').reply(422, JSON.stringify(problem), { 'content-type': 'application/problem+json' });
  const create = runStep('creates.create_contact.operation.perform', { authData, inputData: { email: 'noor@x.org' } });
  await expect(create).rejects.toThrow('The email has no domain. Correct the fields of this step and try again.');
});

/** Recordings of responses just as they are on the wire. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import * as z from 'zod/mini';
import { calls, endpoints, headers, list } from '../../../src/api/endpoints';
import { errorCodes, errorResponse } from '../../../src/api/errors';
import { delivery, events } from '../../../src/api/events';
import { elementOf, innerOf } from '../../../src/api/fields';
import { deliveryHeaders } from '../../../src/api/presets';
import { contact, vocabulary } from '../../../src/api/resources';
import type { Received } from '../receiver';
import { mask } from '../recording/mask';
import { saveRecordings } from '../recording/save';
import { responseOf } from './client';

test('a mask keeps the form of every text, and the names, words and times of the contract', () => {
  const sent = {
    data: [
      {
        ...contact.sample,
        url: 'https://app.example.com/contacts/con_7Hq2Zr',
        attributes: { customer_number: '10482', phone: '+12025550123' },
        birth: 19900101,
        'noor@example.com': ['Ünal 7'],
      },
    ],
    next_cursor: 'aB3=',
  };
  expect(mask(list(contact.schema), sent)).toEqual({
    data: [
      {
        id: 'xxx_0Xx0Xx',
        phone: '+00000000000',
        username: 'xxxx.xxxxxx',
        email: 'xxxx.xxxxxx@xxxxxxx.xxx',
        first_name: 'Xxxx',
        last_name: 'Xxxxxx',
        language: 'xx',
        tags: ['xxxxxx-xxxxxxxx'],
        attributes: { xxxxxxxx_xxxxxx: '00000', xxxxx: '+00000000000' },
        consent: 'opted_in',
        consent_changed_at: '2026-03-02T08:15:00Z',
        url: 'xxxxx://xxx.xxxxxxx.xxx/xxxxxxxx/xxx_0Xx0Xx',
        created_at: '2026-03-02T08:15:00Z',
        updated_at: '2026-06-11T09:40:12Z',
        xxxxx: 0,
        'xxxx@xxxxxxx.xxx': ['Xxxx 0'],
      },
    ],
    next_cursor: 'xX0=',
  });
});

test('a mask keeps a word only where the contract has it, and a time only as a time', () => {
  const [time, masked] = ['2026-03-02T08:15:00Z', '0000-00-00X00:00:00X'];
  const person = { first_name: 'read', consent: 'noor', tags: ['opted_in'], created_at: '1990-04-12', note: time };
  expect(mask(contact.schema, person)).toEqual({
    ...{ first_name: 'xxxx', consent: 'xxxx', tags: ['xxxxx_xx'] },
    ...{ created_at: '0000-00-00', xxxx: masked },
  });
});

test('a mask keeps names apart that differ only by a number, however many, and three items of each list', () => {
  expect(mask(undefined, { '1': 'a', '2': 'b', '3': 'c' })).toEqual({ '0': 'x', '0_2': 'x', '0_3': 'x' });
  const names = Array.from({ length: 50_000 }, (_, index) => String(10_000 + index));
  const masked = mask(undefined, Object.fromEntries(names.map((name) => [name, 1])));
  expect(Object.keys(Object(masked))).toHaveLength(50_000);
  expect(mask(undefined, { rows: [[1, 2, 3, 4], [], [], []] })).toEqual({ xxxx: [[0, 0, 0], [], []] });
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'recording-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a list stays a list when the service returns it bare', () => {
  saveRecordings(folder, [responseOf(endpoints.listContacts, Array(4).fill(contact.sample))], []);
  const recording = JSON.parse(readFileSync(join(folder, 'responses/listContacts.json'), 'utf8'));
  expect(recording).toMatchObject({ body: Array(3).fill({ phone: '+00000000000' }) });
});

test('recordings replace those of the run before, and no other file', () => {
  const refused = responseOf(endpoints.getContact, {}, { status: 404 });
  saveRecordings(folder, [responseOf(endpoints.listContacts, {}), refused], []);
  writeFileSync(join(folder, 'responses/notes.txt'), 'Mine');
  writeFileSync(join(folder, 'own.json'), '{}');
  saveRecordings(folder, [responseOf(endpoints.getWorkspace, {})], []);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.\w+$/.test(file));
  const kept = ['getWorkspace.json', 'notes.txt'].map((name) => join('responses', name));
  expect(files.toSorted()).toEqual(['own.json', ...kept]);
});

test.each([
  ['responses/listContacts.json', '{"endpoint":"getContact","status":200,"headers":{}}'],
  ['refusals/listContacts-404.json', 'No JSON'],
  ['deliveries/message.sent.json', '{"headers":{},"body":{},"mine":true}'],
])('recordings leave a folder alone that has a file %s of someone else', (file, content) => {
  saveRecordings(folder, [responseOf(endpoints.getWorkspace, {})], []);
  writeFileSync(join(folder, file), content);
  const save = () => saveRecordings(folder, [responseOf(endpoints.listContacts, {})], []);
  expect(save).toThrow(`--record: ${join(folder, file)} isn't a recording of conformance. Choose another folder.`);
  expect(readFileSync(join(folder, file), 'utf8')).toBe(content);
  expect(readdirSync(join(folder, 'responses'))).toContain('getWorkspace.json');
});

describe('nothing of a customer is in a recording', () => {
  /** The texts of customers that the recordings are made of. */
  let personal: string[] = [];

  const name = fc.constantFrom('Noor', 'Ünal', "O'Brien", 'Smith-Jones', '李小龙', 'אורי', 'Parcel GmbH');
  const text = fc
    .oneof(
      name,
      fc.integer({ min: 111_111_111, max: 999_999_999 }).map((digits) => `+31${digits}`),
      fc.string({ unit: 'grapheme', maxLength: 30 }),
      name.map((each) => each.toUpperCase()),
      name.map((each) => `${each}_visser`.toLowerCase()),
      name.map((each) => `${each} lives at 4 High Street; call after 5 :-) ***`),
      name.map((each) => `${each}.visser@example.com`),
      name.map((each) => `https://crm.acme.example/people/${encodeURIComponent(each)}?vip=yes`),
      name.map((each) => `Dear ${each}, your {{parcel}} is here`),
      name.map((each) => JSON.stringify({ name: each })),
      fc.constantFrom('1911-04-12', '1999-12-31'),
    )
    .map((each) => {
      // A mask consists of these three, so that a text with them would look as if it was kept.
      const written = each.replaceAll(/[xX0]/g, '7');
      personal.push(written);
      return written;
    });

  const anything = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 3 }, text, fc.integer({ min: 1 }), tie('list'), tie('record')),
    list: fc.array(tie('value'), { maxLength: 3 }),
    record: fc.dictionary(text, tie('value'), { maxKeys: 3 }),
  })).value;

  /** Anything that a service could send for a schema: its form, with texts of customers wherever there is a text. */
  const valueFor = (schema: z.core.$ZodType): fc.Arbitrary<unknown> => {
    const inner = innerOf(schema);
    if (inner) return fc.oneof({ weight: 4, arbitrary: valueFor(inner) }, fc.constant(null));
    const element = elementOf(schema);
    if (element) return fc.array(valueFor(element), { minLength: 1, maxLength: 3 });
    if (schema instanceof z.ZodMiniNumber) return fc.integer({ min: 1 });
    if (schema instanceof z.ZodMiniBoolean) return fc.boolean();
    if (!(schema instanceof z.ZodMiniObject)) return fc.oneof({ weight: 5, arbitrary: text }, anything);
    const fields = Object.entries(schema.def.shape).map(([key, field]) => [key, valueFor(field)]);
    const declared = fc.record<Record<string, unknown>>(Object.fromEntries(fields));
    return fc
      .tuple(fc.dictionary(text, anything, { maxKeys: 3 }), declared)
      .map(([more, own]) => ({ ...more, ...own }));
  };

  const headersFor = (known: object) =>
    text.map((each) => Object.values(known).map((key): [string, string] => [key, encodeURIComponent(each)]));

  const response = fc.constantFrom(...calls).chain(([, endpoint]) =>
    fc
      .record({
        body: fc.oneof(valueFor(endpoint.response), valueFor(errorResponse), anything),
        got: headersFor(headers),
        status: fc.constantFrom(endpoint.status, 404, 422),
      })
      .map(({ body, got, status }) => responseOf(endpoint, body, { status, headers: new Headers(got) })),
  );
  const received = fc.constantFrom(...Object.entries(events)).chain(([type, { schema }]) =>
    fc.tuple(valueFor(delivery), valueFor(schema), headersFor(deliveryHeaders)).map(([around, data, got]): Received => {
      const content = JSON.stringify({ ...Object(around), id: 'evt_1', type, data });
      return { path: '/hooks', headers: Object.fromEntries(got), content };
    }),
  );

  const namesIn = (schema: z.core.$ZodType): string[] => {
    const inside = innerOf(schema) ?? elementOf(schema);
    if (inside) return namesIn(inside);
    const fields = schema instanceof z.ZodMiniObject ? Object.entries(schema.def.shape) : [];
    return fields.flatMap(([key, field]) => [key, ...namesIn(field)]);
  };
  const schemas = [...calls.map(([, each]) => each.response), ...Object.values(events).map((each) => each.schema)];
  const known = new Set([
    ...[...schemas, errorResponse, delivery].flatMap(namesIn),
    ...Object.values(vocabulary).flat(),
    ...Object.keys(errorCodes),
    ...calls.map(([call]) => call),
    ...[...Object.values(headers), ...Object.values(deliveryHeaders)],
    ...['endpoint', 'status', 'headers', 'body'],
  ]);

  /** Every name and text in a recording that isn't one of the contract. */
  const unknownTexts = (value: unknown): string[] => {
    if (typeof value === 'string') return known.has(value) ? [] : [value];
    if (Array.isArray(value)) return value.flatMap(unknownTexts);
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([key, item]) => [...unknownTexts(key), ...unknownTexts(item)]);
  };

  const numbersIn = (value: unknown): number[] => {
    if (typeof value === 'number') return [value];
    return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : [];
  };

  /** Each three characters in a row, except those of an address. */
  const runsOf = (each: string): string[] =>
    Array.from({ length: Math.max(0, each.length - 2) }, (_, at) => each.slice(at, at + 3)).filter(
      (run) => run !== '://',
    );

  test('whatever a service sends', () => {
    const sent = fc.tuple(fc.array(response, { minLength: 1 }), fc.array(received));
    const property = fc.property(sent, ([responses, deliveries]) => {
      saveRecordings(folder, responses, deliveries);
      const saved = readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.json'))
        .map((file) =>
          z.looseObject({ body: z.unknown() }).parse(JSON.parse(readFileSync(join(folder, file), 'utf8'))),
        );
      expect([saved.length, personal.length]).not.toContain(0);
      const unknown = unknownTexts(saved);
      const together = unknown.join('\n');
      expect(personal.flatMap(runsOf).filter((run) => together.includes(run))).toEqual([]);
      // A repeated name ends in its number.
      expect(unknown.filter((each) => !/^[xX0 -/:-@[-`{-~]*(_[1-9]\d*)?$/.test(each))).toEqual([]);
      expect(saved.flatMap(({ body }) => numbersIn(body)).filter((number) => number !== 0)).toEqual([]);
    });
    // The next texts are made after this run, and before the next begins.
    const forget = () => {
      personal = [];
    };
    fc.assert(property.afterEach(forget), { numRuns: 100 });
  });
});

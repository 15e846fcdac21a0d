/** Whether Find Contact gives only the person who is meant, for any people, fields and pages. */
import fc from 'fast-check';
import nock from 'nock';
import * as z from 'zod/mini';
import { endpoints } from '../../src/api/endpoints';
import { contact } from '../../src/api/resources';
import { fromWire } from '../../src/api/translate';
import { authData, expectCall, toResponse } from '../support/service';
import { runStep } from '../support/zapier';

/** A word of a name, and a way to write it. */
interface Word {
  plain: string;
  written: string;
}

interface Person {
  phone: string | null;
  email: string | null;
  words: Word[];
}

interface Listing {
  people: Person[];
  pageSize: number;
  /** Whether each page starts with the last record of the one before. */
  overlaps: boolean;
  /** Whether the service lists everyone, whatever the query says. */
  ignoresQuery: boolean;
}

const phones = ['+12025550123', '+12025550187'];
const emails = ['noor@example.com', 'jan@example.com'];

const toContact = ({ phone, email, words: [first, ...others] }: Person, index: number) => ({
  id: `con_${index}`,
  phone,
  email,
  first_name: first?.written ?? null,
  last_name: others.map(({ written }) => written).join(' ') || null,
});

const listQuery = z.looseObject({
  phone: z.optional(z.string()),
  email: z.optional(z.string()),
  after: z.optional(z.string()),
});

/** Serves pages of contacts. The cursor is the number of the record that follows. */
const serve = ({ people, pageSize, overlaps, ignoresQuery }: Listing): void => {
  const contacts = people.map(toContact);
  const respond = (uri: string) => {
    const { searchParams } = new URL(uri, authData.base_url);
    const {
      phone,
      email,
      after = '0',
    } = listQuery.parse(fromWire(endpoints.listContacts.query, Object.fromEntries(searchParams)));
    const found = contacts.filter(
      (each) => ignoresQuery || ((!phone || each.phone === phone) && (!email || each.email === email.toLowerCase())),
    );
    const [start, end] = [Number(after), Number(after) + pageSize];
    const data = found.slice(overlaps ? Math.max(0, start - 1) : start, end);
    return [200, toResponse('listContacts', 200, { data, next_cursor: end < found.length ? `${end}` : null })];
  };
  expectCall('listContacts').interceptor.reply(respond).persist();
};

/** Runs the step. Returns the ids of the contacts, or why the step stops. */
const findContact = async (listing: Listing, inputData: Record<string, unknown>) => {
  serve(listing);
  const outcome = await runStep('searches.find_contact.operation.perform', { authData, inputData }).then(
    (found) =>
      z
        .array(contact.schema)
        .parse(found)
        .map(({ id }) => id),
    ({ name, message }: Error) => `${name}: ${message}`,
  );
  nock.cleanAll();
  return outcome;
};

/** A field of the form: what is in it, and the value that it means. No value means that nobody can read it. */
interface Field<T> {
  typed: unknown;
  value?: T;
}

/** Every order of the words. */
const ordersOf = (words: string[]): string[][] =>
  words.length < 2
    ? [words]
    : words.flatMap((word, index) => ordersOf(words.toSpliced(index, 1)).map((rest) => [word, ...rest]));

/** How well a name matches, as a person would judge it: identical, starts with, has other words that start so. */
const rankOf = (words: Word[], wanted: string[]): number => {
  const name = words.map(({ plain }) => plain);
  if (name.join(' ') === wanted.join(' ')) return 0;
  if (name.join(' ').startsWith(wanted.join(' '))) return 1;
  const isSimilar = ordersOf(name).some((order) => wanted.every((word, index) => order[index]?.startsWith(word)));
  return isSimilar ? 2 : 3;
};

const idsOf = (people: Person[], matches: (person: Person) => boolean): string[] =>
  people.flatMap((person, index) => (matches(person) ? `con_${index}` : []));

const several = (label: string) => new RegExp(`^HaltedError: ${label}: several contacts match equally well`);
const unreadable = (label: string) => new RegExp(`^HaltedError: ${label}: "`);

const expectedByName = (people: Person[], wanted: string[]): string[] | RegExp => {
  const byRank = [0, 1, 2].map((rank) => idsOf(people, ({ words }) => rankOf(words, wanted) === rank));
  const best = byRank.find((ids) => ids.length > 0) ?? [];
  return best.length > 1 ? several('Name') : byRank.flat();
};

/** Returns the only contacts that the step may give, or why it must stop. */
const expected = (
  people: Person[],
  phone: Field<string> | undefined,
  email: Field<string> | undefined,
  name: Field<string[]> | undefined,
): string[] | RegExp => {
  if (!phone && !email) return name?.value ? expectedByName(people, name.value) : /^HaltedError: .+ are all empty/;
  if (phone && !phone.value && !email?.value) return unreadable('Phone Number');
  const byPhone = phone?.value ? idsOf(people, (person) => person.phone === phone.value) : [];
  if (byPhone.length > 0) return byPhone.length > 1 ? several('Phone Number') : byPhone;
  if (email && !email.value) return unreadable('Email');
  const byEmail = email ? idsOf(people, (person) => person.email === email.value) : [];
  return byEmail.length > 1 ? several('Email') : byEmail;
};

/** Words that start alike, and ways to write them. */
const word = fc.constantFrom<Word>(
  ...['Noor', 'NOOR', 'Nóor', 'No\u0301or', ' noor'].map((written) => ({ plain: 'noor', written })),
  ...['Jan', 'jan', 'JÁN'].map((written) => ({ plain: 'jan', written })),
  ...['Jansen', 'jansën'].map((written) => ({ plain: 'jansen', written })),
  { plain: 'noortje', written: 'Noortje' },
  { plain: '王', written: '王' },
);
const words = fc.array(word, { maxLength: 3 });

const blank = fc.constantFrom(undefined, null, '', ' ', []);
const fieldOf = <T>(...fields: fc.Arbitrary<Field<T>>[]): fc.Arbitrary<Field<T>> => fc.oneof(...fields);

const phoneField = fieldOf<string>(
  fc.constantFrom('n/a', 'none', '-', '123', '+1 202').map((typed) => ({ typed })),
  fc
    .constantFrom(...phones, '+12025550160')
    .map((value) => ({ typed: value.replace(/^(..)(...)/, '$1 ($2) '), value })),
);
const emailField = fieldOf<string>(
  fc.constantFrom('n/a', 'none', 'noor at example.com').map((typed) => ({ typed })),
  fc
    .constantFrom(...emails, 'nobody@example.com')
    .chain((value) =>
      fc.constantFrom(value, value.toUpperCase(), ` Noor <${value}>`).map((typed) => ({ typed, value })),
    ),
);
const nameField = fc.array(word, { minLength: 1, maxLength: 3 }).map((parts) => ({
  typed: parts.map(({ written }) => written).join(' '),
  value: parts.map(({ plain }) => plain),
}));

const person = fc.record<Person>({
  phone: fc.constantFrom(null, ...phones),
  email: fc.constantFrom(null, ...emails),
  words,
});

const listing = fc.record<Listing>({
  people: fc.array(person, { maxLength: 6 }),
  pageSize: fc.integer({ min: 1, max: 4 }),
  overlaps: fc.boolean(),
  ignoresQuery: fc.boolean(),
});

/** Fills in a form and compares the outcome with the only right one. */
const expectOutcome = async (
  service: Listing,
  nothing: unknown,
  phone?: Field<string>,
  email?: Field<string>,
  name?: Field<string[]>,
) => {
  const [typedPhone, typedEmail, typedName] = [phone, email, name].map((field) => field?.typed ?? nothing);
  const outcome = await findContact(service, { phone: typedPhone, email: typedEmail, name: typedName });
  const right = expected(service.people, phone, email, name);
  if (right instanceof RegExp) expect(outcome).toMatch(right);
  else expect(outcome).toEqual(right);
};

const optional = <T>(field: fc.Arbitrary<T>) => fc.option(field, { nil: undefined, freq: 3 });

test('whatever is in the form, the step gives only the person who is meant, or stops', async () => {
  await fc.assert(
    fc.asyncProperty(listing, blank, optional(phoneField), optional(emailField), optional(nameField), expectOutcome),
    { numRuns: 200, seed: 26 },
  );
});

test('of people with similar names, the step gives the one who matches best, or stops', async () => {
  await fc.assert(
    fc.asyncProperty(listing, blank, nameField, (service, nothing, name) =>
      expectOutcome(service, nothing, undefined, undefined, name),
    ),
    { numRuns: 200, seed: 26 },
  );
});

test('finds a contact by its id, whoever hides their number, and nobody for an unknown one', async () => {
  const hidden = { ...contact.sample, id: 'con_7', phone: null, username: 'lotte.p' };
  const find = () =>
    runStep('searches.find_contact.operation.perform', { authData, inputData: { contact: 'con_7', phone: phones[0] } });
  expectCall('getContact', { id: 'con_7' }).reply(200, hidden);
  await expect(find()).resolves.toMatchObject([{ id: 'con_7', username: 'lotte.p', phone: null }]);
  expectCall('getContact', { id: 'con_7' }).reply(404, { error: { code: 'not_found', message: 'No such contact' } });
  await expect(find()).resolves.toEqual([]);
});

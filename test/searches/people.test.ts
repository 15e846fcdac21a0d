/** Who is who: searches for contacts, equal matches, and identity. */

import fc from 'fast-check';
import nock from 'nock';
import * as z from 'zod/mini';
import { endpoints } from '../../src/api/endpoints';
import { contact, conversation, message, type Template, template } from '../../src/api/resources';
import { fromWire } from '../../src/api/translate';
import type { EndpointName } from '../../src/api/transport';
import app from '../../src/index';
import { findAnswer } from '../../src/messages/answer';
import { isSamePerson, type Person, personOf } from '../../src/messages/person';
import { toOrFrom, transcript } from '../../src/messages/text';
import { pathOf } from '../support/calls';
import { authData, expectCall, service, toResponse } from '../support/service';
import { runStep } from '../support/zapier';

describe('Find Contact', () => {
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
      { numRuns: 400, seed: 26 },
    );
  });

  test.each([
    ['+5215541637145', '+525541637145'],
    ['+5491123456789', '+541123456789'],
    ['+5511987654321', '+551187654321'],
  ])('finds a person whom the service has as %s or as %s by either', async (...spellings) => {
    for (const stored of spellings) {
      for (const given of spellings) {
        expectCall('listContacts').interceptor.reply(function () {
          const { searchParams } = new URL(this.req.path, authData.base_url);
          const isAsked = searchParams.get('phone')?.split(',').includes(stored);
          return [
            200,
            toResponse('listContacts', 200, { data: isAsked ? [{ ...contact.sample, phone: stored }] : [] }),
          ];
        });
        const step = runStep('searches.find_contact.operation.perform', { authData, inputData: { phone: given } });
        await expect(step).resolves.toMatchObject([{ phone: stored }]);
      }
    }
  });

  test('finds a contact by its id, whoever hides their number, and nobody for an unknown one', async () => {
    const hidden = { ...contact.sample, id: 'con_7', phone: null, username: 'lotte.p' };
    const find = () =>
      runStep('searches.find_contact.operation.perform', {
        authData,
        inputData: { contact: 'con_7', phone: phones[0] },
      });
    expectCall('getContact', { id: 'con_7' }).reply(200, hidden);
    await expect(find()).resolves.toMatchObject([{ id: 'con_7', username: 'lotte.p', phone: null }]);
    expectCall('getContact', { id: 'con_7' }).reply(404, { error: { code: 'not_found', message: 'No such contact' } });
    await expect(find()).resolves.toEqual([]);
  });
});

describe('equal matches', () => {
  interface Search {
    /** The search's input. */
    input: Record<string, string>;
    /** The call that lists the records to choose from. */
    list: EndpointName;
    /** Returns a record that matches as well as any other of the same rank; 0 is the best rank. */
    make: (id: string, rank: number) => object;
    /** The number of ranks: a field that a record has or hasn't gives one. */
    ranks: number;
    /** Returns the fields of a record that its result has too. The record itself if left out. */
    kept?: (record: object) => object;
    /** The results of other calls that the search makes. */
    others?: Partial<Record<EndpointName, object>>;
  }

  const names = ['Summer', 'Summer Sale', 'Our Summer'];

  const named = { make: (id: string, rank: number) => ({ id, name: names[rank] }), ranks: names.length };

  const page = (data: object[]) => ({ data, next_cursor: null });

  /** Every search of one record. A search by the id of a record can't match two. */
  const searchesOfOne: Record<string, Search[]> = {
    find_campaign: [{ input: { name: 'summer' }, list: 'listCampaigns', ...named }],
    find_template: [
      {
        input: { name: 'summer' },
        list: 'listTemplates',
        ranks: names.length,
        make: (id, rank) => ({ ...template.sample, channel: id, name: names[rank] }),
        // A result has the versions of a template together.
        kept: ({ name, channel }: Partial<Template>) => ({ name, channel }),
      },
    ],
    find_contact: [
      {
        input: { name: 'summer' },
        list: 'listContacts',
        ranks: names.length,
        make: (id, rank) => ({ ...contact.sample, id, first_name: names[rank], last_name: null }),
      },
    ],
    find_conversation_history: [
      {
        input: { phone: '+12025550123' },
        list: 'listConversations',
        ranks: 5,
        make: (id, rank) => ({ ...conversation.sample, id, created_at: `202${9 - rank}-01-01T00:00:00Z` }),
        others: { listContacts: page([contact.sample]), listConversationMessages: page([]) },
      },
    ],
  };

  /** Searches whose results are lists, and searches by an id. */
  const exempt = ['find_message_status', 'find_messages', 'find_conversations', 'find_contacts', 'find_reply'];

  test('every search is either a list, by an id, or below', () => {
    expect([...Object.keys(searchesOfOne), ...exempt].toSorted()).toEqual(Object.keys(app.searches ?? {}).toSorted());
  });

  const pathnameOf = (url: string): string => new URL(url, authData.base_url).pathname;

  /** Answers a call as often as it's made. `respond` gets the cursor of the request. */
  const serve = (name: EndpointName, respond: (after: string | null) => object): void => {
    const path = new RegExp(`^${pathOf(name, { id: 'ID' }).replace('ID', '[^/]+')}$`);
    service()
      .persist()
      .get((url) => path.test(pathnameOf(url)))
      .reply(200, (url) => toResponse(name, 200, respond(new URL(url, authData.base_url).searchParams.get('after'))));
  };

  /** Runs a search that finds these pages. Returns the ids of its results, or what stopped it. */
  const find = async (key: string, search: Search, pageAt: (index: number) => object): Promise<unknown> => {
    serve(search.list, (after) => pageAt(Number(after)));
    for (const [name, response] of Object.entries(search.others ?? {})) serve(name as EndpointName, () => response);
    const bundle = { authData, inputData: search.input };
    const found = await runStep(`searches.${key}.operation.perform`, bundle).catch((error: Error) => error);
    nock.cleanAll();
    return found;
  };

  /** Cuts records into pages. Some are empty. */
  const toPages = (records: object[], cuts: number[]): object[][] => {
    const ends = [
      ...cuts.map((cut) => cut % (records.length + 1)).toSorted((one, other) => one - other),
      records.length,
    ];
    return ends.map((end, index) => records.slice(ends[index - 1] ?? 0, end));
  };

  describe.each(
    Object.entries(searchesOfOne).flatMap(([key, searches]) =>
      searches.map((search) => [key, search.input, search] as const),
    ),
  )('%s by %j', (key, _input, search) => {
    test('gives the best record, and stops when another matches as well, in any order and on any pages', async () => {
      const ranks = fc.array(fc.nat(search.ranks - 1), { maxLength: 6 });
      const order = fc.infiniteStream(fc.nat());
      const cuts = fc.array(fc.nat(), { maxLength: 4 });
      await fc.assert(
        fc.asyncProperty(ranks, order, cuts, async (chosen, stream, cutsOf) => {
          const records = chosen.map((rank, index) => ({ rank, record: search.make(`id_${index}`, rank) }));
          const best = Math.min(...chosen);
          const bestRecords = records.filter(({ rank }) => rank === best);
          const shuffled = records
            .map((each) => ({ each, at: stream.next().value }))
            .toSorted((one, other) => one.at - other.at);
          const pages = toPages(
            shuffled.map(({ each }) => each.record),
            cutsOf,
          );
          const pageAt = (index: number) => ({
            data: pages[index],
            next_cursor: index + 1 < pages.length ? String(index + 1) : null,
          });
          const found = await find(key, search, pageAt);
          if (bestRecords.length > 1) {
            expect(found).toMatchObject({
              name: 'HaltedError',
              message: expect.stringContaining('match equally well'),
            });
          } else {
            const { kept = (record: object) => record } = search;
            const [wanted] = bestRecords.map(({ record }) => expect.objectContaining(kept(record)));
            expect([found].flat()[0]).toEqual(wanted);
          }
        }),
        { numRuns: 60 },
      );
    });

    test('stops when there are more records than it reads, although one on the first page matches best', async () => {
      const found = await find(key, search, (index) => ({
        data: [search.make(`id_${index}`, index === 0 ? 0 : search.ranks - 1)],
        next_cursor: String(index + 1),
      }));
      expect(found).toMatchObject({ name: 'HaltedError', message: expect.stringContaining('too many') });
    });
  });
});

describe('identity', () => {
  interface Someone {
    id: string;
    phone: string | null;
    username: string | null;
    email: string | null;
    first_name: string | null;
  }

  const numbers = ['+12025550123', '+12025550124', '+12025550125'];

  /** People who share numbers, names and usernames. Their contact ids may be the digits of somebody's number. */
  const people = fc
    .array(
      fc.record({
        phone: fc.constantFrom(...numbers, null, null),
        username: fc.constantFrom('noor', '12025550123', null),
        email: fc.constantFrom('noor@example.com', 'ada@example.com', null),
        first_name: fc.constantFrom('Noor', 'Ada', null),
      }),
      { minLength: 1, maxLength: 5 },
    )
    .map((drawn) => drawn.map((person, index): Someone => ({ id: `1202555012${index}`, ...person })));

  /** How a service tells of people: whether it applies filters, leaves out what is null, and puts app ids for numbers. */
  const services = fc.record({ filters: fc.boolean(), omitsNull: fc.boolean(), hasAppIds: fc.boolean() });
  type Service = typeof services extends fc.Arbitrary<infer S> ? S : never;

  const withoutNull = (record: object): object =>
    Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));

  /** The conversations of everyone, the newest of each person first. Each has a line that only this person wrote. */
  const conversationsOf = (everyone: Someone[], { omitsNull, hasAppIds }: Service) =>
    everyone.flatMap(({ email: _, ...contact }, index) =>
      [2, 1].map((day) => ({
        id: `cnv_${contact.id}_${day}`,
        channel: 'whatsapp',
        status: 'open',
        contact: omitsNull ? withoutNull(contact) : contact,
        created_at: `2026-06-${10 * day + index}T09:00:00Z`,
        message: {
          id: `msg_${contact.id}_${day}`,
          conversation_id: `cnv_${contact.id}_${day}`,
          contact: omitsNull ? withoutNull(contact) : contact,
          direction: 'inbound',
          from: contact.phone ?? (hasAppIds ? 'US.12025550123' : null),
          text: `Secret of ${contact.id} ${day}`,
          created_at: `2026-06-${10 * day + index}T09:00:00Z`,
        },
      })),
    );

  const serve = (everyone: Someone[], service: Service): void => {
    const answer = (name: EndpointName, id: string, respond: (query: URLSearchParams) => object) =>
      expectCall(name, { id })
        .interceptor.reply((uri) => [200, respond(new URL(uri, authData.base_url).searchParams)])
        .persist();
    const conversations = conversationsOf(everyone, service);
    answer('listContacts', '', (query) => {
      const passes = (each: Someone) =>
        !service.filters ||
        ((query.get('phone') ?? each.phone) === each.phone && (query.get('email') ?? each.email) === each.email);
      return { data: everyone.filter(passes).map((each) => (service.omitsNull ? withoutNull(each) : each)) };
    });
    answer('listConversations', '', (query) => ({
      data: conversations
        .filter(({ contact }) => !service.filters || Reflect.get(contact, 'id') === query.get('contact_id'))
        .map(({ message: _, ...each }) => each),
    }));
    for (const { id, message } of conversations) {
      answer('listConversationMessages', id, () => ({
        data: service.filters ? [message] : conversations.map((each) => each.message),
      }));
    }
  };

  /** Runs a search. Returns its results, or undefined when it stopped for the person to choose. */
  const search = async (
    key: string,
    inputData: Record<string, unknown>,
  ): Promise<Record<string, unknown>[] | undefined> =>
    runStep(`searches.${key}.operation.perform`, { authData, inputData }).then(
      (results) => [results].flat().map((result) => Object(result)),
      (error: Error) => {
        expect(error).toMatchObject({
          name: 'HaltedError',
          message: expect.stringContaining('several contacts match'),
        });
        return undefined;
      },
    );

  test('Find Conversation History gives only what the person with the contact ID or the phone number wrote', async () => {
    const expectHistory = async (inputData: Record<string, unknown>, [person]: Someone[]) => {
      const [result] = (await search('find_conversation_history', inputData)) ?? [];
      if (!person) return expect(result).toBeUndefined();
      expect(result).toMatchObject({ id: `cnv_${person.id}_2`, contact: { id: person.id } });
      const name = person.first_name ?? (person.username ? `@${person.username}` : (person.phone ?? 'A customer'));
      return expect(result?.transcript).toMatch(
        new RegExp(`^\\[[^\\]]+\\] ${name.replace('+', '\\+')}: Secret of ${person.id} 2$`),
      );
    };
    await fc.assert(
      fc.asyncProperty(people, services, fc.nat({ max: 4 }), fc.constantFrom(...numbers), async (...drawn) => {
        const [everyone, service, index, phone] = drawn;
        serve(everyone, service);
        const person = everyone[index];
        await expectHistory({ contact: person?.id ?? 'con_unknown' }, person ? [person] : []);
        const fitting = everyone.filter((each) => each.phone === phone);
        await expectHistory({ phone }, fitting.length === 1 ? fitting : []);
        nock.cleanAll();
      }),
      { numRuns: 200 },
    );
  });
});

describe('the same person', () => {
  /** Someone in the world, as only the test knows them. */
  interface Someone {
    id: string;
    phone: string;
    appId: string;
    hidesNumber: boolean;
  }

  const digits = fc.integer({ min: 2_000_000, max: 2_000_999 }).map(String);

  /** People whose app ids have the digits of somebody's phone number, and contact ids that look like numbers. */
  const people = fc
    .uniqueArray(fc.record({ number: digits, hidesNumber: fc.boolean(), country: fc.constantFrom('US', 'NL', 'DE') }), {
      minLength: 2,
      maxLength: 6,
      selector: ({ number }) => number,
    })
    .map((drawn) =>
      drawn.map(({ number, hidesNumber, country }, index): Someone => {
        const digitsOfNext = drawn[(index + 1) % drawn.length]?.number ?? number;
        return {
          id: String(3100 + index),
          phone: `+31${number}`,
          appId: `${country}.31${digitsOfNext}`,
          hidesNumber,
        };
      }),
    );

  /** What a record can say of someone: all of it, part of it, or an id of the messaging app in place of the number. */
  const recordOf = ({ id, phone, appId, hidesNumber }: Someone): fc.Arbitrary<Person> =>
    fc.record(
      {
        id: fc.constantFrom(id, null),
        phone: hidesNumber
          ? fc.constantFrom(null, appId, appId.replace(/^..\./, ''))
          : fc.constantFrom(phone, phone.replace(/^(...)/, '$1 (0)').replace(' (0)', ' '), null, appId),
      },
      { requiredKeys: [] },
    );

  const twoRecords = people.chain((everyone) =>
    fc
      .tuple(fc.constantFrom(...everyone), fc.constantFrom(...everyone))
      .chain(([one, other]) => fc.tuple(fc.constant([one, other] as const), recordOf(one), recordOf(other))),
  );

  test('nobody is taken for somebody else, whatever records say and leave out', () => {
    fc.assert(
      fc.property(twoRecords, ([[one, other], record, otherRecord]) => {
        if (one !== other) expect(isSamePerson(record, otherRecord)).toBe(false);
        expect(isSamePerson(otherRecord, record)).toBe(isSamePerson(record, otherRecord));
      }),
      { numRuns: 5_000 },
    );
  });

  test('a person is recognized whenever both records have the contact, or else the number', () => {
    fc.assert(
      fc.property(
        people.chain((everyone) => fc.constantFrom(...everyone)),
        fc.boolean(),
        ({ id, phone }, hasId) => {
          expect(isSamePerson({ id, phone: null }, { id, phone: '+12025550123' })).toBe(true);
          expect(isSamePerson({ phone, ...(hasId && { id }) }, { phone })).toBe(true);
        },
      ),
    );
  });

  test.each([
    ['an id of a messaging app', 'NL.31612345678'],
    ['digits without a plus', '31612345678'],
    ['an empty text', ''],
  ])('%s is no phone number, not even that of the same text', (_, phone) => {
    expect(isSamePerson({ phone }, { phone: '+31612345678' })).toBe(false);
    expect(isSamePerson({ phone }, { phone })).toBe(false);
  });

  test('the customer of a message is its contact, with the number on the side of the customer', () => {
    const contact = { id: 'con_1', phone: '+31612345678' };
    const inbound = { ...message.sample, contact, direction: 'inbound', from: '+31 6 8765 4321', to: '+12025550190' };
    const { conversation_id } = inbound;
    expect(personOf(inbound)).toEqual({ id: 'con_1', phone: '+31687654321', conversation_id });
    expect(personOf({ ...inbound, direction: 'outbound' })).toMatchObject({ id: 'con_1', phone: '+12025550190' });
    expect(personOf({ ...inbound, from: null })).toMatchObject(contact);
    expect(personOf({ ...inbound, from: 'NL.31612345678', contact: null })).toEqual({ conversation_id });
    expect(personOf({ from: '+31612345678' })).toEqual({});
  });

  test.each<[string, object, string, string]>([
    ['a name', { first_name: 'Noor', last_name: 'Visser', username: 'nv' }, 'Noor Visser', 'Noor Visser @nv'],
    ['only a username', { username: 'nv' }, '@nv', '@nv'],
    ['nothing', {}, 'A customer', 'A customer'],
  ])('texts name a person who hides the number and has %s', (_what, known, inTranscript, inList) => {
    const contact = { id: 'con_1', phone: null, ...known };
    const received = {
      ...message.sample,
      direction: 'inbound',
      from: 'US.13491208655302741918',
      contact,
      text: 'Hello',
    };
    expect(transcript([received], 'Etc/UTC')).toBe(`[2026-06-11 09:40] ${inTranscript}: Hello`);
    expect(toOrFrom(received)).toBe(`From ${inList}`);
    expect(toOrFrom({ ...received, direction: 'outbound', to: null })).toBe(`To ${inList}`);
  });

  test('in a conversation that people share, the answer of another number is nobody’s, and that without a number counts', () => {
    const sent = { ...message.sample, id: 'msg_1', contact: null, created_at: '2026-06-11T09:00:00Z' };
    const line = {
      ...message.sample,
      id: 'msg_2',
      direction: 'inbound',
      contact: null,
      created_at: '2026-06-11T09:05:00Z',
    };
    const answerOf = (from: string | null) =>
      findAnswer({ sent, messages: [{ ...line, from }, sent], quoted: [] })?.reply.id;
    expect(answerOf('+12025550123')).toBe('msg_2');
    expect(answerOf('+12025550187')).toBeUndefined();
    expect(answerOf(null)).toBe('msg_2');
    expect(answerOf('US.13491208655302741918')).toBe('msg_2');
  });
});

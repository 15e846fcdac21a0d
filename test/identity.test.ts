/** Whoever is asked for, no step takes one person for another: it finds that person, nobody, or stops. */
import fc from 'fast-check';
import nock from 'nock';
import type { EndpointName } from '../src/api/endpoints';
import { authData, expectCall } from './support/service';
import { runStep } from './support/zapier';

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
      expect(error).toMatchObject({ name: 'HaltedError', message: expect.stringContaining('several contacts match') });
      return undefined;
    },
  );

const populations = fc.tuple(people, services);

const forEveryone = (judge: (everyone: Someone[], service: Service) => Promise<void>) =>
  fc.assert(
    fc.asyncProperty(populations, async ([everyone, service]) => {
      serve(everyone, service);
      await judge(everyone, service);
      nock.cleanAll();
    }),
    { numRuns: 60 },
  );

/** What a search must give for the people who fit: the only one, nobody, or a stop. */
const expectPerson = (results: Record<string, unknown>[] | undefined, fitting: Someone[]): void => {
  if (fitting.length > 1) expect(results).toBeUndefined();
  else expect(results?.map(({ id }) => id)).toEqual(fitting.map(({ id }) => id));
};

test('Find Contact finds the one person with a phone number, an email or a name', async () => {
  await forEveryone(async (everyone) => {
    for (const phone of numbers) {
      expectPerson(
        await search('find_contact', { phone }),
        everyone.filter((each) => each.phone === phone),
      );
    }
    for (const email of ['noor@example.com', 'ada@example.com']) {
      expectPerson(
        await search('find_contact', { email }),
        everyone.filter((each) => each.email === email),
      );
    }
    expectPerson(
      await search('find_contact', { name: 'Noor' }),
      everyone.filter((each) => each.first_name === 'Noor'),
    );
  });
});

test('Find Conversation History gives only what the person with the contact ID or the phone number wrote', async () => {
  await forEveryone(async (everyone) => {
    const expectHistory = async (inputData: Record<string, unknown>, [person]: Someone[]) => {
      const [result] = (await search('find_conversation', inputData)) ?? [];
      if (!person) return expect(result).toBeUndefined();
      expect(result).toMatchObject({ id: `cnv_${person.id}_2`, contact: { id: person.id } });
      const name = person.first_name ?? (person.username ? `@${person.username}` : (person.phone ?? 'A customer'));
      return expect(result?.transcript).toMatch(
        new RegExp(`^\\[[^\\]]+\\] ${name.replace('+', '\\+')}: Secret of ${person.id} 2$`),
      );
    };
    for (const person of everyone) await expectHistory({ contact: person.id }, [person]);
    await expectHistory({ contact: 'con_unknown' }, []);
    for (const phone of numbers) {
      const fitting = everyone.filter((each) => each.phone === phone);
      await expectHistory({ phone }, fitting.length === 1 ? fitting : []);
    }
  });
});

/** Who is the same person, whatever records say and leave out. */

import fc from 'fast-check';
import { message } from '../../src/api/resources';
import { isSamePerson, type Person, personOf } from '../../src/contact/person';
import { judgeThread } from '../../src/reply/judge';
import { toOrFrom, transcript } from '../../src/text/lines';

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
        expect(one !== other && isSamePerson(record, otherRecord)).toBe(false);
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
    expect(transcript([received], 'Etc/UTC')).toBe(`[2026-06-11 09:40] From ${inTranscript}: Hello`);
    expect(toOrFrom(received)).toBe(`From ${inList}`);
    expect(toOrFrom({ ...received, direction: 'outbound', to: null })).toBe(`To ${inList}`);
  });

  test('in a conversation that people share, nobody knows who writes from another number, and a line without one counts', () => {
    const at = { created_at: '2026-06-11T09:00:00Z', sent_at: null, delivered_at: null, read_at: null };
    const sent = { ...message.sample, ...at, id: 'msg_1', contact: null };
    const line = {
      ...message.sample,
      id: 'msg_2',
      direction: 'inbound',
      to: sent.from,
      contact: null,
      created_at: '2026-06-11T09:05:00Z',
    };
    const verdictOf = (from: string | null) =>
      judgeThread({ sent, messages: [{ ...line, from }, sent], quoted: [], isComplete: true })?.verdict;
    expect(verdictOf('+12025550123')).toBe('certain');
    expect(verdictOf('+12025550187')).toBe('unclear');
    expect(verdictOf(null)).toBe('certain');
    expect(verdictOf('US.13491208655302741918')).toBe('certain');
  });
});

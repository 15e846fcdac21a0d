/**
 * The CPU time of what grows with the number of records, fields or values, in `npm run bench`: a busy machine would make it
 * fail in `npm test`. test/safety.test.ts has single texts.
 */
import { type Bundle, createAppTester } from 'zapier-platform-core';
import { endpoints } from '../src/api/endpoints';
import { errorResponse } from '../src/api/errors';
import { mapStrings } from '../src/api/json';
import { message } from '../src/api/resources';
import { tokenScrubber } from '../src/call/connection';
import { readList } from '../src/call/pages';
import { serializeQuery } from '../src/call/request';
import { readVariables } from '../src/message/variable-values';
import { readCallback } from '../src/reply/wait';
import { readField } from '../src/step/input';
import { refuseLostValue } from '../src/step/lost-value';
import { containsPhrase } from '../src/text/fold';
import { summaryLine, transcript } from '../src/text/lines';
import { rankMatches } from '../src/text/match';
import { cpuSeconds, leastCpuSeconds } from './support/cpu';
import { deliveryOf, signed, subscribeData } from './support/deliveries';
import { raw, run, runOfEndpoint } from './support/hostile-service';
import { authData } from './support/service';
import { countValues, wrongValue } from './support/wrong-types';
import { definition, findPerform } from './support/zapier';

const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const byName = <T>(count: number, make: (index: number) => T) =>
  Object.fromEntries(many(count, (index) => [`Name ${index}`, make(index)]));

/** Reads ten pages that repeat a part of the pages before. */
const readPages = () => {
  let page = 0;
  const fetchPage = async () => ({
    data: many(20_000, (index) => ({ id: `msg_${page * 10_000 + index}` })),
    next_cursor: String(++page),
  });
  return readList(fetchPage, { limit: 200_000 });
};

const readManyVariables = () => {
  const variables = many(20_000, (index) => ({ name: `name_${index}` }));
  const bundle = { inputData: { variables: byName(20_000, String) }, meta: {} } as unknown as Bundle;
  return readVariables(bundle, [{ name: 'x', variables }], undefined);
};

/** A field with many mapped values, which are all there, and with braces that are no mapping. */
const readManyMappings = () => {
  const end = '{{'.repeat(250_000);
  const bundle = {
    inputData: { a: 'x-'.repeat(1_000) + 'x'.repeat(100_000) + end },
    inputDataRaw: { a: `${'{{1__x}}-'.repeat(1_000)}{{1__x}}${end}` },
    meta: {},
  } as unknown as Bundle;
  refuseLostValue({ key: 'a', label: 'A' }, bundle);
};

const messages = many(100, () => ({
  ...message.sample,
  text: 'a\n'.repeat(100_000),
  created_at: '1:11'.repeat(5_000),
}));
const words = many(90, (index) => String.fromCodePoint(0x4e00 + index)).join(' ');
const spacedToken = [...'tok_7h1s1s4s3cr3'].join(' ');

const works: Record<string, () => unknown> = {
  'reading a history of pages that overlap': readPages,
  'finding 20,000 variables by their labels': readManyVariables,
  'a field of 1,000 mapped values': readManyMappings,
  'a query of 100,000 parameters': () => serializeQuery(byName(100_000, String)),
  'a list of 100,000 values': () => readField({ key: 'a', label: 'A', list: true }, many(100_000, String)),
  'a text of 2 MB for a dictionary': () => {
    expect(() => readField({ key: 'a', label: 'A', dict: true }, 'a '.repeat(1_000_000))).toThrow('one value each');
  },
  'the best of 20,000 matches': () =>
    rankMatches(
      many(20_000, () => words),
      words,
      (name) => name,
    ),
  '1,000 phrases in a long text': () => containsPhrase('ab '.repeat(7_000), many(1_000, String)),
  'one phrase in 50 long texts': () => many(50, () => containsPhrase('xa'.repeat(10_000), ['a'])),
  'a transcript of long texts': () => transcript(messages, 'Europe/Amsterdam'),
  'a summary of long texts': () => messages.map((each) => summaryLine(each, 'Europe/Amsterdam')),
  'a text of 20 MB that almost hides the token': () =>
    mapStrings([spacedToken.repeat(600_000)], tokenScrubber('tok_7h1s1s4s3cr3t')),
};

test.each(Object.entries(works))('%s takes under 2 s of CPU time', async (_what, work) => {
  expect(await leastCpuSeconds(work)).toBeLessThan(2);
});

const receive = (bundle: object) =>
  createAppTester(definition.only('message_received'))(findPerform('triggers.message_received.operation.perform'), {
    authData,
    subscribeData,
    ...bundle,
  });

const useless: [what: string, payload: unknown[]][] = [
  ['190,000 times null', many(190_000, () => null)],
  ['90,000 empty objects', many(90_000, () => ({}))],
  ['45,000 empty objects', many(45_000, () => ({}))],
  ['30,000 events without a record', many(30_000, (index) => ({ id: index, type: 'message.received' }))],
];

for (const [what, payload] of useless) {
  test(`${what} take under 2 s of CPU time, and start nothing`, async () => {
    const request = signed(payload as object[]);
    await expect(cpuSeconds(() => expect(receive(request)).rejects.toThrow("can't read"))).resolves.toBeLessThan(2);
    await expect(cpuSeconds(() => readCallback(request.cleanedRequest))).resolves.toBeLessThan(2);
    await expect(cpuSeconds(() => readCallback(payload))).resolves.toBeLessThan(2);
  });
}

describe('at the limits of what is read, under 5 s of CPU time', () => {
  const expectSoon = async (name: string, body: unknown, status = 200): Promise<void> => {
    const [step, good] = runOfEndpoint.get(name) ?? [];
    if (!step) throw new Error(`No step calls ${name}.`);
    const text = JSON.stringify(body);
    // One that is too much isn't read at all.
    expect(countValues(text)).toBeLessThan(200_000);
    const respond = raw(text, status);
    expect(await cpuSeconds(() => run(step, respond, good))).toBeLessThan(5);
  };

  /** One call for each schema of a response. */
  const schemas = new Map(Object.entries(endpoints).map(([name, { response }]) => [response, { name, response }]));

  for (const { name, response } of schemas.values()) {
    test(`a step takes a response to ${name} whose values all have the wrong type`, () =>
      expectSoon(name, wrongValue(response)));
  }

  const extremes: [what: string, name: string, body: () => unknown][] = [
    ['records without an id', 'listMessages', () => ({ data: Array(45_000).fill({}) })],
    ['records with nothing but an id', 'listContacts', () => ({ data: Array(45_000).fill({ id: 'con_1' }) })],
    [
      'unknown names',
      'getMessage',
      () => ({ id: '1', ...Object.fromEntries(Array.from({ length: 45_000 }, (_, index) => [`x${index}`, index])) }),
    ],
    ['one text of 19 MB', 'listMessages', () => ({ data: [{ id: '1', text: 'a\n'.repeat(6_300_000) }] })],
  ];
  for (const [what, name, body] of extremes) test(`a step takes ${what}`, () => expectSoon(name, body()));

  test('a step takes a refusal whose values all have the wrong type', () =>
    expectSoon('sendMessage', wrongValue(errorResponse), 422));

  for (const count of [1, 2_000]) {
    test(`a trigger takes a delivery of ${count} events whose values all have the wrong type`, async () => {
      const data = Object(wrongValue(message.schema, 145_000 / count));
      const delivery = signed(deliveryOf('message.received', data), {
        change: (text) => `[${Array(count).fill(text)}]`,
      });
      const path = 'triggers.message_received.operation.perform';
      expect(await cpuSeconds(() => run([path, { subscribeData, ...delivery }]))).toBeLessThan(5);
    });
  }
});

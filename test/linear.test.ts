/** The CPU time of what grows with the number of records, fields or values. test/parsers.test.ts has single texts. */
import type { Bundle } from 'zapier-platform-core';
import { message } from '../src/api/resources';
import { containsPhrase } from '../src/formats/text';
import { readField } from '../src/forms/input';
import { refuseLostValue } from '../src/forms/lost-value';
import { readVariables } from '../src/forms/read-variables';
import { mapStrings, tokenScrubber } from '../src/http/scrub';
import { serializeQuery } from '../src/http/serialize';
import { rankMatches } from '../src/messages/best-match';
import { summaryLine, transcript } from '../src/messages/transcript';
import { readHistory } from '../src/polling/history';
import { leastCpuSeconds } from './support/cpu';

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
  return readHistory(fetchPage, { limit: 200_000 });
};

const readManyVariables = () => {
  const variables = many(20_000, (index) => ({ name: `name_${index}` }));
  const bundle = { inputData: { variables: byName(20_000, String) }, meta: {} } as unknown as Bundle;
  return readVariables(bundle, async () => [{ name: 'x', variables }]);
};

/** A field with many mapped values, which are all there, and with braces that are no mapping. */
const readManyMappings = () => {
  const end = '{{'.repeat(10_000);
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

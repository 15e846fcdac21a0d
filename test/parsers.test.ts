import fc from 'fast-check';
import type { Bundle } from 'zapier-platform-core';
import { signatureHeaders } from '../sandbox/webhooks/signature';
import { explainRefusal } from '../src/api/errors';
import { passesFilters } from '../src/api/filters';
import { parseRefusal, sanitize } from '../src/api/refusal';
import { message } from '../src/api/resources';
import { deliveryHeaders } from '../src/api/service';
import { readDate, readDateTime, readTime } from '../src/formats/local-time';
import { readText } from '../src/formats/mapped-value';
import { readNumber } from '../src/formats/number';
import { parsePhoneNumber } from '../src/formats/phone-number';
import { readMoment } from '../src/formats/relative-time';
import { containsPhrase } from '../src/formats/text';
import { formatInZone } from '../src/formats/time-zone';
import { readEmail } from '../src/forms/contact-form';
import { readDictionary, readField } from '../src/forms/input';
import { fieldsOfTemplate } from '../src/forms/template-form';
import { readVariables } from '../src/forms/variables';
import { parseBaseUrl, parseToken } from '../src/http/connection';
import { parseJson } from '../src/http/json';
import { serializePath } from '../src/http/path';
import { readRetryAfter } from '../src/http/retry-after';
import { serializeBody, serializeQuery } from '../src/http/serialize';
import { rankMatches } from '../src/messages/best-match';
import { transcript } from '../src/messages/transcript';
import { quote } from '../src/platform/errors';
import { hasSigningKey, isGenuine } from '../src/webhooks/signature';
import { subscribeData } from './support/deliveries';

/** Pieces that the patterns of the parsers look for. */
const piece = fc.constantFrom(
  ...[' ', '\n', '\t', '\u200b', '\u00a0', '\ufeff', '\u0000', '\ud800', 'é', '１', '٣', '︙'],
  ...['0', '1', '12', '14:30', ':', '.', ',', '-', '+', '/', '//', '@', '#', '?', '%', '%2f', '=', '&', '_', "'", '"'],
  ...['\\', '\\"', '{', '{{', '}}', '}', '[', '[[', ']', '(', ')', '<', '<a', '>', '{"a":', '[1,', '"x",', 'true'],
  ...[
    'a',
    'at a',
    'at (',
    'at a.js:1',
    'File "',
    'line 1',
    'Bearer ',
    'Authorization:',
    'https://',
    'https:',
    '.com',
    'xn--',
  ],
  ...[
    'GMT',
    'UTC',
    'Z',
    'T',
    'pm',
    'p.m.',
    'Jun',
    'June ',
    '2026',
    '2026-06-12',
    '06/12/2026',
    '20260612T1230',
    'Fri, ',
  ],
  ...['whsec_', 'v1,', 'AAAA', 'tel:', '+31', '0031', 'variable_', 'v1/'],
);

/** Sizes at which the parsers stop looking, and 100 KB. */
const size = fc.constantFrom(90, 900, 1_900, 100_000, 100_000);

/** Up to 100 KB that begin well, go on and on, and end badly. */
const nearMiss = fc
  .tuple(
    size,
    fc.array(piece, { maxLength: 4 }),
    fc.array(piece, { minLength: 1, maxLength: 3 }),
    fc.array(piece, { maxLength: 4 }),
  )
  .map(([length, start, middle, end]) => {
    const unit = middle.join('');
    return start.join('') + unit.repeat(Math.ceil(length / unit.length)) + end.join('');
  });

const readVariable = (format: string) => (text: string) =>
  readVariables(
    {
      inputData: { variable_a: text },
      meta: { inputFields: { variable_a: { format, label: 'A', required: true } } },
    } as unknown as Bundle,
    async () => undefined,
  );

/** Reads the text as a label, and as a value, of a template that is mapped. */
const readUnnamedVariable = (text: string) =>
  readVariables({ inputData: { variables: { [text]: text } }, meta: {} } as unknown as Bundle, async () => [
    { name: 'x', variables: [{ name: 'a', label: text.slice(1), format: 'date' }] },
  ]);

const delivery = (name: string) => (text: string) =>
  isGenuine(
    {
      content: text,
      headers: { ...signatureHeaders({ id: '1', timestamp: '1', body: '' }, [subscribeData.secret]), [name]: text },
      url: '',
    },
    subscribeData.secret,
  );

const parsers: Record<string, (text: string) => unknown> = {
  parseBaseUrl,
  parseToken,
  readRetryAfter,
  parseJson,
  'parseJson of a string': (text) => parseJson(JSON.stringify(text)),
  readTime: (text) => readTime(text, 'Europe/Amsterdam'),
  readDate: (text) => readDate(text, 'Europe/Amsterdam'),
  readNumber,
  formatInZone: (text) => formatInZone(new Date(0), text),
  parsePhoneNumber: (text) => parsePhoneNumber('Phone Number', text, undefined),
  'parsePhoneNumber of a country': (text) => parsePhoneNumber('Phone Number', text, 'NL'),
  'parsePhoneNumber in a country': (text) => parsePhoneNumber('Phone Number', '(202) 555-0123', text),
  sanitize,
  quote,
  'parseRefusal of a text': (text) => explainRefusal(parseRefusal(422, text, text)),
  'parseRefusal of fields': (text) =>
    explainRefusal(
      parseRefusal(422, {
        code: text,
        message: text,
        field: text,
        errors: { [text]: text },
        details: [{ loc: [text, text], msg: text }],
      }),
    ),
  isGenuine: delivery(deliveryHeaders.signature),
  'isGenuine of an id': delivery(deliveryHeaders.id),
  'isGenuine of a time': delivery(deliveryHeaders.timestamp),
  hasSigningKey,
  readEmail,
  readText,
  readDictionary: (text) => readDictionary({ [text]: text }),
  'readField of a number': (text) => readField({ key: 'a', label: 'A', type: 'integer' }, text),
  'readField of a list': (text) => readField({ key: 'a', label: 'A', list: true }, text),
  'readField of a choice': (text) => readField({ key: 'a', label: 'A', choices: { b: 'B' } }, text),
  'a variable with a time': readVariable('time'),
  'a variable with a date': readVariable('date'),
  'a variable with a number': readVariable('number'),
  'a variable with a link': readVariable('url'),
  'a variable by its label': readUnnamedVariable,
  'the words of a filter': (text) => containsPhrase(text, [text.slice(-1_000)]),
  'the best matches': (text) => rankMatches([text], text.slice(-1_000), (each) => each),
  'a date and time': (text) => readDateTime(text, 'Europe/Amsterdam'),
  'a moment': (text) => readMoment(text, 'Europe/Amsterdam'),
  passesFilters: (text) => passesFilters({ phone: text, tags: [text] }, { phone: text, tag: text }),
  'the preview of a template': (text) =>
    fieldsOfTemplate([{ name: 'x', body: text, variables: [{ name: text, label: text }] }], {
      name: 'x',
      channel: 'y',
    }),
  serializePath: (text) => serializePath('/v1/messages/{id}', { id: text }),
  serializeQuery: (text) => serializeQuery({ [text]: text }),
  serializeBody: (text) => serializeBody({ [text]: text }),
  transcript: (text) => transcript([{ ...message.sample, text, created_at: text }], text),
};

/** Texts that once took from 5 to 70 seconds. */
const worst = [
  `${'1:11'.repeat(25_000)}`,
  `{{${' '.repeat(100_000)}`,
  `https://api.example.com${'/'.repeat(100_000)}x`,
  `at ${'a'.repeat(100_000)}`,
  'at ('.repeat(25_000),
];

/** CPU time in milliseconds, in the best of a few runs: the first ones compile. */
const cpuOf = async (parse: (text: string) => unknown, text: string): Promise<number> => {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 5 && best > limit; run += 1) {
    const started = process.cpuUsage();
    // A refusal is as good as a result, as long as it comes soon.
    await Promise.resolve(text)
      .then(parse)
      .catch(() => undefined);
    const { user, system } = process.cpuUsage(started);
    best = Math.min(best, (user + system) / 1_000);
  }
  return best;
};

/** In milliseconds of CPU time. Quadratic time takes seconds, and a slow machine five times what it takes here. */
const limit = 500;

test.each(Object.entries(parsers))('%s takes linear time for 100 KB of anything', async (_name, parse) => {
  await fc.assert(
    fc.asyncProperty(nearMiss, async (text) => {
      expect(await cpuOf(parse, text)).toBeLessThan(limit);
    }),
    { numRuns: 25, endOnFailure: true, examples: worst.map((text): [string] => [text]) },
  );
});

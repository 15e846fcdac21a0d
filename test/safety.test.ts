/** What strangers and secrets can't do. */

import fc from 'fast-check';
import nock from 'nock';
import type { Bundle } from 'zapier-platform-core';
import { signatureHeaders } from '../lab/sandbox/webhooks/signature';
import { type PlacedStep, plainFields, stepsOf } from '../lab/zapier/core/app-definition';
import { hasListedChoices } from '../lab/zapier/fields/form';
import { currentApp, expandForms } from '../scripts/docs/definition';
import { explainRefusal } from '../src/api/errors';
import { events } from '../src/api/events';
import { passesFilters } from '../src/api/filters';
import { parseJson } from '../src/api/json';
import { deliveryHeaders } from '../src/api/presets';
import { parseRefusal, sanitize } from '../src/api/refusal';
import { channel, message } from '../src/api/resources';
import { parseBaseUrl } from '../src/call/address';
import { cleanToken, parseToken } from '../src/call/connection';
import { readRetryAfter } from '../src/call/outcome';
import { serializeBody, serializePath, serializeQuery } from '../src/call/request';
import { readEmail } from '../src/contact/form';
import { readDate, readDateTime, readTime } from '../src/message/dates';
import { parsePhoneNumber } from '../src/message/phone';
import { fieldsOfTemplate } from '../src/message/template-fields';
import { readNumber } from '../src/message/values';
import { readVariables } from '../src/message/variable-values';
import { quote } from '../src/step/errors';
import { readDictionary, readField } from '../src/step/input';
import { readMoment } from '../src/step/range-fields';
import { formatInZone } from '../src/step/time-zone';
import { containsPhrase, readText } from '../src/text/fold';
import { transcript } from '../src/text/lines';
import { rankMatches } from '../src/text/match';
import { hasSigningKey, isGenuine } from '../src/trigger/delivery';
import { deliveryOf, signed, subscribeData } from './support/deliveries';
import { expectHalt } from './support/halt';
import { authData, expectCall, recordSends, toResponse } from './support/service';
import { isWide } from './support/width';
import { runStep } from './support/zapier';

describe('attackers', () => {
  const receive = (request: object, kept = subscribeData) =>
    runStep('triggers.message_received.operation.perform', { authData, subscribeData: kept, ...request });

  describe('a delivery', () => {
    test('that is huge and forged is refused', async () => {
      const { rawRequest } = signed(deliveryOf('message.received'));
      const content = JSON.stringify({ padding: 'x'.repeat(2_000_000) });
      await expect(receive({ rawRequest: { ...rawRequest, content } })).rejects.toThrow('may not come from');
    });

    test('that is huge and genuine starts the Zap', async () => {
      const text = 'x'.repeat(1_000_000);
      await expect(receive(signed(deliveryOf('message.received', { text })))).resolves.toMatchObject([{ text }]);
    });

    test.each([100, 200_000])('that is genuine and nested %i deep gives a record or a sentence', async (depth) => {
      const { content, ...request } = signed(deliveryOf('message.received', { deep: 'HERE' }), {
        change: (text) => text.replace('"HERE"', '['.repeat(depth) + ']'.repeat(depth)),
      }).rawRequest;
      const result = await receive({ rawRequest: { ...request, content } }).catch((error: Error) => error.message);
      expect(JSON.stringify(result).slice(0, 200)).toMatch(/^(\[\{|"The messaging service sent something that .+\.")/);
    });

    test('nested over 100 levels is not read, because each level is a call of core', () => {
      const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
      expect([parseJson(nested(100)), parseJson(nested(101))]).toEqual([expect.any(Array), undefined]);
    });

    test('that contains the token of the account gives a record without it', async () => {
      const text = `My key is ${authData.api_token}.`;
      const event = deliveryOf('message.received', { text, [authData.api_token]: [...authData.api_token].join(' ') });
      const received = await receive(signed(event));
      expect(received).toMatchObject([{ text: 'My key is ….', '…': '…' }]);
    });

    test('that is genuine cannot change what objects are', async () => {
      const poison = '"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}';
      const change = (text: string) => text.replace('"harmless":1', poison);
      const [record] = (await receive(signed(deliveryOf('message.received', { harmless: 1 }), { change }))) as object[];
      expect(record).toMatchObject({ id: events['message.received'].sample.id });
      expect(Object.getPrototypeOf(record)).toBe(Object.prototype);
      expect(record).not.toHaveProperty('polluted');
      expect({}).not.toHaveProperty('polluted');
    });
  });

  describe('what people and customers write', () => {
    const send = async (inputData: Record<string, unknown>) => {
      const sent = recordSends(202, message.sample);
      const templates = toResponse({ data: [{ name: 'hello' }] });
      expectCall('listTemplates').interceptor.optionally().reply(200, templates);
      const input = { channel: 'whatsapp', template: 'hello', to: '+12025550123', ...inputData };
      await runStep('creates.send_message.operation.perform', { authData, inputData: input });
      return sent[0];
    };

    test.each([
      '{{bundle.authData.api_token',
      'So $' + '{7*7} #{7*7} <%= 7*7 %>',
      '"},"to":"+12025550145","x":{"a":"',
      '\u202eTXET\u202c מזמור العربية',
      '👩‍👩‍👧 line one\nline two\ttabbed',
    ])('is sent as text and as nothing else: %j', async (text) => {
      const sent = await send({ variables: { note: text } });
      expect(sent?.body).toEqual({
        channel: 'whatsapp',
        template: 'hello',
        to: '+12025550123',
        // Messaging apps take no line breaks and tabs in a variable, and nobody sees what turns a text around.
        variables: { note: text.replace(/[\n\t]/g, ' ').replace(/[\u202c\u202e]/g, '') },
      });
    });

    test('is not sent when it is a placeholder', async () => {
      const note = '{{bundle.authData.api_token}}';
      const inputData = { channel: 'whatsapp', template: 'hello', to: '+12025550123', variables: { note } };
      await expect(runStep('creates.send_message.operation.perform', { authData, inputData })).rejects.toThrow(
        'is a placeholder, not a value, so this step did nothing.',
      );
    });

    test.each(['__proto__', 'constructor', 'a b'])('may be for a variable called %j', async (name) => {
      const sent = await send({ variables: JSON.parse(`{"${name}": "x"}`) });
      expect(JSON.stringify(sent?.body)).toContain(`"variables":{"${name}":"x"}`);
    });

    test.each(['a\r\nX-Evil: 1', 'a\u0000', 'é', 'x'.repeat(100_000)])(
      "can't add a header to a request: %j",
      async (deduplication_key) => {
        const sent = await send({ deduplication_key });
        expect(sent?.headers['idempotency-key']).toMatch(/^[0-9a-f]{64}$/);
        expect(sent?.headers).not.toHaveProperty('x-evil');
      },
    );
  });

  const endless = '<'.repeat(100_000);

  test.each<[string, Record<string, unknown>, string]>([
    ['searches.find_contact', { email: `${endless.replaceAll('<', 'x')}@example.com` }, 'Email'],
    ['searches.find_conversation_history', { conversation: endless }, 'Conversation'],
    ['searches.find_messages', { channel: endless }, 'Channel'],
    ['creates.update_contact', { contact: endless, first_name: 'Noor' }, 'Contact'],
    ['creates.start_campaign', { campaign: endless, audience: 'saved', max_recipients: '1' }, 'Campaign'],
    // Three thousand characters of a URL, and nine thousand.
    ['searches.find_template', { channel: 'x'.repeat(3_000), name: '漢'.repeat(1_000) }, 'Name'],
    ['triggers.new_contact', { tag: endless }, 'Tag'],
  ])('%s refuses an endless field by its label, before any request', async (place, inputData, label) => {
    await expectHalt(
      runStep(`${place}.operation.perform`, { authData, inputData }),
      `${label} is too long. Shorten it and try again.`,
    );
  });

  describe('an id', () => {
    const find = (id: string) =>
      runStep('searches.find_message_status.operation.perform', { authData, inputData: { message: id } });

    test.each(['../workspace', 'a?b=c', 'a\\b', 'a\r\nb', '\ud800'])(
      'stays within its part of the path: %j',
      async (id) => {
        expectCall('getMessage', { id }).reply(200, message.sample);
        await expect(find(id)).resolves.toHaveLength(1);
      },
    );

    test.each(['.', ' .. '])('that would climb is refused: %j', async (id) => {
      await expectHalt(find(id), expect.stringContaining("isn't an ID or name"));
    });

    test('of a template cannot climb when the form is shown', async () => {
      for (const name of ['..', '../x', 'a?b=c&d#e', 'x/../../webhooks']) {
        const inputData = { channel: 'whatsapp', template: name };
        expectCall('listTemplates', { query: { name, channel: 'whatsapp', limit: 100 } }).reply(200, { data: [] });
        expectCall('listChannels').reply(200, { data: [channel.sample] });
        const fields = await runStep('creates.send_message.operation.inputFields', { authData, inputData });
        expect((fields as { key: string }[]).map(({ key }) => key)).toContain('template_problem');
      }
    });
  });
});

describe('the token in a field', () => {
  /** Any token that the app could send, long enough to be a secret. */
  const anyToken = fc.stringMatching(/^[!-~]{8,60}$/).filter((token) => cleanToken(token) === token);

  const spellEach = (spell: (character: string) => string) => (token: string) => token.replace(/./g, spell);
  const toHex = (character: string): string => character.charCodeAt(0).toString(16).padStart(2, '0');

  const texts: ((token: string) => string)[] = [
    (token) => token,
    (token) => ` Bearer ${token}\n`,
    (token) => `Authorization: Bearer ${token}`,
    (token) => `My token is "${token}", thanks. ${'x'.repeat(10_000)}`,
    (token) => `${token.slice(0, 4)}\r\n  ${token.slice(4)}`,
    (token) => [...token].join('\u200b'),
    (token) => [...token].join(' '),
    (token) => [...token].join('\u0000\u3000\ufe0f'),
    encodeURIComponent,
    spellEach((character) => `%${toHex(character)}`),
    spellEach((character) => `%${toHex(character).toUpperCase()}`),
    spellEach((character) => `\\u00${toHex(character)}`),
    (token) => JSON.stringify(token).replaceAll('/', '\\/'),
  ];

  const values: ((text: string) => unknown)[] = [
    (text) => text,
    (text) => ['vip', text],
    (text) => [['vip'], [text]],
    (text) => ({ [text]: 'x' }),
    (text) => ({ details: [{ name: text }] }),
  ];

  const anySpelling = fc.tuple(fc.constantFrom(...texts), fc.constantFrom(...values)).map(
    ([spell, wrap]) =>
      (token: string) =>
        wrap(spell(token)),
  );

  /** Runs a step whose service answers everything, and returns its error and what it sent. */
  const runWith = async (path: string, bundle: Parameters<typeof runStep>[1]) => {
    const sent: string[] = [];
    const record = (uri: string, body: nock.Body) => {
      sent.push(uri + JSON.stringify(body));
      return [200, { id: '1', data: [] }] as const;
    };
    nock.cleanAll();
    const scope = nock(/.*/).persist();
    scope.get(/.*/).reply(record).post(/.*/).reply(record).patch(/.*/).reply(record).delete(/.*/).reply(record);
    const outcome = await runStep(path, { targetUrl: 'https://hooks.example.com/1', ...bundle }).catch(
      (error: Error) => error,
    );
    nock.cleanAll();
    return { outcome, sent };
  };

  /** Lists the parts of a token that would give it away. */
  const partsOf = (token: string): string[] =>
    Array.from({ length: token.length - 7 }, (_, index) => token.slice(index, index + 8));

  const expectRefusal = async (label: string, token: string, path: string, bundle: Parameters<typeof runStep>[1]) => {
    const { outcome, sent } = await runWith(path, bundle);
    expect(sent).toEqual([]);
    expect(outcome).toMatchObject({
      name: 'HaltedError',
      message: expect.stringMatching(/^[^:]+: this contains your API token, so the step stopped\. Remove it from the /),
    });
    const { message } = outcome as Error;
    expect(message.split(':')[0]).toBe(label);
    expect(message.length).toBeLessThan(250);
    expect(partsOf(token).filter((part) => message.includes(part))).toEqual([]);
  };

  /** Every function of a step that reads its input. */
  const functionsOf = ({ place, step }: PlacedStep): string[] =>
    ['perform', 'performList', 'performSubscribe', 'performResume', 'inputFields']
      .filter(
        (name) => name !== 'inputFields' || step.operation.inputFields?.some((each) => typeof each === 'function'),
      )
      .filter((name) => name in step.operation)
      .concat(
        (step.operation.inputFields ?? []).flatMap((each, index) =>
          hasListedChoices(each) ? `inputFields.${index}.choices.perform` : [],
        ),
      )
      .map((name) => `${place}.operation.${name}`);

  /** A field for a variable, which only the form of its template has. */
  const variable = { key: 'variable_eta', label: 'Arrival Time' };
  const meta = { inputFields: { [variable.key]: { ...variable, format: 'text', required: true } } };

  const formFieldsOf = async ({ place }: PlacedStep) => {
    const step = stepsOf(await expandForms()).find((each) => each.place === place)?.step;
    const fields = step ? plainFields(step).filter(({ type }) => type !== 'copy') : [];
    return fields.some(({ key }) => key === 'variables') ? [...fields, variable] : fields;
  };

  test.each(stepsOf(currentApp))('$place refuses the token in each of its fields, by the label', async (placed) => {
    for (const { key, label = key } of await formFieldsOf(placed)) {
      for (const path of functionsOf(placed)) {
        await fc.assert(
          fc.asyncProperty(anyToken, anySpelling, async (token, spell) => {
            const bundle = { authData: { ...authData, api_token: token }, inputData: { [key]: spell(token) }, meta };
            await expectRefusal(label, token, path, bundle);
          }),
          { numRuns: isWide ? 2 : 1 },
        );
      }
    }
  });

  test.each([
    ['base_url', 'API Base URL'],
    ['default_country', 'Default Country'],
  ])('the token in %s of the account is refused before anything is sent', async (key, label) => {
    const paths = ['authentication.test', ...stepsOf(currentApp).flatMap(functionsOf)];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), anyToken, fc.constantFrom(...texts), async (path, token, spell) => {
        await expectRefusal(label, token, path, { authData: { ...authData, api_token: token, [key]: spell(token) } });
      }),
      { numRuns: 20 },
    );
  });

  test.each([
    ['of a value', (token: string) => ({ [token]: 'x' })],
    ['in a value', (token: string) => ({ note: { [token]: 'x' } })],
    ['in a list', (token: string) => [[{ [`Bearer ${token}`]: null }]]],
  ])('the token as a name %s is refused', async (_where, give) => {
    const token = authData.api_token;
    const bundle = { authData, inputData: { attributes: give(token) } };
    await expectRefusal('Custom Details', token, 'creates.create_contact.operation.perform', bundle);
  });

  const send = (api_token: string, first_name: string) =>
    runWith('creates.create_contact.operation.perform', {
      authData: { ...authData, api_token },
      inputData: { email: 'noor@example.com', first_name },
    });

  test.each([
    ['the start of the token', authData.api_token, authData.api_token.slice(0, -1)],
    ['the token in another case', authData.api_token, authData.api_token.toUpperCase()],
  ])('%s is text like any other', async (_what, token, text) => {
    const { outcome, sent } = await send(token, text);
    expect(outcome).toMatchObject({ id: '1' });
    expect(sent).toEqual([expect.stringContaining(text)]);
  });

  test('a Zap can be turned off, whatever is in its form', async () => {
    const path = 'triggers.message_received.operation.performUnsubscribe';
    const { outcome } = await runWith(path, {
      authData,
      inputData: { contains: [authData.api_token] },
      subscribeData: { id: 'wh_1' },
    });
    expect(outcome).toEqual({ id: 'wh_1' });
  });
});

describe('AI agents', () => {
  const toOne = { channel: 'whatsapp', template: 'hello', to: '+12025550123' };
  const toAll = { campaign: 'cmp_1', max_recipients: 500 };

  test.each<[ai_agents: string, step: string, inputData: object, needed: string]>([
    ['read', 'send_message', toOne, 'message one person'],
    ['read', 'send_message_and_wait', toOne, 'message one person'],
    ['read', 'start_campaign', { campaign: 'cmp_1', audience: 'one', to: '+12025550123' }, 'message one person'],
    ['read', 'create_contact', { email: 'noor@example.com' }, 'message one person'],
    ['read', 'create_or_update_contact', { email: 'noor@example.com' }, 'message one person'],
    ['read', 'update_contact', { contact: 'con_1', first_name: 'Noor' }, 'message one person'],
    ['a word of tomorrow', 'send_message', toOne, 'message one person'],
    ['', 'delete_contact', { contact: 'con_1' }, 'Everything'],
    ['', 'start_campaign', { ...toAll, audience: 'saved' }, 'Everything'],
    ['message', 'start_campaign', { ...toAll, audience: ' SAVED ' }, 'Everything'],
    ['message', 'start_campaign', { ...toAll, audience: 'The saved audience' }, 'Everything'],
    ['message', 'start_campaign', { ...toAll, audience: ['saved'] }, 'Everything'],
    ['message', 'delete_contact', { contact: 'con_1' }, 'Everything'],
  ])('that an account lets do %j may not run %s with %j', async (ai_agents, step, inputData, needed) => {
    const bundle = { authData: { ...authData, ai_agents }, inputData: { ...inputData } };
    await expectHalt(
      runStep(`creates.${step}.operation.perform`, bundle),
      expect.stringMatching(
        `: the account doesn't let AI agents do this, so nothing was done\\. .+ choose "[^"]*${needed}`,
      ),
    );
  });
});

describe('patterns over long texts', () => {
  /** Pieces that the patterns of the parsers look for. */
  const piece = fc.constantFrom(
    ...[' ', '\n', '\t', '\u200b', '\u00a0', '\ufeff', '\u0000', '\ud800', 'é', '１', '٣', '︙'],
    ...`0 1 12 14:30 : . , - + / // @ # ? % %2f = & _ ' "`.split(' '),
    ...['\\', '\\"', '{', '{{', '}}', '}', '[', '[[', ']', '(', ')', '<', '<a', '>', '{"a":', '[1,', '"x",', 'true'],
    ...['a', 'at a', 'at (', 'at a.js:1', 'File "', 'line 1', 'Bearer ', 'Authorization:', 'https://', 'https:'],
    ...'.com xn-- GMT UTC Z T pm p.m. Jun 2026 2026-06-12 06/12/2026 20260612T1230'.split(' '),
    ...['June ', 'Fri, ', 'whsec_', 'v1,', 'AAAA', 'tel:', '+31', '0031', 'variable_', 'v1/'],
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
      [{ name: 'x', variables: [{ name: 'a', format, label: 'A' }] }],
      undefined,
    );

  /** Reads the text as a label, and as a value, of a template that is mapped. */
  const readUnnamedVariable = (text: string) =>
    readVariables(
      { inputData: { variables: { [text]: text } }, meta: {} } as unknown as Bundle,
      [{ name: 'x', variables: [{ name: 'a', label: text.slice(1), format: 'date' }] }],
      undefined,
    );

  const delivery = (name: string) => (text: string) =>
    isGenuine(
      {
        content: text,
        headers: { ...signatureHeaders({ id: '1', timestamp: '1', body: '' }, [subscribeData.secret]), [name]: text },
      },
      subscribeData.secret,
    );

  const parsers: Record<string, (text: string) => unknown> = {
    parseBaseUrl,
    parseToken,
    readRetryAfter,
    parseJson,
    'parseJson of a string': (text) => parseJson(JSON.stringify(text)),
    readTime: (text) => readTime(text, 'Europe/Amsterdam').value,
    readDate: (text) => readDate(text, 'Europe/Amsterdam').value,
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
});

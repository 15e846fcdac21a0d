/** Where requests go, and with which token. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'node:url';
import fc from 'fast-check';
import { project } from '../../lab/cli/environment';
import { currentApp } from '../../scripts/docs/definition';
import { connectionEntries } from '../../src/api/connection';
import { pathPrefix } from '../../src/api/endpoints';
import { workspace } from '../../src/api/resources';
import { brand } from '../../src/brand';
import { parseBaseUrl } from '../../src/call/address';
import { parseConnection, parseToken } from '../../src/call/connection';
import { authData, expectCall, testedAccount } from '../support/service';
import { runStep } from '../support/zapier';

describe('the connection', () => {
  const inLambda = (name: string, check: () => void): void => {
    process.env[name] = '127.0.0.1:9001';
    try {
      check();
    } finally {
      delete process.env[name];
    }
  };

  /** What IANA lists as not public, for each kind of address. */
  const privateRanges = [
    ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
    ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
    ...['224.0.0.0/3', '::/3', '2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20', '4000::/2', '8000::/1'],
  ];

  /** Returns the first and last address of a range as numbers, those just outside, and how to write one as a host. */
  const readRange = (range: string) => {
    const [network = '', bits] = range.split('/');
    const isV4 = network.includes('.');
    const [count, groupBits] = isV4 ? [4, 8n] : [8, 16n];
    const groups = Array.from({ length: count }, (_, at) => network.split(isV4 ? '.' : ':')[at] || '0');
    const first = groups.reduce((number, group) => (number << groupBits) + BigInt(isV4 ? group : `0x${group}`), 0n);
    const last = first + (1n << (BigInt(count) * groupBits - BigInt(bits ?? ''))) - 1n;
    const write = (address: bigint): string => {
      const parts = groups.map((_, at) =>
        BigInt.asUintN(Number(groupBits), address >> (BigInt(count - 1 - at) * groupBits)),
      );
      return isV4 ? parts.join('.') : `[${parts.map((part) => part.toString(16)).join(':')}]`;
    };
    const isAddress = (number: bigint): boolean => number >= 0n && number < 1n << (BigInt(count) * groupBits);
    return { isV4, first, last, write, outside: [first - 1n, last + 1n].filter(isAddress) };
  };

  const ranges = privateRanges.map(readRange);

  describe('the API Base URL', () => {
    test.each([
      ['https://api.example.com', 'https://api.example.com'],
      [`https://api.example.com${pathPrefix}`, 'https://api.example.com'],
      [`https://api.example.com${pathPrefix}/`, 'https://api.example.com'],
      ['api.example.com', 'https://api.example.com'],
      ['  https://API.Example.com\n', 'https://api.example.com'],
      ['https://api.example.com:8443/messaging/', 'https://api.example.com:8443/messaging'],
      [`https://api.example.com/messaging/${pathPrefix}`, 'https://api.example.com/messaging'],
      [`https://api.example.com${pathPrefix.toUpperCase()}`, 'https://api.example.com'],
      ['<https://api.example.com>', 'https://api.example.com'],
      ['https://api_eu.example.com.', 'https://api_eu.example.com.'],
      ['https://[2606:4700::6810:84e5]/', 'https://[2606:4700::6810:84e5]'],
    ])('forgives how people paste it: %j', (pasted, read) => {
      expect(parseBaseUrl(pasted)).toBe(read);
    });

    test.each([
      ['http://127.0.0.1:4010', 'http://127.0.0.1:4010'],
      [`http://localhost:4010${pathPrefix}`, 'http://localhost:4010'],
      ['http://[::1]:4010', 'http://[::1]:4010'],
      ['https://localhost', 'https://localhost'],
    ])('may be plain http on this machine: %j', (pasted, read) => {
      expect(parseBaseUrl(pasted)).toBe(read);
    });

    test.each(['AWS_LAMBDA_FUNCTION_NAME', 'AWS_LAMBDA_RUNTIME_API', 'LAMBDA_TASK_ROOT'])(
      'may not be this machine inside AWS Lambda, where it is the control port (%s)',
      (name) => {
        inLambda(name, () => {
          for (const address of ['http://127.0.0.1:9001', 'https://localhost', 'http://[::1]', 'https://127.1.2.3']) {
            expect(() => parseBaseUrl(address)).toThrow(/API Base URL: .+(https|private network)/);
          }
          expect(parseBaseUrl('https://api.example.com')).toBe('https://api.example.com');
        });
      },
    );

    test.each([
      [undefined, 'the address is missing'],
      ['   ', 'the address is missing'],
      ['https://exa mple.com', "isn't a web address"],
      ['javascript:alert(1)', "isn't a web address"],
      ['http://api.example.com', 'start with https://'],
      ['http://127.0.0.1.evil.example', 'start with https://'],
      ['ftp://api.example.com', 'start with https://'],
      ['me@api.example.com', 'remove the user name'],
      ['https://:secret@api.example.com', 'remove the user name'],
      ['https://api.example.com/?token=1', 'remove the ? or #'],
      ['https://api.example.com/#top', 'remove the ? or #'],
      ['https://169.254.169.254/latest', 'private network'],
      ['https://2852039166', 'private network'],
      ['https://0251.0376.0251.0376', 'private network'],
      ['https://metadata.google.internal', 'private network'],
      ['https://messages.internal', 'private network'],
      ['https://metadata.goog', 'private network'],
      ['https://kubernetes.default.svc', 'private network'],
      ['https:/api.example.com', "isn't a web address"],
      ['https://metadata.google.internal./', 'private network'],
      ['https://printer.local.', 'private network'],
      ['https://api.localhost', 'private network'],
      ['https://169.254.169.254;.example.com', "isn't a web address"],
      ['https://169.254.169.254{.example.com', "isn't a web address"],
      ['https://{{x}}.example.com', "isn't a web address"],
      [`https://${'a.'.repeat(127)}example.com/169.254.169.254`, "isn't a web address"],
      [`https://api.example.com/${'a'.repeat(2_048)}`, "isn't a web address"],
    ])('is refused with the reason: %j', (pasted, reason) => {
      expect(() => parseBaseUrl(pasted)).toThrow(reason);
    });

    test.each(privateRanges)('is refused in all of the private range %s, and taken just outside', (range) => {
      const { isV4, first, last, write, outside } = readRange(range);
      const isPrivate = (address: bigint) =>
        ranges.some((each) => each.isV4 === isV4 && each.first <= address && address <= each.last);
      inLambda('LAMBDA_TASK_ROOT', () => {
        fc.assert(
          fc.property(fc.bigInt(first, last), (address) => {
            expect(() => parseBaseUrl(`https://${write(address)}`)).toThrow('private network');
          }),
          { examples: [[first], [last]] },
        );
        for (const address of outside.filter((each) => !isPrivate(each))) {
          expect(parseBaseUrl(`https://${write(address)}`)).toMatch(/^https:/);
        }
      });
    });

    test('leads to the same host for the parser that checks it and the one that connects', () => {
      const sign = fc.constantFrom(...'\'";{}`|^\\<>*%@,!$&()+=~_-.:[]/ \t\u00ad\u3002');
      const part = fc.oneof(
        sign,
        fc.constantFrom('169.254.169.254', 'example', 'com', 'xn--', '1', '0x7f', '2606:4700::1'),
      );
      const host = fc.array(part, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(''));
      const long = fc.integer({ min: 240, max: 260 }).map((length) => `${'a.'.repeat(length / 2)}example.com`);
      const path = fc.constantFrom('', '/', '/base', '/@example.com', "/';{}`|^");
      const address = fc
        .tuple(fc.oneof({ weight: 9, arbitrary: host }, { weight: 1, arbitrary: long }), path)
        .map(([name, rest]) => `https://${name}.example.com${rest}`);
      fc.assert(
        fc.property(address, (pasted) => {
          let read: string;
          try {
            read = parseBaseUrl(pasted);
          } catch {
            return;
          }
          const { href, host: checked } = new URL(`${read}/v1/messages`);
          expect(parse(href).host).toBe(checked);
          expect(parse(new URL(parse(href).href).href).host).toBe(checked);
        }),
        { numRuns: 1_000 },
      );
    });

    test('an address with letters beyond ASCII is read alike each time, which URL.canParse of Node 22 does not do', () => {
      const read = Array.from({ length: 10_000 }, () => parseBaseUrl('https://münchen.example.com'));
      expect(new Set(read)).toEqual(new Set(['https://xn--mnchen-3ya.example.com']));
    });
  });

  describe('the API Token', () => {
    test.each([
      ['tok_abc123', 'tok_abc123'],
      ['tok_\nabc\r\n 123', 'tok_abc123'],
      ['Bearer tok_abc123', 'tok_abc123'],
      ['Authorization: Bearer tok_abc123', 'tok_abc123'],
      ['Token: tok_abc123', 'tok_abc123'],
      ['bearertok', 'bearertok'],
      ['\u200btok_abc123\ufeff', 'tok_abc123'],
    ])('forgives how people paste it: %j', (pasted, read) => {
      expect(parseToken(pasted)).toBe(read);
    });

    test.each([undefined, '  \n', 'Bearer  '])('is asked for when the address is missing: %j', (pasted) => {
      expect(() => parseToken(pasted)).toThrow('The API Token is missing. Create an API token');
    });

    test.each(['tok_é', 'tok_\u0000abc'])('is asked for again when it can be no token: %j', (pasted) => {
      expect(() => parseToken(pasted)).toThrow('contains invalid characters');
    });
  });

  test('a connection without anything says that the address is missing', () => {
    expect(() => parseConnection(undefined)).toThrow('API Base URL: the address is missing');
  });
});

describe('authentication', () => {
  const testConnection = (connection: Record<string, string> = authData) =>
    runStep('authentication.test', { authData: connection });

  test('an account needs an address and a token, may say who gets messages, and is named after its workspace', () => {
    expect(currentApp.authentication).toMatchObject({
      type: 'custom',
      connectionLabel: '{{name}}',
      fields: [
        { key: 'api_token', label: 'API Token', required: true, type: 'password' },
        { key: 'base_url', label: 'API Base URL', required: true },
        ...connectionEntries.map(([key, { label }]) => ({ key, label, required: true })),
        { key: 'default_country', label: 'Default Country', required: false, choices: expect.any(Array) },
        { key: 'test_recipient', label: 'Test Messages Go To', required: false },
        {
          key: 'ai_agents',
          label: 'What AI Agents May Do',
          required: false,
          default: 'message',
          choices: expect.any(Array),
        },
        { key: 'allowed_countries', label: 'Send Only To Countries', required: false },
      ],
    });
  });

  test('one line fixes the address for all accounts, and the account no longer asks for it', () => {
    expect(readFileSync(join(project, 'src/brand.ts'), 'utf8').split("sharedApi: '',")).toHaveLength(2);
    jest.isolateModules(() => {
      jest.doMock('../../src/brand', () => ({ brand: { ...brand, sharedApi: 'https://one.example.com/v1' } }));
      const copy: typeof import('../../src/authentication') = require('../../src/authentication');
      const connection: typeof import('../../src/call/connection') = require('../../src/call/connection');
      jest.dontMock('../../src/brand');
      expect(copy.authentication.fields?.map(({ key }) => key)).not.toContain('base_url');
      const account = { ...authData, base_url: 'https://other.example.com' };
      expect(connection.parseConnection(account).baseUrl).toBe('https://one.example.com');
    });
  });

  test('a live token gives the workspace, whose name labels the connection', async () => {
    expectCall('getWorkspace').reply(200, workspace.sample);
    await expect(testConnection()).resolves.toEqual(testedAccount);
  });

  test.each(['abc', 'Bearer 1234567'])('a token that may be part of any text is refused: %s', async (api_token) => {
    await expect(testConnection({ ...authData, api_token })).rejects.toMatchObject({
      name: 'ExpiredAuthError',
      message:
        'The API Token is too short to be complete. Copy it again from the messaging service, then reconnect this account.',
    });
  });

  test.each([
    [
      'allowed_countries',
      'NL, Atlantis',
      "isn't in the list of countries, so nothing was sent. Enter two-letter codes in the",
    ],
    [
      'allowed_countries',
      ',',
      "isn't in the list of countries, so nothing was sent. Enter two-letter codes in the account",
    ],
    ['test_recipient', '12', 'Test Messages Go To of the account: "12" isn\'t a complete phone number'],
  ])('an account with %s "%s" says why it is refused, without any request', async (key, value, words) => {
    await expect(testConnection({ ...authData, [key]: value })).rejects.toThrow(words);
  });

  test('a dead token asks to reconnect and says how to get a new one', async () => {
    expectCall('getWorkspace').reply(401, {
      error: { code: 'invalid_token', message: 'Unknown token' },
      request_id: 'req_1',
    });
    await expect(testConnection()).rejects.toMatchObject({
      name: 'ExpiredAuthError',
      message:
        'The API token is missing, invalid or expired. Create a new API token in the messaging service, then reconnect this account.',
    });
  });

  const needsGrowth =
    'The API needs the Growth plan or above. Upgrade the workspace in the messaging service, then try again.';

  test('a workspace below Growth is told the plan it needs, when the service refuses', async () => {
    const error = { code: 'plan_required', message: 'Upgrade', required_plan: 'growth' };
    expectCall('getWorkspace').reply(403, { error });
    await expect(testConnection()).rejects.toThrow(needsGrowth);
  });

  test('a workspace below Growth is told the plan it needs, when the service does not refuse', async () => {
    expectCall('getWorkspace').reply(200, { ...workspace.sample, plan: 'starter' });
    await expect(testConnection()).rejects.toThrow(needsGrowth);
  });

  test('a workspace on a plan of tomorrow is assumed to have API access', async () => {
    expectCall('getWorkspace').reply(200, { ...workspace.sample, plan: 'tomorrow' });
    await expect(testConnection()).resolves.toMatchObject({ plan: 'tomorrow' });
  });
});

/** Where requests go, and with which token. */

import { createCipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import dns from 'node:dns';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { parse } from 'node:url';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import nock from 'nock';
import * as z from 'zod/mini';
import { project } from '../../lab/cli/environment';
import { createHandlers } from '../../lab/zapier/core/handler';
import { currentApp } from '../../scripts/docs/definition';
import { connectionEntries, exampleConnection } from '../../src/api/connection';
import { pathPrefix } from '../../src/api/endpoints';
import { message, workspace } from '../../src/api/resources';
import { brand } from '../../src/brand';
import { parseBaseUrl } from '../../src/call/address';
import { parseConnection, parseToken } from '../../src/call/connection';
import { download, lookUpPublic } from '../../src/message/files';
import { type Call, serveRpc } from '../support/rpc';
import { authData, expectCall, testedAccount } from '../support/service';
import { definition, runStep } from '../support/zapier';

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

describe('files', () => {
  const connection = { baseUrl: authData.base_url, token: authData.api_token };
  const photo = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]);
  const jpeg = { 'content-type': 'image/jpeg' };

  /** Announces a file at another host than the API's, which must not get the token. */
  const elsewhere = (host: string) => nock(host, { badheaders: ['authorization'] });

  /** Announces a file at the API's own host, which gets the token. */
  const atService = () => nock(authData.base_url, { reqheaders: { authorization: `Bearer ${authData.api_token}` } });

  const contentOf = async (link: string): Promise<Buffer> => {
    const { content } = await download(link, connection, exampleConnection);
    const chunks: Buffer[] = [];
    for await (const chunk of content) chunks.push(Buffer.from(chunk));
    return Buffer.concat(chunks);
  };

  const refused = { name: 'HaltedError', message: expect.stringMatching(/^Attachment File: .+\. Open the message /) };

  test('the token goes to any path below the API Base URL', async () => {
    atService().get('/files/1').reply(200, photo, jpeg);
    await expect(contentOf('https://api.example.com/files/1')).resolves.toEqual(photo);
  });

  test.each(['https://api.example.com:8443', 'https://api.example.com.evil.example'])(
    'no token goes to %s',
    async (host) => {
      elsewhere(host).get('/1').reply(200, photo, jpeg);
      await expect(contentOf(`${host}/1`)).resolves.toEqual(photo);
    },
  );

  test.each(['/files/1', '/tenantb/files/1', '/tenant/../files/1', '/'])(
    'no token goes to %s of a host that several share',
    async (path) => {
      const { pathname } = new URL(path, authData.base_url);
      elsewhere(authData.base_url).get(pathname).reply(200, photo, jpeg);
      const shared = { ...connection, baseUrl: `${authData.base_url}/tenant` };
      await expect(download(authData.base_url + path, shared, exampleConnection)).resolves.toMatchObject({
        type: 'image/jpeg',
      });
    },
  );

  test('a relative redirect stays at its host', async () => {
    atService().get('/files/1').reply(307, '', { location: '2' }).get('/files/2').reply(200, photo, jpeg);
    await expect(contentOf('https://api.example.com/files/1')).resolves.toEqual(photo);
  });

  const privateLinks = [
    'http://files.example.com/1',
    'https://user:pass@files.example.com/1',
    'https://localhost/1',
    'https://169.254.169.254/latest/meta-data',
    'https://[fe80::1]/1',
    'https://[::ffff:10.0.0.1]/1',
    'https://intranet/1',
    'file:///etc/passwd',
    'not a link',
    '',
  ];

  test.each(privateLinks)('nothing is requested of %j, as a link', async (link) => {
    const asked = jest.fn();
    nock.emitter.on('no match', asked);
    await expect(contentOf(link)).rejects.toMatchObject(refused);
    nock.emitter.off('no match', asked);
    expect(asked).not.toHaveBeenCalled();
  });

  // The others would be read as paths of the host that redirects.
  test.each(privateLinks.filter((link) => URL.canParse(link)))(
    'nothing is requested of %j, as the end of a redirect',
    async (link) => {
      const asked = jest.fn();
      nock.emitter.on('no match', asked);
      elsewhere('https://files.example.com').get('/start').reply(302, '', { location: link });
      await expect(contentOf('https://files.example.com/start')).rejects.toMatchObject(refused);
      nock.emitter.off('no match', asked);
      expect(asked).not.toHaveBeenCalled();
    },
  );

  test('whatever the redirects, the token reaches only the own host of the API', async () => {
    const place = fc.constantFrom('https://api.example.com', 'https://files.example.com', 'https://cdn.example.org');
    await fc.assert(
      fc.asyncProperty(fc.array(place, { minLength: 1, maxLength: 6 }), async (hops) => {
        const at = (host: string) => (host === authData.base_url ? atService() : elsewhere(host));
        const last = hops.length - 1;
        for (const [index, host] of hops.slice(0, -1).entries())
          at(host)
            .get(`/${index}`)
            .reply(302, '', { location: `${hops[index + 1]}/${index + 1}` });
        at(`${hops[last]}`).get(`/${last}`).reply(200, photo, jpeg);
        await expect(contentOf(`${hops[0]}/0`)).resolves.toEqual(photo);
        expect(nock.pendingMocks()).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  test('a circle of redirects ends', async () => {
    elsewhere('https://files.example.com').get('/1').times(6).reply(302, '', { location: '/1' });
    await expect(contentOf('https://files.example.com/1')).rejects.toMatchObject(refused);
  });

  test.each([
    [200, { 'content-type': 'text/html; charset=utf-8' }, refused],
    [200, { ...jpeg, 'content-length': `${200 * 1024 * 1024}` }, refused],
    [404, {}, refused],
    [403, {}, refused],
    [500, {}, { name: 'AppError' }],
    [204, {}, { name: 'AppError' }],
  ])('a response %i with %j is no file', async (status, headers, error) => {
    elsewhere('https://files.example.com').get('/1').reply(status, 'x', headers);
    await expect(contentOf('https://files.example.com/1')).rejects.toMatchObject(error);
  });

  test('a file that says no size and has more than 100 MB stops', async () => {
    const megabytes: Buffer[] = Array(101).fill(Buffer.alloc(1024 * 1024));
    elsewhere('https://files.example.com')
      .get('/1')
      .reply(200, () => Readable.from(megabytes), jpeg);
    const { content } = await download('https://files.example.com/1', connection, exampleConnection);
    await expect(finished(content.resume())).rejects.toMatchObject({
      name: 'HaltedError',
      message: expect.stringMatching(/^Attachment File: the file is larger than 100 MB\./),
    });
  });

  /** Returns what a name leads to, or why it isn't connected to. */
  const lookUp = (host: string) =>
    new Promise((resolve) => {
      lookUpPublic(host, { all: true }, (error, address) => resolve(error ?? address));
    });

  test('a public name that leads into a private network is not connected to', async () => {
    await expect(lookUp('localhost')).resolves.toMatchObject({ message: 'a private address' });
  });

  test.each([
    [['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'], undefined],
    [['93.184.215.14', '10.0.0.1'], 'a private address'],
    [['10.0.0.1', '93.184.215.14'], 'a private address'],
    [['93.184.215.14', '::1'], 'a private address'],
    [[], 'no address'],
  ])('a name that leads to %j gives the error %j', async (addresses, message) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }));
    jest
      .spyOn(dns, 'lookup')
      .mockImplementationOnce((...given: unknown[]) =>
        z.custom<(error: null, found: object[]) => void>().parse(given.at(-1))(null, found),
      );
    await expect(lookUp('files.example.com')).resolves.toEqual(message ? new Error(message) : found);
  });

  /** Seals a large bundle as Zapier does: compressed, then encrypted with Fernet. */
  const seal = (bundle: object, secret: string): string => {
    const key = createHash('sha256').update(secret).digest();
    const iv = randomBytes(16);
    const cipher = createCipheriv('aes-128-cbc', key.subarray(16), iv);
    const text = gzipSync(JSON.stringify(bundle)).toString('base64');
    const version = Buffer.from([0x80, ...Buffer.alloc(8)]);
    const sealed = Buffer.concat([version, iv, cipher.update(text), cipher.final()]);
    const signature = createHmac('sha256', key.subarray(0, 16)).update(sealed).digest();
    return Buffer.concat([sealed, signature]).toString('base64').replaceAll('+', '-').replaceAll('/', '_');
  };

  test('a run whose input Zapier keeps elsewhere, because it is large, has its account and is checked', async () => {
    const rpc = serveRpc(() => ({ url: 'https://bundles.example.com/1' }));
    const run = (method: string, bundle: object) => {
      const environment = { _ZAPIER_ONE_TIME_SECRET: 'secret' };
      nock('https://bundles.example.com').get('/1').reply(200, seal(bundle, environment._ZAPIER_ONE_TIME_SECRET));
      return createHandlers(definition)('find_message_status')({
        command: 'execute',
        method,
        stashedBundleKey: 'large',
        environment,
        storeKey: 'large',
      });
    };
    expectCall('getMessage', { id: message.sample.id }).reply(200, message.sample);
    const perform = 'searches.find_message_status.operation.perform';
    const { results } = await run(perform, { authData, inputData: { message: message.sample.id } });
    expect(results).toMatchObject([{ id: message.sample.id }]);
    await expect(run(perform, { authData, inputData: { message: authData.api_token } })).rejects.toThrow(
      'Message: this contains your API token',
    );
    const form = run('creates.send_message.operation.inputFields', { authData, inputData: {} });
    await expect(form).resolves.toMatchObject({ results: [] });
    rpc.stop();
  });

  test('an address with letters beyond ASCII is read alike each time, which URL.canParse of Node 22 does not do', () => {
    const read = Array.from({ length: 10_000 }, () => parseBaseUrl('https://münchen.example.com'));
    expect(new Set(read)).toEqual(new Set(['https://xn--mnchen-3ya.example.com']));
  });

  test('a file of a message goes to Zapier, with its name and type, when a later step needs it', async () => {
    const uploads: string[] = [];
    const rpc = serveRpc(({ method }: Call) => {
      expect(method).toBe('get_presigned_upload_post_data');
      return { url: 'https://uploads.example.com/', fields: { key: 'abc' } };
    });
    const sent = {
      ...message.sample,
      attachments: [{ type: 'image', url: 'https://api.example.com/files/1', name: 'a/b\n.jpg' }],
    };
    expectCall('getMessage', { id: sent.id }).reply(200, sent);
    const found = await runStep('searches.find_message_status.operation.perform', {
      authData,
      inputData: { message: sent.id },
    });
    const withFile = z.array(z.object({ attachments: z.array(z.object({ file: z.string() })) })).parse(found);
    const pointer = withFile[0]?.attachments[0]?.file.split('|||')[1] ?? '';
    const { method, bundle: inputData } = z
      .object({ method: z.string(), bundle: z.record(z.string(), z.unknown()) })
      .parse(JSON.parse(pointer));

    atService().get('/files/1').reply(200, photo, jpeg);
    nock('https://uploads.example.com')
      .post('/', (body) => {
        uploads.push(Buffer.from(String(body), 'hex').toString('latin1'));
        return true;
      })
      .reply(204);
    await expect(runStep(method, { authData, inputData })).resolves.toBe('https://uploads.example.com/abc');
    expect(uploads.join()).toMatch(/filename="a b \.jpg"[\s\S]+image\/jpeg/);
    expect(pointer).not.toContain(authData.api_token);
    rpc.stop();
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

/** Files of messages: whence they are fetched, with which token, and how large they may be. */

import { createCipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import dns from 'node:dns';
import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import nock from 'nock';
import * as z from 'zod/mini';
import { createHandlers } from '../../lab/zapier/core/handler';
import { exampleConnection } from '../../src/api/connection';
import { message } from '../../src/api/resources';
import { download, lookUpPublic } from '../../src/message/files';
import { type Call, serveRpc } from '../support/rpc';
import { authData, expectCall } from '../support/service';
import { definition, runStep } from '../support/zapier';

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

  const start = 'https://files.example.com/start';

  test.each([
    ...privateLinks.map((link) => ['as a link', link, link] as const),
    // The others would be read as paths of the host that redirects.
    ...privateLinks.filter((link) => URL.canParse(link)).map((link) => ['after a redirect', link, start] as const),
  ])('nothing is requested %s of %j', async (_how, link, first) => {
    const asked = jest.fn();
    nock.emitter.on('no match', asked);
    elsewhere('https://files.example.com').get('/start').optionally().reply(302, '', { location: link });
    await expect(contentOf(first)).rejects.toMatchObject(refused);
    nock.emitter.off('no match', asked);
    expect(asked).not.toHaveBeenCalled();
  });

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
    const parts: Buffer[] = Array(3).fill(Buffer.alloc(40 * 1024 * 1024));
    elsewhere('https://files.example.com')
      .get('/1')
      .reply(200, () => Readable.from(parts), jpeg);
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

/** The files of messages: who gets the token, and what is never asked. */
import fc from 'fast-check';
import nock from 'nock';
import * as z from 'zod/mini';
import { message } from '../../src/api/resources';
import { download, lookUpPublic } from '../../src/http/download';
import { type Call, serveRpc } from '../support/rpc';
import { authData, expectCall } from '../support/service';
import { runStep } from '../support/zapier';

const connection = { baseUrl: authData.base_url, token: authData.api_token };
const photo = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]);
const jpeg = { 'content-type': 'image/jpeg' };

/** Announces a file at another host than the API's, which must not get the token. */
const elsewhere = (host: string) => nock(host, { badheaders: ['authorization'] });

/** Announces a file at the API's own host, which gets the token. */
const atService = () => nock(authData.base_url, { reqheaders: { authorization: `Bearer ${authData.api_token}` } });

const contentOf = async (link: string): Promise<Buffer> => {
  const { content } = await download(link, connection);
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
};

const refused = { name: 'HaltedError', message: expect.stringMatching(/^Attachment File: .+\. Open the message /) };

test('the token goes to the own host of the API, at any path', async () => {
  atService().get('/files/1').reply(200, photo, jpeg);
  await expect(contentOf('https://api.example.com/files/1')).resolves.toEqual(photo);
});

test.each(['https://files.example.com', 'https://api.example.com:8443', 'https://api.example.com.evil.example'])(
  'no token goes to %s',
  async (host) => {
    elsewhere(host).get('/1').reply(200, photo, jpeg);
    await expect(contentOf(`${host}/1`)).resolves.toEqual(photo);
  },
);

test('a redirect to another host loses the token', async () => {
  atService().get('/files/1').reply(302, '', { location: 'https://files.example.com/signed?key=1' });
  elsewhere('https://files.example.com').get('/signed?key=1').reply(200, photo, jpeg);
  await expect(contentOf('https://api.example.com/files/1')).resolves.toEqual(photo);
});

test('a relative redirect stays at its host', async () => {
  atService().get('/files/1').reply(307, '', { location: '2' }).get('/files/2').reply(200, photo, jpeg);
  await expect(contentOf('https://api.example.com/files/1')).resolves.toEqual(photo);
});

const privateLinks = [
  'http://files.example.com/1',
  'https://user:pass@files.example.com/1',
  'https://127.0.0.1/1',
  'https://localhost/1',
  'https://localhost./1',
  'https://10.1.2.3/1',
  'https://192.168.0.1/1',
  'https://169.254.169.254/latest/meta-data',
  'https://metadata.google.internal/1',
  'https://[::1]/1',
  'https://[fe80::1]/1',
  'https://[::ffff:10.0.0.1]/1',
  'https://0x7f000001/1',
  'https://intranet/1',
  'ftp://files.example.com/1',
  'file:///etc/passwd',
  'data:image/png;base64,AAAA',
  'javascript:alert(1)',
  'not a link',
  '',
];

test.each(privateLinks)('nothing is requested of %j, as a link or as the end of a redirect', async (link) => {
  const asked = jest.fn();
  nock.emitter.on('no match', asked);
  await expect(contentOf(link)).rejects.toMatchObject(refused);
  if (/^[a-z]+:/.test(link)) {
    elsewhere('https://files.example.com').get('/start').reply(302, '', { location: link });
    await expect(contentOf('https://files.example.com/start')).rejects.toMatchObject(refused);
  }
  nock.emitter.off('no match', asked);
  expect(asked).not.toHaveBeenCalled();
});

test('whatever the redirects, the token reaches only the own host of the API', async () => {
  const place = fc.constantFrom('https://api.example.com', 'https://files.example.com', 'https://cdn.example.org');
  await fc.assert(
    fc.asyncProperty(fc.array(place, { minLength: 1, maxLength: 6 }), async (hops) => {
      for (const [index, host] of hops.entries()) {
        const next = hops[index + 1];
        const scope = host === authData.base_url ? atService() : elsewhere(host);
        if (next) scope.get(`/${index}`).reply(302, '', { location: `${next}/${index + 1}` });
        else scope.get(`/${index}`).reply(200, photo, jpeg);
      }
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

test('a public name that leads into a private network is not connected to', async () => {
  const found = await new Promise((resolve) => {
    lookUpPublic('localhost', { all: true }, (error, address) => resolve(error ?? address));
  });
  expect(found).toBeInstanceOf(Error);
});

test('a file of a message goes to Zapier, with its name and type, when a later step needs it', async () => {
  const uploads: string[] = [];
  const rpc = serveRpc(({ method }: Call) => {
    if (method !== 'get_presigned_upload_post_data') throw new Error(method);
    return { url: 'https://uploads.example.com/', fields: { key: 'abc' } };
  });
  const sent = {
    ...message.sample,
    attachments: [{ type: 'image', url: 'https://api.example.com/files/1', name: 'a/b\n.jpg' }],
  };
  expectCall('getMessage', { id: sent.id }).reply(200, sent);
  const found = await runStep('searches.find_message.operation.perform', { authData, inputData: { message: sent.id } });
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

/** What web pages of other origins can do to the sandbox, which is nothing. */
import { once } from 'node:events';
import { request } from 'node:http';
import { launchBrowser } from '../../../../scripts/browser';
import { calls } from '../../../../src/api/endpoints';
import { testInBrowser } from '../../../../test/support/browser';
import { pathOf } from '../../../../test/support/calls';
import { deadlineMs } from '../../../../test/support/deadline';
import { type Answered, errorOf, eventually, Running } from '../../../../test/support/running';
import { startSeeded } from '../../../../test/support/seeded';
import { withServer } from '../../../conformance/test/server';

const service = new Running();

const routes = [
  ...calls.map(([name, { method }]) => [method, pathOf(name, { id: 'unknown' })] as const),
  ...(['POST', 'DELETE', 'GET'] as const).map((method) => [method, '/sandbox/faults'] as const),
  ['POST', '/sandbox/tokens'],
  ['GET', '/none'],
] as const;

/** Sends a request with the token to every route, with the headers of a browser. Returns the responses. */
const sendToAll = (headers: Record<string, string> = {}): Promise<Answered[]> =>
  Promise.all(routes.map(([method, path]) => service.call(method, path, method === 'GET' ? undefined : {}, headers)));

const refusal = {
  code: 'malformed_request',
  message: "The sandbox doesn't take requests from web pages. Send them from a program, such as curl.",
};

test.each<Record<string, string>>([
  { 'sec-fetch-site': 'cross-site' },
  // Another port of this machine is the same site.
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'anything' },
  { origin: 'https://evil.example.com' },
  { origin: 'http://127.0.0.1:1' },
  { origin: 'null' },
  { origin: 'https://evil.example.com', 'sec-fetch-site': 'same-origin' },
])('a request of a page with %j is refused, whatever its method and path', async (headers) => {
  await service.control('DELETE', '/requests');
  const answers = await sendToAll(headers);
  expect(answers.map((each) => [each.status, errorOf(each)])).toEqual(routes.map(() => [403, refusal]));
  expect(await service.control('GET', '/requests')).toMatchObject({ body: { data: [] } });
});

test("a request of the sandbox's own page is taken as one of a program is", async () => {
  const statuses = (answers: Answered[]) => answers.map(({ status }) => status);
  const ofProgram = statuses(await sendToAll());
  expect(ofProgram).not.toContain(403);
  for (const site of ['same-origin', 'none']) {
    expect(statuses(await sendToAll({ 'sec-fetch-site': site, origin: service.url }))).toEqual(ofProgram);
  }
});

test('a host name of somebody else that leads to this machine is refused, and localhost is not', async () => {
  const { hostname, port } = new URL(service.url);
  const statusFor = async (host: string) => {
    const [response] = await once(
      request({ hostname, port, path: '/sandbox/requests', headers: { host } }).end(),
      'response',
    );
    response.resume();
    return response.statusCode;
  };
  const others = [
    'evil.example.com',
    `evil.example.com:${port}`,
    'localhost.evil.example.com',
    '192.168.0.10',
    '[::2]',
  ];
  expect(await Promise.all(others.map(statusFor))).toEqual(others.map(() => 403));
  const own = ['localhost', `localhost:${port}`, '127.0.0.1', `[::1]:${port}`];
  expect(await Promise.all(own.map(statusFor))).toEqual(own.map(() => 200));
});

/** What a page can send without permission. The last one leaves the page. */
const attempts = [
  "fetch(address, { method: 'POST', mode: 'no-cors', body })",
  "fetch(address, { method: 'DELETE', headers: { 'x-sandbox-fault': 'drop' } })",
  'navigator.sendBeacon(address, body)',
  'new Image().src = address',
  "document.body.appendChild(document.createElement('script')).src = address",
  "document.body.appendChild(document.createElement('iframe')).src = address",
  "const form = document.body.appendChild(document.createElement('form')); form.action = address; form.method = 'POST'; form.submit()",
];

testInBrowser.each([
  ['another port', {}],
  ['no origin', { 'content-security-policy': 'sandbox allow-scripts allow-forms' }],
])('each request that a browser sends from a page with %s is refused', async (_, headers) => {
  const seen: (number | null)[] = [];
  const sandbox = await startSeeded({ onExchange: ({ status }) => seen.push(status) });
  const browser = await launchBrowser();
  const values = JSON.stringify({ address: `${sandbox.url}/sandbox/tokens`, body: '{}' });
  try {
    await withServer(
      (_request, response) => response.writeHead(200, { 'content-type': 'text/html', ...headers }).end('<body></body>'),
      async (url) => {
        const page = await browser.newPage();
        page.setDefaultTimeout(deadlineMs);
        await page.goto(url);
        for (const attempt of attempts)
          await page.evaluate(`{ const { address, body } = ${values}; ${attempt}; void 0; }`);
        await eventually(() => expect(seen.length).toBe(attempts.length));
      },
    );
  } finally {
    await browser.close();
    await sandbox.stop();
  }
  expect(seen).toEqual(attempts.map(() => 403));
});

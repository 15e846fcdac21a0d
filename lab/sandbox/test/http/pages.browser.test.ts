/** What web pages of other origins can do to the sandbox, which is nothing. */
import { once } from 'node:events';
import { request } from 'node:http';
import fc from 'fast-check';
import { launchBrowser } from '../../../../scripts/browser';
import { calls } from '../../../../src/api/endpoints';
import { methods } from '../../../../src/api/transport';
import { testInBrowser } from '../../../../test/support/browser';
import { pathOf } from '../../../../test/support/calls';
import { deadlineMs } from '../../../../test/support/deadline';
import { type Answered, ask, errorOf, eventually, Running } from '../../../../test/support/running';
import { startSeeded } from '../../../../test/support/seeded';
import { withServer } from '../../../conformance/test/server';

const service = new Running();

/** The control calls of lab/sandbox/README.md, for records that don't exist. */
const controlCalls = [
  ['POST', '/messages'],
  ['POST', '/conversations'],
  ['POST', '/conversations/unknown/messages'],
  ['POST', '/conversations/unknown/close'],
  ['POST', '/conversations/unknown/reopen'],
  ['POST', '/campaigns/unknown/start'],
  ['POST', '/campaigns/unknown/finish'],
  ['POST', '/campaigns/unknown/fail'],
  ['POST', '/clock'],
  ['POST', '/tokens'],
  ['POST', '/tokens/rotate'],
  ['POST', '/webhooks/unknown/rotate-secret'],
  ['GET', '/deliveries'],
  ['POST', '/deliveries/0/again'],
  ['GET', '/requests'],
  ['DELETE', '/requests'],
  ['POST', '/faults'],
  ['GET', '/faults'],
  ['DELETE', '/faults'],
] as const;

const routes = [
  ...calls.map(([name, { method }]) => [method, pathOf(name, { id: 'unknown' })] as const),
  ...controlCalls.map(([method, path]) => [method, `/sandbox${path}`] as const),
];

type Method = (typeof methods)[number];

/** Sends a request as a browser would, with the token. */
const send = async (method: Method, path: string, headers: Record<string, string> = {}): Promise<Answered> => {
  const authorization = `Bearer ${service.sandbox.tokens.advanced}`;
  const answered = await ask(service.url + path, method, method === 'GET' ? undefined : {}, {
    authorization,
    ...headers,
  });
  return answered;
};

const refusal = {
  code: 'malformed_request',
  message: "The sandbox doesn't take requests from web pages. Send them from a program, such as curl.",
};

const foreignOrigins = ['https://evil.example.com', 'http://127.0.0.1:1', 'null'];

/** The headers by which a browser says where a request comes from, each of which may be missing. */
const headers = fc.record({
  site: fc.option(
    fc.oneof(
      fc.constantFrom('cross-site', 'same-site', 'same-origin', 'none'),
      fc.stringMatching(/^[a-z-]{1,20}$/).map((site) => `x${site}`),
    ),
  ),
  origin: fc.option(fc.oneof(fc.constantFrom(...foreignOrigins, 'own'), fc.webUrl())),
});

interface Sender {
  site: string | null;
  origin: string | null;
}

const isForeign = ({ site, origin }: Sender): boolean =>
  ![null, 'same-origin', 'none'].includes(site) || ![null, 'own'].includes(origin);

test('a request of a page of another origin is refused, whatever its method and path, and nobody else', async () => {
  const route = fc.oneof(fc.constantFrom(...routes), fc.tuple(fc.constantFrom(...methods), fc.webPath()));
  await fc.assert(
    fc.asyncProperty(route, headers, async ([method, path], sender) => {
      const { site, origin } = sender;
      const { status } = await send(method, path || '/');
      await service.control('DELETE', '/requests');
      const answer = await send(method, path || '/', {
        ...(site && { 'sec-fetch-site': site }),
        ...(origin && { origin: origin === 'own' ? service.url : origin }),
      });
      const { body: log } = await service.control('GET', '/requests');
      expect(isForeign(sender) ? [answer.status, errorOf(answer), log] : answer.status).toEqual(
        isForeign(sender) ? [403, refusal, { data: [] }] : status,
      );
    }),
    {
      numRuns: 400,
      examples: routes.map((each): [typeof each, Sender] => [each, { site: 'cross-site', origin: null }]),
    },
  );
});

test('every route exists', async () => {
  for (const [method, path] of routes) {
    expect(JSON.stringify((await send(method, path)).body)).not.toContain('There is nothing at');
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
  for (const host of [
    'evil.example.com',
    `evil.example.com:${port}`,
    'localhost.evil.example.com',
    '127.0.0.1.evil.example.com',
    '192.168.0.10',
    '[::2]',
  ]) {
    expect([host, await statusFor(host)]).toEqual([host, 403]);
  }
  for (const host of ['localhost', `localhost:${port}`, '127.0.0.1', `[::1]:${port}`]) {
    expect([host, await statusFor(host)]).toEqual([host, 200]);
  }
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

import type { RequestListener } from 'node:http';
import { CheckAborted } from '../../conformance/checks/check';
import { readOptions } from '../../conformance/options';
import { checkService } from '../../conformance/run';
import { endpoints } from '../../src/api/endpoints';
import { channel } from '../../src/api/resources';
import { toWire } from '../../src/api/translate';
import { receivedBy } from '../support/received';
import { Running } from '../support/running';
import { withServer } from './server';

const running = new Running({ isSmall: true });

/** Checks the service and returns the sentence with which the command stops. */
const reasonToStop = async (url: string, token = running.sandbox.tokens.advanced): Promise<string> => {
  const stopped = await checkService(readOptions(['--base-url', url], { API_TOKEN: token })).catch(
    (error: unknown) => error,
  );
  expect(stopped).toBeInstanceOf(CheckAborted);
  return String(stopped).replace(/^Error: /, '');
};

const redirect: RequestListener = ({ url, headers }, response) => {
  response.writeHead(307, { location: running.url + url }).end(headers.authorization);
};

const page: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Welcome</title>');
};

const nowhere: RequestListener = (_request, response) => {
  response.writeHead(404).end('Not Found');
};

const strange: RequestListener = (_request, response) => {
  response.writeHead(400, { 'content-type': 'application/json' }).end('{"message":"Unknown route"}');
};

const echo: RequestListener = ({ headers }, response) => {
  response.writeHead(401).end(JSON.stringify({ message: `held: ${headers.authorization}` }));
};

test.each<[what: string, listener: RequestListener, sentence: RegExp]>([
  ['a redirect', redirect, /^BASE_URL redirects to http:\/\/127\.0\.0\.1:\d+, so set it to the API's own address\.$/],
  ['an HTML page', page, /^BASE_URL isn't the address of the API: http\S+ returns text or HTML instead of JSON\.$/],
  [
    'an address without the API',
    nowhere,
    /^http\S+ has none of the calls that test a connection: GET \S+ \(404\), .*\. Every path starts with `pathPrefix`, now "\S+": correct BASE_URL, or edit the prefix, these paths or `missing` in src\/api\/endpoints\.ts\.$/,
  ],
  [
    'an API with other paths',
    strange,
    /^An API responds at http\S+, but not to the calls that test a connection: GET \S+ \(400\), .* `pathPrefix`, now "\S+": edit the prefix, these paths or/,
  ],
])('stops with one sentence for %s', async (_what, listener, sentence) => {
  expect(await withServer(listener, (url) => reasonToStop(url))).toMatch(sentence);
});

test('stops with one sentence for a wrong token', async () => {
  expect(await reasonToStop(running.url, 'tok_unknown')).toBe(
    'The service rejects API_TOKEN with status 401: The API token is missing, wrong or no longer valid.',
  );
});

test('stops with one sentence for a plan without the API', async () => {
  const sentence = await reasonToStop(running.url, running.sandbox.tokens.starter);
  expect(sentence).toBe('The workspace needs the Growth plan to use the API.');
});

test('does not send the token to the target of a redirect', async () => {
  await running.control('DELETE', '/requests');
  await withServer(redirect, (url) => reasonToStop(url));
  expect(await receivedBy(running.sandbox)).toEqual([]);
});

test('masks the token in the text of the service, and leaves its own text alone', async () => {
  expect(await withServer(echo, (url) => reasonToStop(url, 'API_TOKEN'))).toBe(
    'The service rejects API_TOKEN with status 401: held: Bearer …',
  );
});

test('stops with one sentence when nothing listens at the address', async () => {
  const closed = await withServer(nowhere, async (url) => url);
  const reason = `The service can't be reached: GET ${endpoints.getWorkspace.path} got no response: `;
  expect((await reasonToStop(closed)).startsWith(reason)).toBe(true);
});

test('stops after three requests in a row without a response', async () => {
  let requests = 0;
  const dying: RequestListener = (_request, response) => {
    requests += 1;
    if (requests > 1) return void response.destroy();
    response.setHeader('content-type', 'application/json').end('{"id":"ws_1"}');
  };
  expect(await withServer(dying, (url) => reasonToStop(url))).toBe(
    'The service stopped responding: 3 requests in a row got no response.',
  );
  expect(requests).toBe(4);
});

test('goes on when the service has no workspace endpoint', async () => {
  const withoutWorkspace: RequestListener = ({ url }, response) => {
    if (url === endpoints.getWorkspace.path) return void response.writeHead(404).end();
    const list = toWire(endpoints.listChannels.response, { data: [channel.sample], next_cursor: null });
    response.setHeader('content-type', 'application/json').end(JSON.stringify(list));
  };
  const { rows } = await withServer(withoutWorkspace, (url) =>
    checkService(readOptions(['--base-url', url], { API_TOKEN: 'tok_12345' })),
  );
  expect(rows.find(({ check }) => check === 'getWorkspace')).toMatchObject({ outcome: 'differs' });
  expect(rows.find(({ check }) => check === 'listChannels')).toMatchObject({ outcome: 'passed' });
});

import { isDeepStrictEqual } from 'node:util';
import nock from 'nock';
import { exampleConnection } from '../../src/api/connection';
import { encode } from '../../src/api/encode';
import { type AnyInput, type Endpoint, endpoints } from '../../src/api/endpoints';
import { asRecord } from '../../src/api/json';
import { workspace } from '../../src/api/resources';
import type { EndpointName } from '../../src/api/transport';
import { serializeBody, serializeQuery } from '../../src/call/request';
import { pathOf } from './calls';
import { skipPauses } from './pauses';
import { emptyCache } from './zapier';

/** The connection that the tests use, and the service behind it: every request has to be announced with nock. */
export const authData = {
  base_url: 'https://api.example.com',
  api_token: 'tok_7h1s1s4s3cr3t',
  // Steps run without a form in most tests.
  ai_agents: 'everything',
};

/** What the test of that connection gives. */
export const testedAccount = workspace.sample;

export const service = () =>
  nock('https://api.example.com', { reqheaders: { authorization: `Bearer ${authData.api_token}` } });

/** Returns a body as JSON. A text, such as a page of HTML, stays as it is. */
export const toResponse = (body: unknown): string => (typeof body === 'string' ? body : (JSON.stringify(body) ?? ''));

let anyTemplate: nock.Interceptor | undefined;

/**
 * Lists each template that a step asks for, without its text, so that every variable is sent as it is. A step that sends
 * reads its template first, and most tests aren't about the template. `expectCall` takes the place of this.
 */
export const listAnyTemplate = (): void => {
  const isForOne = (given: object) => 'name' in given && 'channel' in given;
  anyTemplate = nock(authData.base_url).persist().get(pathOf('listTemplates', {})).query(isForOne).optionally();
  anyTemplate.reply(200, (uri) => {
    const { searchParams } = new URL(uri, authData.base_url);
    const [name, channel] = [searchParams.get('name'), searchParams.get('channel')];
    return toResponse({ data: [{ name, channel, status: 'approved' }] });
  });
};

/** Returns a response that is about the message in the request, unless it is no message. */
const about = (body: unknown, response: unknown): unknown => {
  const { channel, to, template } = asRecord(body);
  return 'id' in asRecord(response) && to ? { ...asRecord(response), channel, to, template } : response;
};

/** Announces a request of a call. Without `query` and `body` the request may have any. */
export const expectCall = (name: EndpointName, input: AnyInput = {}) => {
  const endpoint: Endpoint = endpoints[name];
  const { method, query, body } = encode(endpoint, input, exampleConnection);
  if (name === 'listTemplates' && anyTemplate) nock.removeInterceptor(anyTemplate);
  const isGiven = input.query !== undefined || input.body !== undefined;
  const matches = (given: unknown) =>
    !isGiven || body === undefined || isDeepStrictEqual(given, JSON.parse(serializeBody(body)));
  const interceptor = service()
    .intercept(pathOf(name, input), method, matches)
    .query(isGiven ? Object.fromEntries(new URLSearchParams(serializeQuery(query))) : true);
  return {
    /** For a response that isn't by the contract. */
    interceptor,
    reply: (status: number, response: unknown = '', headers: nock.ReplyHeaders = {}) =>
      name === 'sendMessage'
        ? interceptor.reply((_path, asked) => [status, toResponse(about(asked, response)), headers])
        : interceptor.reply(status, toResponse(response), headers),
  };
};

interface RecordedCall {
  call: EndpointName;
  body: unknown;
  headers: Record<string, string>;
}

/** Announces a request of a call, and adds what it was to the list that it returns. */
export const recordCalls = (
  call: EndpointName,
  input: AnyInput,
  status: number,
  response: unknown,
  recorded: RecordedCall[] = [],
): RecordedCall[] => {
  expectCall(call, input).interceptor.reply(function (_path, body) {
    recorded.push({ call, body, headers: this.req.headers });
    return [status, toResponse(call === 'sendMessage' ? about(body, response) : response)];
  });
  return recorded;
};

/** Announces the request by which the test step of an instant trigger finds out that the plan allows webhooks. */
export const allowWebhooks = () => expectCall('listWebhooks', { query: { limit: 1 } }).reply(200, { data: [] });

/** Announces the request by which a step finds out which channel is meant, when it found nothing or subscribes. */
export const answerChannels = () =>
  expectCall('listChannels').reply(200, {
    data: [
      { key: 'whatsapp', name: 'WhatsApp Business' },
      { key: 'sms', name: null },
    ],
  });

/** Announces one send and gives the bodies and headers of what was sent. */
export const recordSends = (status = 202, response: unknown = {}) => recordCalls('sendMessage', {}, status, response);

skipPauses();

beforeAll(() => nock.disableNetConnect());

beforeEach(() => {
  emptyCache();
  listAnyTemplate();
});

afterEach(() => {
  const expected = nock.pendingMocks();
  nock.cleanAll();
  expect(expected).toEqual([]);
});

// Without this, nock stays in place for the next test file of the same worker, which then fails at random.
afterAll(() => nock.restore());

import nock from 'nock';
import { endpoints } from '../src/api/endpoints';

/** The connection that the tests use, and the service behind it: every request has to be announced with nock. */
export const authData = { base_url: 'https://api.example.com', api_token: 'tok_7h1s1s4s3cr3t' };

export const service = () =>
  nock('https://api.example.com', { reqheaders: { authorization: `Bearer ${authData.api_token}` } });

/** Announces one send and gives the bodies and headers of what was sent. */
export const recordSends = (status = 202, answer: nock.Body = {}) => {
  const sent: { body: unknown; headers: Record<string, string> }[] = [];
  service()
    .post(endpoints.sendMessage.path)
    .reply(function (_path, body) {
      sent.push({ body, headers: this.req.headers });
      return [status, answer];
    });
  return sent;
};

beforeAll(() => nock.disableNetConnect());

afterEach(() => {
  const expected = nock.pendingMocks();
  nock.cleanAll();
  expect(expected).toEqual([]);
});

// Without this, nock stays in place for the next test file of the same worker, which then fails at random.
afterAll(() => nock.restore());

import { Readable } from 'node:stream';
import { callAt } from '../../../sandbox/http/route';
import { headers } from '../../../src/api/endpoints';
import { message } from '../../../src/api/resources';
import { toResponse } from '../../support/service';
import type { Request, Service } from './service';

/** What a fault needs of the service that it disturbs. */
export type Disturbed = Pick<Service, 'respond' | 'respondToOther'>;

/**
 * What a fault says of its own request: nothing was done, also because the token isn't valid; the service refused it, with
 * or without saying so of the whole call; or nobody knows.
 */
export type Meaning = 'nothing was done' | 'no access' | 'refused' | 'refused for good' | 'unknown';

type Answer = [status: number, body: string | Readable, headers?: Record<string, string>];

export interface Fault {
  name: string;
  meaning: Meaning;
  /** Responds to a request, or throws how the connection failed. */
  respond: (service: Disturbed, request: Request) => Promise<Answer>;
}

const failure = (code: string, reason: string) => Object.assign(new Error(reason), { code });
const reset = failure('ECONNRESET', 'socket hang up');

const fault = (name: string, meaning: Meaning, respond: Fault['respond']): Fault => ({ name, meaning, respond });

const connection = (name: string, code: string, reason: string): Fault =>
  fault(name, 'nothing was done', () => Promise.reject(failure(code, reason)));

/** The bodies of a refusal that says nothing certain about the call, or is a proxy's. */
const vagueBodies = {
  'no body': '',
  HTML: '<html>Sorry</html>',
  'an empty object': '{}',
  'another format': '{"message": "Sorry"}',
  'an unknown code': '{"error": {"code": "duplicate", "message": "Sent already"}}',
};

/** Returns the body of a refusal in the format of the service. */
const ownBody = (code: string): string =>
  toResponse('sendMessage', 400, { error: { code, message: 'No' }, request_id: 'req_1' });

/** A status before the service has acted, with each of some bodies. */
const status = (code: number, meaning: Meaning, bodies = Object.keys(vagueBodies)): Fault[] =>
  Object.entries(vagueBodies)
    .filter(([what]) => bodies.includes(what))
    .map(([what, body]) => fault(`a ${code} with ${what}`, meaning, async () => [code, body]));

const verdict = (code: number, reason: string): Fault =>
  fault(`a ${code} with ${reason}`, 'refused for good', async () => [code, ownBody(reason)]);

/** A fault before the service has acted, and one after. */
const beforeAndAfter = (name: string, respond: () => ReturnType<Fault['respond']>): Fault[] => [
  fault(`${name} before the service has acted`, 'unknown', respond),
  fault(`${name} after the service has acted`, 'unknown', (service, request) => {
    service.respond(request);
    return respond();
  }),
];

/** Moves the clock until the app gives up. */
const hang = (): Promise<never> => {
  jest.runOnlyPendingTimers();
  return new Promise(() => undefined);
};

/** Sends half of a body, and moves the clock until the app gives up. */
async function* stall(body: string) {
  yield body.slice(0, body.length / 2);
  await new Promise(setImmediate);
  await hang();
}

export const lostRequest = fault('a lost request', 'unknown', () => Promise.reject(reset));

export const lostResponse = fault('a lost response', 'unknown', async (service, request) => {
  service.respond(request);
  throw reset;
});

/** Every way in which a request or its response can fail. */
export const faults: Fault[] = [
  connection('a refused connection', 'ECONNREFUSED', 'connect ECONNREFUSED 192.0.2.1:443'),
  connection('no connection to any of several addresses', 'ETIMEDOUT', ''),
  connection('an unknown host', 'ENOTFOUND', 'getaddrinfo ENOTFOUND api.example.com'),
  connection('a busy name server', 'EAI_AGAIN', 'getaddrinfo EAI_AGAIN api.example.com'),
  connection('an expired certificate', 'CERT_HAS_EXPIRED', 'certificate has expired'),
  connection('no TLS', 'EPROTO', 'write EPROTO 0:error:0A00010B:SSL routines::wrong version number:\n'),
  ...status(429, 'nothing was done', ['HTML']),
  ...status(401, 'no access', ['an empty object']),
  ...status(403, 'nothing was done', ['another format']),
  ...status(400, 'refused', ['another format']),
  ...status(404, 'refused', ['an empty object']),
  ...status(404, 'nothing was done', ['HTML']),
  ...status(409, 'refused'),
  ...status(410, 'refused', ['no body']),
  ...status(422, 'refused'),
  ...status(451, 'refused', ['HTML']),
  verdict(400, 'malformed_request'),
  verdict(404, 'not_found'),
  verdict(409, 'contact_exists'),
  verdict(422, 'recipient_opted_out'),
  fault('a 503 in its own format', 'nothing was done', async () => [503, ownBody('down')]),
  fault('a 503 with Retry-After', 'nothing was done', async () => [503, '<html>', { [headers.retryAfter]: '1' }]),
  ...[301, 307, 308].map((code) => fault(`a ${code}`, 'nothing was done', async () => [code, ''])),
  ...[302, 304].flatMap((code) => beforeAndAfter(`a ${code}`, async () => [code, ''])),
  ...Object.entries(vagueBodies).flatMap(([what, body]) =>
    beforeAndAfter(`a 503 with ${what}`, async () => [503, body]),
  ),
  ...[408, 425, 500, 504].flatMap((code) => beforeAndAfter(`a ${code}`, async () => [code, '<html>'])),
  ...beforeAndAfter('a 502 that looks like a verdict', async () => [
    502,
    ownBody('recipient_opted_out'),
    { [headers.retryAfter]: '1' },
  ]),
  ...[200, 204].flatMap((code) => beforeAndAfter(`an empty ${code}`, async () => [code, ''])),
  ...beforeAndAfter('a reset', () => Promise.reject(reset)),
  ...beforeAndAfter('a hang', hang),
  ...beforeAndAfter('HTML with 200', async () => [200, '<html>Welcome</html>']),
  ...beforeAndAfter('an error with 200', async () => [200, '{"error": "queue full"}']),
  ...beforeAndAfter('an error with 200 and an id', async () => [200, '{"id": "msg_1", "error": "oops"}']),
  ...beforeAndAfter('a blank id with 200', async () => [200, '{"id": ""}']),
  fault('a response that stalls', 'unknown', async (service, request) => {
    const [code, body] = service.respond(request);
    // Once the app has given up, nothing of this response may move the clock of the request after it.
    if (jest.getTimerCount() === 0) return hang();
    return [code, Readable.from(stall(body || '{}'))];
  }),
  fault('half a JSON', 'unknown', async (service, request) => {
    const [code, body] = service.respond(request);
    return [code, body.slice(0, body.length / 2)];
  }),
  fault('a key in flight', 'unknown', async (service, request) => {
    service.respondToOther(request);
    return [409, '{"error": {"code": "idempotency_in_flight", "message": "Running"}}'];
  }),
];

const failed = { ...message.sample, status: 'failed', error: { code: 'no', message: 'No' } };

/** The service accepts a message, and says that it has failed. */
export const failedMessage = fault('a message that has failed', 'refused for good', async (service, request) =>
  callAt(request.method, request.path) === 'sendMessage'
    ? [202, toResponse('sendMessage', 202, failed)]
    : service.respond(request),
);

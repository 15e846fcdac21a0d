import { Readable } from 'node:stream';
import type { Request, Service } from './service';

/** What a fault says: nothing was done, the service refused it, or nobody knows. */
export type Meaning = 'nothing was done' | 'refused' | 'unknown';

export interface Fault {
  name: string;
  meaning: Meaning;
  /** Responds to a request, or throws how the connection failed. */
  respond: (service: Service, request: Request) => Promise<[status: number, body: string | Readable]>;
}

const failure = (code: string, reason: string) => Object.assign(new Error(reason), { code });
const reset = failure('ECONNRESET', 'socket hang up');

const fault = (name: string, meaning: Meaning, respond: Fault['respond']): Fault => ({ name, meaning, respond });

const connection = (name: string, code: string, reason: string): Fault =>
  fault(name, 'nothing was done', () => Promise.reject(failure(code, reason)));

const status = (code: number, meaning: Meaning, body = '<html>'): Fault =>
  fault(`a ${code} before the service has acted`, meaning, async () => [code, body]);

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
  status(429, 'nothing was done'),
  status(503, 'nothing was done'),
  status(401, 'nothing was done', '{}'),
  status(403, 'nothing was done', '{}'),
  status(422, 'refused', '{}'),
  ...[408, 425, 500, 502, 504].flatMap((code) => beforeAndAfter(`a ${code}`, async () => [code, '<html>'])),
  ...beforeAndAfter('a reset', () => Promise.reject(reset)),
  ...beforeAndAfter('a hang', hang),
  ...beforeAndAfter('HTML with 200', async () => [200, '<html>Welcome</html>']),
  ...beforeAndAfter('an error with 200', async () => [200, '{"error": "queue full"}']),
  fault('a response that stalls', 'unknown', async (service, request) => {
    const [code, body] = service.respond(request);
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

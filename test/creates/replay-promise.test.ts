/** Whether a wait that ends without its reply says that a replay is safe, and lets Zapier repeat it, only while it is. */
import fc from 'fast-check';
import nock from 'nock';
import { events } from '../../src/api/events';
import { message } from '../../src/api/resources';
import { deliveryOf, toPayload } from '../support/deliveries';
import { authData, expectCall } from '../support/service';
import { runStep } from '../support/zapier';

const reply = events['message.received'].sample;
const minuteMs = 60_000;

/** The service keeps a key for 24 hours, and Autoreplay may take hours. Its clock may be up to an hour ahead. */
const isSafe = (key: string | undefined, ageMinutes: number | null): boolean =>
  Boolean(key?.trim()) && ageMinutes !== null && ageMinutes > -60 && ageMinutes < 12 * 60;

const refusals = [401, 403, 404, 429, 500, 503] as const;

const wait = fc.record({
  key: fc.constantFrom(undefined, '', ' ', 'order 1'),
  /** Half minutes, since no promise changes within them. Null when nobody knows when the message was sent. */
  ageMinutes: fc.option(
    fc.integer({ min: -3_000, max: 3_000 }).map((minutes) => minutes + 0.5),
    { freq: 6 },
  ),
  isKept: fc.boolean(),
  list: fc.constantFrom(...refusals, 'shows no reply'),
  lookUp: fc.constantFrom(...refusals, 'gives an older message'),
});
type Given<A> = A extends fc.Arbitrary<infer T> ? T : never;

const announce = ({ list, lookUp }: Given<typeof wait>, sent: object) => {
  const older = { ...reply, created_at: '2026-01-01T00:00:00Z' };
  const [listed, known] = [
    { data: [sent], next_cursor: null },
    { data: [], next_cursor: null },
  ];
  const answerWith = (given: number | string, body: object): [number, object] =>
    typeof given === 'number' ? [given, {}] : [200, body];
  expectCall('listMessages')
    .reply(...answerWith(list, listed))
    .persist();
  expectCall('getMessage', { id: message.sample.id })
    .reply(...answerWith(lookUp, sent))
    .persist();
  expectCall('getMessage', { id: reply.id })
    .reply(...answerWith(lookUp, older))
    .persist();
  expectCall('listWebhooks').reply(200, known).persist();
  expectCall('deleteWebhook', { id: '501' }).reply(204).persist();
};

/** Resumes a step, and returns the error. */
const resume = async (given: Given<typeof wait>): Promise<Error> => {
  const { key, ageMinutes, isKept } = given;
  const at = ageMinutes === null ? undefined : Date.now() - ageMinutes * minuteMs;
  const sent = { ...message.sample, created_at: at === undefined ? null : new Date(at).toISOString() };
  announce(given, sent);
  const querystring = { sent: sent.id, sent_at: String(at ?? Number.NaN), already_sent: 'false', wait: 'own' };
  const bundle = {
    authData,
    inputData: { channel: 'whatsapp', template: 'parcel', to: '+1 202 555 0123', deduplication_key: key },
    outputData: isKept ? { sent, recipient: '+12025550123', webhook_id: '501', already_sent: false } : {},
    cleanedRequest: { ...Object(toPayload(deliveryOf('message.received', reply))), querystring },
  };
  const ended = runStep('creates.send_message_and_wait.operation.performResume', bundle);
  const error: unknown = await ended.then(String, (thrown: unknown) => thrown);
  nock.cleanAll();
  if (error instanceof Error) return error;
  throw new Error(`The step went on with ${error}.`);
};

test('a wait without its reply promises a replay, and may be repeated, only while the service surely keeps the key', async () => {
  let promises = 0;
  const holds = fc.asyncProperty(wait, async (given) => {
    const { name, message: text } = await resume(given);
    const says = /replay|twice/i.test(text);
    promises += Number(says);
    // A run on hold may outlive the key.
    expect(name).not.toBe('ExpiredAuthError');
    if (isSafe(given.key, given.ageMinutes)) return;
    expect({ name, says }).toEqual({ name: 'HaltedError', says: false });
  });
  const failing = { key: 'order 1', list: 500, lookUp: 500 } as const;
  const edges = [-60.5, -59.5, 719.5, 720.5].flatMap((ageMinutes) =>
    [true, false].map((isKept): [Given<typeof wait>] => [{ ...failing, ageMinutes, isKept }]),
  );
  const rotated = { ...failing, ageMinutes: 1.5, isKept: true, list: 401, lookUp: 401 } as const;
  await fc.assert(holds, { numRuns: 200, examples: [...edges, [rotated]] });
  expect(promises).toBeGreaterThan(0);
});

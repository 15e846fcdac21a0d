import fc from 'fast-check';
import nock from 'nock';
import * as z from 'zod/mini';
import { webhook } from '../../src/api/resources';
import { authData, expectCall, recordCalls } from '../support/service';
import { runStep } from '../support/zapier';

const now = Date.parse('2026-06-11T09:40:12Z');
const [day, year] = [86_400_000, 365 * 86_400_000];

// The app asks what time it is, and a Unix time is certain only near the present.
beforeEach(() => {
  jest.useFakeTimers({ now, doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] });
});
afterEach(() => {
  jest.useRealTimers();
});

const result = z.looseObject({ id: z.string(), expiration_date: z.optional(z.string()) });

/** Turns on a Zap whose webhook expires then. Returns what Zapier keeps, the error, and whether the webhook was deleted. */
const turnOn = async (expires_at: unknown) => {
  expectCall('createWebhook').reply(201, { ...webhook.sample, expires_at });
  const deletions = recordCalls('deleteWebhook', { id: webhook.sample.id }, 204, '');
  const bundle = { authData, targetUrl: 'https://hooks.example.com/standard/1/a/' };
  const [outcome] = await Promise.allSettled([runStep('triggers.message_received.operation.performSubscribe', bundle)]);
  nock.cleanAll();
  return {
    kept: outcome.status === 'fulfilled' ? result.parse(outcome.value) : undefined,
    error: outcome.status === 'rejected' ? String(outcome.reason.message) : undefined,
    isDeleted: deletions.length > 0,
  };
};

const expectRefusal = ({ kept, error, isDeleted }: Awaited<ReturnType<typeof turnOn>>): void => {
  expect(kept).toBeUndefined();
  expect(error).toContain("didn't say how long this Zap stays connected");
  expect(isDeleted).toBe(true);
};

const pad = (number: number): string => String(number).padStart(2, '0');

/** Writes a time with an offset in minutes, as its clock shows it. */
const writeWithOffset = (ms: number, minutes: number, separator: string): string => {
  const clock = new Date(ms + minutes * 60_000).toISOString().slice(0, 19).replace('T', separator);
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${clock}${minutes < 0 ? '-' : '+'}${pad(hours)}:${pad(rest)}`;
};

const iso = (ms: number): string => new Date(ms).toISOString();

const certainForms: Record<string, (ms: number, offset: number) => unknown> = {
  'ISO 8601': (ms) => iso(ms).replace('.000', ''),
  'ISO 8601 with milliseconds': iso,
  'ISO 8601 with an offset': (ms, offset) => writeWithOffset(ms, offset, 'T'),
  'a space before the time': (ms) => iso(ms).replace('T', ' '),
  'a space before the time, and an offset': (ms, offset) => writeWithOffset(ms, offset, ' '),
  'a space before the time, and UTC': (ms) => iso(ms).replace('T', ' ').replace('.000Z', ' UTC'),
  'RFC 1123': (ms) => new Date(ms).toUTCString(),
  'RFC 2822': (ms) => new Date(ms).toUTCString().replace('GMT', '+0000'),
  'seconds since 1970': (ms) => ms / 1000,
  'seconds since 1970 as text': (ms) => String(ms / 1000),
  'milliseconds since 1970': (ms) => ms,
  'milliseconds since 1970 as text': (ms) => ` ${ms}\n`,
};

const uncertainForms: Record<string, (ms: number) => unknown> = {
  'no zone': (ms) => iso(ms).replace('Z', ''),
  'a space and no zone': (ms) => iso(ms).replace('T', ' ').replace('.000Z', ''),
  'no time': (ms) => iso(ms).slice(0, 10),
  'no year': (ms) => new Date(ms).toUTCString().replace(/ \d{4}/, ''),
  'the local name of a zone': (ms) => new Date(ms).toUTCString().replace('GMT', 'EST'),
  'an offset that no zone has': (ms) => iso(ms).replace('T', ' ').replace('.000Z', ' +99:00'),
  'a day and month that could be swapped': () => '06/07/2027 10:00 UTC',
  'a day that is none': () => '2027-02-31T10:00:00Z',
  'a month that is too short': () => 'Thu, 31 Jun 2027 10:00:00 GMT',
  'microseconds since 1970': (ms) => ms * 1000,
  'a fraction of seconds': (ms) => ms / 1000 + 0.25,
  'a span of time': () => 'in 30 days',
  'a long text': (ms) => iso(ms) + ' '.repeat(100_000) + iso(ms),
  'a number that is no time': () => 2_592_000,
  nothing: () => '',
  zero: () => 0,
  'true and false': (ms) => ms % 2000 === 0,
  'an object': (ms) => ({ at: iso(ms) }),
  'a list': (ms) => [iso(ms)],
};

/** Whole seconds, since most forms have no more. */
const seconds = (from: number, to: number) =>
  fc.integer({ min: Math.ceil(from / 1000), max: Math.floor(to / 1000) }).map((time) => time * 1000);
const future = seconds(now + 1000, now + 4 * year);
const past = seconds(now - 5 * year, now);
const offset = fc.integer({ min: -12 * 60, max: 14 * 60 });

/** A form by its name, which a failure then shows. Every form is tried at least once. */
const namesOf = (forms: object) => fc.constantFrom(...Object.keys(forms));
const eachOf = (forms: object, ...values: number[]) => Object.keys(forms).map((name) => [name, ...values] as const);

test('a webhook is renewed at the moment when it expires, in whatever form the service writes it', async () => {
  await fc.assert(
    fc.asyncProperty(namesOf(certainForms), future, offset, async (name, expiry, minutes) => {
      const { kept, isDeleted } = await turnOn(certainForms[name]?.(expiry, minutes));
      expect(kept).toEqual({ id: webhook.sample.id, secret: expect.any(String), expiration_date: iso(expiry) });
      expect(isDeleted).toBe(false);
    }),
    { numRuns: 80, examples: eachOf(certainForms, now + day, 330) },
  );
});

test('a Zap isn’t turned on when its webhook has expired, in whatever form the service writes it', async () => {
  await fc.assert(
    fc.asyncProperty(namesOf(certainForms), past, offset, async (name, expiry, minutes) => {
      expectRefusal(await turnOn(certainForms[name]?.(expiry, minutes)));
    }),
    { numRuns: 40, examples: eachOf(certainForms, now, 0) },
  );
});

test('a Zap isn’t turned on when it isn’t certain when its webhook expires', async () => {
  await fc.assert(
    fc.asyncProperty(namesOf(uncertainForms), future, async (name, expiry) => {
      expectRefusal(await turnOn(uncertainForms[name]?.(expiry)));
    }),
    { numRuns: 60, examples: eachOf(uncertainForms, now + day) },
  );
});

test('a Zap isn’t turned on, or is renewed at a time in the future, whatever the service says', async () => {
  const value = fc.oneof(fc.jsonValue(), fc.date({ min: new Date(now - day), max: new Date(now + year) }).map(String));
  await fc.assert(
    fc.asyncProperty(
      value.filter((each) => each !== null),
      async (expires_at) => {
        const outcome = await turnOn(expires_at);
        if (!outcome.kept) return expectRefusal(outcome);
        const { expiration_date = '' } = outcome.kept;
        expect(expiration_date).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
        expect(Date.parse(expiration_date)).toBeGreaterThan(now);
      },
    ),
    { numRuns: 40 },
  );
});

test.each([null, undefined])('a webhook that expires at %j never needs a renewal', async (expires_at) => {
  const { kept } = await turnOn(expires_at);
  expect(kept).toEqual({ id: webhook.sample.id, secret: expect.any(String) });
});

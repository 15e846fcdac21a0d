/** Only what the service signed starts a Zap, and only in the form that was agreed. */

import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { signatureHeaders } from '../../lab/sandbox/webhooks/signature';
import { events } from '../../src/api/events';
import { deliveryHeaders, standardWebhooks, timedSignature } from '../../src/api/presets';
import type { Signature } from '../../src/api/transport';
import { hasSigningKey, isGenuine } from '../../src/trigger/delivery';
import { deliveryOf, signed, signedHeaders, subscribeData, toZapierHeader } from '../support/deliveries';
import { expectHalt } from '../support/halt';
import { type Bundle, runTrigger } from '../support/run-trigger';
import { triggered } from '../support/triggered';

const secondSecret = `whsec_${Buffer.from('of the second Zap').toString('base64')}`;

const signatureHeader = toZapierHeader(deliveryHeaders.signature);

const event = 'message.received';
const { sample } = events[event];
const result = triggered(sample);

const step = (name: string, bundle: Bundle) => runTrigger('message_received', name, bundle);
const receive = (request: object, bundle: Bundle = {}) => step('perform', { subscribeData, ...request, ...bundle });
describe('a delivery', () => {
  test('that comes months late starts the Zap with its whole record, since Zapier holds and replays deliveries', async () => {
    await expect(receive(signed(deliveryOf(event), { at: new Date('2025-01-01') }))).resolves.toEqual([result]);
  });

  test('with header names in any case passes', async () => {
    const { rawRequest } = signed(deliveryOf(event));
    const headers = Object.entries(rawRequest.headers).map(([name, value]) => [name.toLowerCase(), value]);
    await expect(receive({ rawRequest: { ...rawRequest, headers: Object.fromEntries(headers) } })).resolves.toEqual([
      result,
    ]);
  });

  const { rawRequest } = signed(deliveryOf(event));
  const withHeader = (name: string, value: string | undefined) => ({
    rawRequest: { ...rawRequest, headers: { ...rawRequest.headers, [name]: value } },
  });
  const notSigned = {
    name: 'HaltedError',
    message: expect.stringMatching(/^This Zap received something that may not come from the messaging service/),
  };
  test.each<[string, object]>([
    ['is forged', signed(deliveryOf(event), { secret: secondSecret })],
    ['has no raw request', { cleanedRequest: deliveryOf(event) }],
    ['has no headers', { rawRequest: { content: rawRequest.content } }],
    ['was altered', { rawRequest: { ...rawRequest, content: rawRequest.content.replace(sample.id, '300') } }],
    ['was altered in a space', { rawRequest: { ...rawRequest, content: `${rawRequest.content} ` } }],
    ['is unsigned', { rawRequest: { ...rawRequest, headers: { 'Content-Type': 'application/json' } } }],
    ['has a signature of another kind', withHeader(signatureHeader, 'v1a,AAAA')],
  ])('that %s starts nothing and says why', async (_what, request) => {
    await expect(receive(request)).rejects.toMatchObject(notSigned);
  });

  test.each([undefined, { secret: '' }, { secret: 'whsec_' }])(
    'to a Zap that kept %j starts nothing and says what to do',
    async (kept) => {
      const bundle = { subscribeData: kept && { id: '501', ...kept } };
      await expect(receive(signed(deliveryOf(event)), bundle)).rejects.toThrow(
        /[Tt]urn (it|the Zap) off and on again\.$/,
      );
    },
  );

  test('of an event that was not asked for starts nothing', async () => {
    const unknown = { ...deliveryOf(event), type: 'message.teleported' };
    const empty = [null, undefined, 'x', [], {}].map((data) => ({ ...unknown, data }));
    for (const delivery of [deliveryOf('message.sent'), unknown, ...empty]) {
      await expect(receive(signed(delivery))).resolves.toEqual([]);
    }
  });

  test('that is genuine but not in the agreed form starts nothing and says so', async () => {
    const delivery = deliveryOf(event);
    const unreadable = [null, 'x', [], { text: 'no id' }, { id: ' ' }].map((data) => ({ ...delivery, data }));
    const several = [[delivery], [delivery, delivery], { events: [delivery] }, []];
    const onlyId = { ...delivery, data: { id: sample.id } };
    for (const body of [{ hello: 1 }, [1], ...several, ...unreadable, onlyId]) {
      await expectHalt(
        receive(signed(body)),
        "The messaging service sent something that this Zap can't read, so the Zap didn't run. If this keeps happening, contact the messaging service's support.",
      );
    }
  });

  test.each([
    ['a subscription', { subscribeData }, {}],
    ['a runtime of Zapier', {}, { AWS_LAMBDA_FUNCTION_NAME: 'app' }],
  ])('starts nothing and makes no request with %s and no payload', async (_, bundle, environment) => {
    Object.assign(process.env, environment);
    try {
      await expect(step('perform', bundle)).resolves.toEqual([]);
    } finally {
      for (const name of Object.keys(environment)) delete process.env[name];
    }
  });

  test('that is genuine, whatever its body, gives records or a sentence', async () => {
    const body = fc.oneof(
      fc.object({ maxDepth: 6 }),
      fc.record({
        id: fc.string(),
        type: fc.constant(event),
        data: fc.object({ key: fc.constantFrom('id', '__proto__', 'channel', 'source', 'text') }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(body, async (data) => {
        const result = await receive(signed(data)).catch((error: Error) => error);
        const isSentence =
          result instanceof Error &&
          /^(This Zap received something that may not|The messaging service sent something that this Zap can't) .+\.$/.test(
            result.message,
          );
        expect(Array.isArray(result) || isSentence).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});

describe('a genuine delivery', () => {
  test.each<[string, object]>([
    ['an id of the messaging app in place of a number', { from: 'US.13491208655302741918' }],
    ['no number, of somebody of whom nothing is known', { from: null, contact: null }],
  ])('with %s starts the Zap, which can tell that the person has no phone number', async (_what, changes) => {
    const contact = { id: 'con_9', phone: null, username: 'lena.m', first_name: null, last_name: null };
    const data = { contact, ...changes };
    await expect(receive(signed(deliveryOf('message.received', data)))).resolves.toEqual([
      { ...triggered({ ...sample, ...data }), has_phone_number: false },
    ]);
  });

  test('starts the Zap with null for an optional field of the wrong type, and with any IDs', async () => {
    const data = { id: 7, to: 7, contact: { id: null } };
    const delivered = Object.assign(deliveryOf(event, data), { id: 77, created_at: 5, workspace_id: {} });
    const expected = triggered({ ...sample, id: '7', to: null, contact: null });
    await expect(receive(signed(delivered))).resolves.toEqual([expected]);
  });

  test.each(['', 'soon', '1781267400.evt_2'])('has a time in digits alone, not %j', async (timestamp) => {
    const { rawRequest } = signed(deliveryOf('message.received'));
    const headers = signedHeaders(rawRequest.content, { timestamp });
    await expect(receive({ rawRequest: { ...rawRequest, headers } })).rejects.toThrow('may not come from');
  });
});

describe('signatures', () => {
  const secret = `whsec_${Buffer.from('a key of the service').toString('base64')}`;
  const delivery = { id: 'evt_1', timestamp: '1781267400', body: '{"id":"evt_1"}' };

  /** Signs the delivery with each of the secrets. */
  type Sign = (secrets: readonly string[]) => Record<string, string>;
  const hmac = (text: string, by: string) => createHmac('sha256', by).update(text).digest('hex');
  const timed: Sign = (secrets) => ({ 'x-signature': `t=1,v1=${hmac(`1.${delivery.body}`, secrets.at(-1) ?? '')}` });

  const schemes: [what: string, scheme: Signature, sign: Sign][] = [
    ['the contract', standardWebhooks, (secrets) => signatureHeaders(delivery, secrets)],
    ['a service that signs the time and the body in one header', timedSignature('x-signature'), timed],
  ];

  describe.each(schemes)('a signature of %s', (_what, scheme, sign) => {
    const headers = sign([secret]);
    const check = (content: string, given: Record<string, string> = headers, by = secret) =>
      isGenuine({ content, headers: given }, by, scheme);

    test('is genuine as the sandbox makes it', () => {
      expect(check(delivery.body)).toBe(true);
    });

    test('is genuine next to one by an earlier secret', () => {
      expect(check(delivery.body, sign(['whsec_b2xk', secret]))).toBe(true);
    });

    test('is not genuine for another body, another secret or none', () => {
      expect(check(`${delivery.body} `)).toBe(false);
      expect(check(delivery.body, headers, 'whsec_b3RoZXI=')).toBe(false);
      expect(check(delivery.body, sign(['']), '')).toBe(false);
    });

    test('is not genuine without one of its headers, or with another', () => {
      for (const name of Object.keys(headers)) {
        for (const other of ['', '1']) expect(check(delivery.body, { ...headers, [name]: other })).toBe(false);
      }
    });
  });

  test('a secret without a key can sign nothing', () => {
    for (const [, scheme] of schemes) {
      expect(hasSigningKey(secret, scheme)).toBe(true);
      expect(hasSigningKey('', scheme)).toBe(false);
    }
  });

  test('a signature by the contract is genuine after one of a later version, which is not read', () => {
    const headers = signatureHeaders(delivery, [secret]);
    const ours = headers[deliveryHeaders.signature] ?? '';
    const check = (signatures: string) =>
      isGenuine({ content: delivery.body, headers: { ...headers, [deliveryHeaders.signature]: signatures } }, secret);
    const later = ours.replace(/^v1,/, 'v2,');
    expect(later).not.toBe(ours);
    expect(check(`v2,AAAA ${ours}`)).toBe(true);
    expect(check(`${later} ${ours}`)).toBe(true);
    expect(check(later)).toBe(false);
  });
});

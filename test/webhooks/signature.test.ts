import { createHash } from 'node:crypto';
import { signatureHeaders } from '../../sandbox/webhooks/signature';
import { deliveryHeaders, type Signature, signature } from '../../src/api/service';
import { addSecret, hasSigningKey, isGenuine } from '../../src/webhooks/signature';

const secret = `whsec_${Buffer.from('a key of the service').toString('base64')}`;
const url = 'https://hooks.example.com/standard/1/a/';
const delivery = { id: 'evt_1', timestamp: '1781267400', body: '{"id":"evt_1"}', url };

const digest = (text: string) => createHash('sha256').update(text).digest('hex');

const overTime: Signature = {
  key: 'utf8',
  encoding: 'hex',
  verify: ({ headers, content }) => {
    const [, timestamp, each] = /^t=(\d+),v0=(\w+)$/.exec(headers['x-signature'] ?? '') ?? [];
    return timestamp && each ? { text: `${timestamp}.${content}`, signatures: [each] } : undefined;
  },
  sign: ({ timestamp, content }, hmac) => ({
    'x-signature': `t=${timestamp},v0=${hmac(`${timestamp}.${content}`).at(-1)}`,
  }),
};

const overAddress: Signature = {
  key: 'utf8',
  encoding: 'hex',
  usesUrl: true,
  verify: ({ headers, content, url: address }) => ({
    text: address + digest(content),
    signatures: (headers['x-signature'] ?? '').split(', '),
  }),
  sign: ({ content, url: address }, hmac) => ({ 'x-signature': hmac(address + digest(content)).join(', ') }),
};

const schemes: [what: string, scheme: Signature][] = [
  ['the contract', signature ?? overTime],
  ['a service that signs the time and the body', overTime],
  ['a service that signs the address and a digest', overAddress],
];

describe.each(schemes)('a signature of %s', (_what, scheme) => {
  const headers = signatureHeaders(delivery, [secret], scheme);
  const check = (content: string, given: Record<string, string> = headers, by = secret) =>
    isGenuine({ content, headers: given, url }, by, scheme);

  test('is genuine as the sandbox makes it', () => {
    expect(check(delivery.body)).toBe(true);
  });

  test('is genuine next to one by an earlier secret', () => {
    expect(check(delivery.body, signatureHeaders(delivery, ['whsec_b2xk', secret], scheme))).toBe(true);
  });

  test('is not genuine for another body, another secret or none', () => {
    expect(check(`${delivery.body} `)).toBe(false);
    expect(check(delivery.body, headers, 'whsec_b3RoZXI=')).toBe(false);
    expect(check(delivery.body, signatureHeaders(delivery, [''], scheme), '')).toBe(false);
  });

  test('is not genuine without one of its headers', () => {
    for (const name of Object.keys(headers)) expect(check(delivery.body, { ...headers, [name]: '' })).toBe(false);
  });
});

test('a signature of the address is not genuine at another address', () => {
  const headers = signatureHeaders(delivery, [secret], overAddress);
  const isGenuineAt = (address: string) =>
    isGenuine({ content: delivery.body, headers, url: address }, secret, overAddress);
  expect([url, `${url}?a=1`, ''].map(isGenuineAt)).toEqual([true, false, false]);
});

test('a secret without a key can sign nothing', () => {
  for (const [, scheme] of schemes) {
    expect(hasSigningKey(secret, scheme)).toBe(true);
    expect(hasSigningKey('', scheme)).toBe(false);
  }
});

describe('a service that does not sign', () => {
  const target = 'https://hooks.example.com/standard/1/a/?b=1';

  test('gets a new secret in every address', () => {
    const [one, other] = [addSecret(target), addSecret(target)];
    expect(one.secret).toMatch(/^[0-9a-f]{64}$/);
    expect(one.secret).not.toBe(other.secret);
    expect(one.url).toBe(`${target}&secret=${one.secret}`);
  });

  test.each([
    ['its secret', (own: string) => `b=1&secret=${own}`, true],
    ['another secret', (own: string) => `secret=${own.replaceAll('0', '1').replaceAll('a', 'b')}0`, false],
    ['a part of the secret', (own: string) => `secret=${own.slice(1)}`, false],
    ['an empty secret', () => 'secret=', false],
    ['no secret', () => '', false],
  ])('is genuine at the address with %s: %#', (_what, querystring, genuine) => {
    const own = addSecret(target).secret;
    const check = (secretOfZap: string) =>
      isGenuine({ content: '{}', headers: {}, url: `?${querystring(own)}` }, secretOfZap, null);
    expect(check(own)).toBe(genuine);
    expect(check('')).toBe(false);
  });
});

test('a signature by the contract is genuine after one of a later version, which is not read', () => {
  const headers = signatureHeaders(delivery, [secret]);
  const ours = headers[deliveryHeaders.signature] ?? '';
  const check = (signatures: string) =>
    isGenuine(
      { content: delivery.body, headers: { ...headers, [deliveryHeaders.signature]: signatures }, url },
      secret,
    );
  const later = ours.replace(/^v1,/, 'v2,');
  expect(later).not.toBe(ours);
  expect(check(`v2,AAAA ${ours}`)).toBe(true);
  expect(check(`${later} ${ours}`)).toBe(true);
  expect(check(later)).toBe(false);
});

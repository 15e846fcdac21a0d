import { signatureHeaders } from '../../sandbox/webhooks/signature';
import { deliveryHeaders, type signing } from '../../src/api/events';
import { addSecret, hasSigningKey, isGenuine } from '../../src/webhooks/signature';

type Scheme = NonNullable<typeof signing>;

const secret = `whsec_${Buffer.from('a key of the service').toString('base64')}`;
const delivery = { id: 'evt_1', timestamp: '1781267400', body: '{"id":"evt_1"}' };

const schemes: Scheme[] = [
  { parts: ['id', 'timestamp', 'body'], encoding: 'base64', prefix: 'v1,', key: 'base64' },
  { parts: ['timestamp', 'body'], encoding: 'hex', prefix: 'sha256=', key: 'utf8' },
  { parts: ['body'], encoding: 'hex', prefix: '', key: 'utf8' },
];

describe.each(schemes)('a signature of $parts in $encoding', (scheme) => {
  const headers = signatureHeaders(delivery, [secret], scheme);
  const check = (content: string, given: Record<string, string> = headers, by = secret) =>
    isGenuine({ content, headers: given }, by, scheme);

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

test('a signature over the body alone needs no other header', () => {
  expect(Object.keys(signatureHeaders(delivery, [secret], schemes.at(-1)))).toEqual([deliveryHeaders.signature]);
});

test('a secret without a key can sign nothing', () => {
  for (const scheme of schemes) {
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
      isGenuine({ content: '{}', headers: {}, querystring: querystring(own) }, secretOfZap, null);
    expect(check(own)).toBe(genuine);
    expect(check('')).toBe(false);
  });
});

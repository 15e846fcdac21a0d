import { parse } from 'node:url';
import fc from 'fast-check';
import { pathPrefix } from '../../src/api/endpoints';
import { parseBaseUrl, parseConnection, parseToken } from '../../src/http/connection';

const inLambda = (name: string, check: () => void): void => {
  process.env[name] = '127.0.0.1:9001';
  try {
    check();
  } finally {
    delete process.env[name];
  }
};

/** What IANA lists as not public, for each kind of address. */
const privateRanges = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/3', '::/3', '2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20', '4000::/2', '8000::/1'],
];

/** Returns the first and last address of a range as numbers, those just outside, and how to write one as a host. */
const readRange = (range: string) => {
  const [network = '', bits] = range.split('/');
  const isV4 = network.includes('.');
  const [count, groupBits] = isV4 ? [4, 8n] : [8, 16n];
  const groups = Array.from({ length: count }, (_, at) => network.split(isV4 ? '.' : ':')[at] || '0');
  const first = groups.reduce((number, group) => (number << groupBits) + BigInt(isV4 ? group : `0x${group}`), 0n);
  const last = first + (1n << (BigInt(count) * groupBits - BigInt(bits ?? ''))) - 1n;
  const write = (address: bigint): string => {
    const parts = groups.map((_, at) =>
      BigInt.asUintN(Number(groupBits), address >> (BigInt(count - 1 - at) * groupBits)),
    );
    return isV4 ? parts.join('.') : `[${parts.map((part) => part.toString(16)).join(':')}]`;
  };
  const isAddress = (number: bigint): boolean => number >= 0n && number < 1n << (BigInt(count) * groupBits);
  return { isV4, first, last, write, outside: [first - 1n, last + 1n].filter(isAddress) };
};

const ranges = privateRanges.map(readRange);

describe('the API Base URL', () => {
  test.each([
    ['https://api.example.com', 'https://api.example.com'],
    ['https://api.example.com/', 'https://api.example.com'],
    [`https://api.example.com${pathPrefix}`, 'https://api.example.com'],
    [`https://api.example.com${pathPrefix}/`, 'https://api.example.com'],
    ['api.example.com', 'https://api.example.com'],
    [`api.example.com${pathPrefix}`, 'https://api.example.com'],
    ['  https://API.Example.com\n', 'https://api.example.com'],
    ['https://api.example.com:8443/messaging/', 'https://api.example.com:8443/messaging'],
    [`https://api.example.com/messaging${pathPrefix}`, 'https://api.example.com/messaging'],
    [`https://api.example.com/messaging/${pathPrefix}`, 'https://api.example.com/messaging'],
    [`https://api.example.com${pathPrefix.toUpperCase()}`, 'https://api.example.com'],
    ['<https://api.example.com>', 'https://api.example.com'],
    ['https://93.184.215.14', 'https://93.184.215.14'],
    ['https://api_eu.example.com.', 'https://api_eu.example.com.'],
    ['https://[2606:4700::6810:84e5]/', 'https://[2606:4700::6810:84e5]'],
  ])('forgives how people paste it: %j', (pasted, read) => {
    expect(parseBaseUrl(pasted)).toBe(read);
  });

  test.each([
    ['http://127.0.0.1:4010', 'http://127.0.0.1:4010'],
    [`http://localhost:4010${pathPrefix}`, 'http://localhost:4010'],
    ['http://[::1]:4010', 'http://[::1]:4010'],
    ['https://localhost', 'https://localhost'],
  ])('may be plain http on this machine: %j', (pasted, read) => {
    expect(parseBaseUrl(pasted)).toBe(read);
  });

  test.each(['AWS_LAMBDA_FUNCTION_NAME', 'AWS_LAMBDA_RUNTIME_API', 'LAMBDA_TASK_ROOT'])(
    'may not be this machine inside AWS Lambda, where it is the control port (%s)',
    (name) => {
      inLambda(name, () => {
        for (const address of ['http://127.0.0.1:9001', 'https://localhost', 'http://[::1]', 'https://127.1.2.3']) {
          expect(() => parseBaseUrl(address)).toThrow(/API Base URL: .+(https|private network)/);
        }
        expect(parseBaseUrl('https://api.example.com')).toBe('https://api.example.com');
      });
    },
  );

  test.each([
    [undefined, 'the address is missing'],
    ['   ', 'the address is missing'],
    ['https://', "isn't a web address"],
    ['https://exa mple.com', "isn't a web address"],
    ['javascript:alert(1)', "isn't a web address"],
    ['http://api.example.com', 'start with https://'],
    ['http://127.0.0.1.evil.example', 'start with https://'],
    ['http://localhost.evil.example', 'start with https://'],
    ['ftp://api.example.com', 'start with https://'],
    ['file:///etc/passwd', 'start with https://'],
    ['https://me:secret@api.example.com', 'remove the user name'],
    ['me@api.example.com', 'remove the user name'],
    ['https://:secret@api.example.com', 'remove the user name'],
    ['https://api.example.com/?token=1', 'remove the ? or #'],
    ['https://api.example.com?', 'remove the ? or #'],
    ['https://api.example.com/#top', 'remove the ? or #'],
    ['https://10.1.2.3', 'private network'],
    ['https://172.16.0.1', 'private network'],
    ['https://192.168.1.1', 'private network'],
    ['https://100.100.100.200', 'private network'],
    ['https://169.254.169.254/latest', 'private network'],
    ['https://2852039166', 'private network'],
    ['https://0xa9fea9fe', 'private network'],
    ['https://0251.0376.0251.0376', 'private network'],
    ['https://0.0.0.0', 'private network'],
    ['https://[::]', 'private network'],
    ['https://[fd00:ec2::254]', 'private network'],
    ['https://[fe80::1]', 'private network'],
    ['https://[::ffff:10.0.0.1]', 'private network'],
    ['https://[::ffff:127.0.0.1]', 'private network'],
    ['https://[64:ff9b::a9fe:a9fe]', 'private network'],
    ['https://metadata.google.internal', 'private network'],
    ['https://metadata', 'private network'],
    ['https://messages.internal', 'private network'],
    ['https://metadata.goog', 'private network'],
    ['https://metadata.tencentyun.com/', 'private network'],
    ['https://kubernetes.default.svc', 'private network'],
    ['https:/api.example.com', "isn't a web address"],
    ['https://metadata.google.internal./', 'private network'],
    ['https://printer.local', 'private network'],
    ['https://printer.local.', 'private network'],
    ['https://api.localhost', 'private network'],
    ['https://[3fff::1]', 'private network'],
    ['https://[5f00::1]', 'private network'],
    ['https://[::ffff:0:169.254.169.254]', 'private network'],
    ['https://[2002:a9fe:a9fe::1]', 'private network'],
    ["https://169.254.169.254'.example.com", "isn't a web address"],
    ['https://169.254.169.254;.example.com', "isn't a web address"],
    ['https://169.254.169.254".example.com', "isn't a web address"],
    ['https://169.254.169.254{.example.com', "isn't a web address"],
    ['https://169.254.169.254}.example.com', "isn't a web address"],
    ['https://169.254.169.254`.example.com', "isn't a web address"],
    ['https://{{x}}.example.com', "isn't a web address"],
    [`https://${'a.'.repeat(127)}example.com/169.254.169.254`, "isn't a web address"],
    [`https://api.example.com/${'a'.repeat(2_048)}`, "isn't a web address"],
  ])('is refused with the reason: %j', (pasted, reason) => {
    expect(() => parseBaseUrl(pasted)).toThrow(reason);
  });

  test.each(privateRanges)('is refused in all of the private range %s, and taken just outside', (range) => {
    const { isV4, first, last, write, outside } = readRange(range);
    const isPrivate = (address: bigint) =>
      ranges.some((each) => each.isV4 === isV4 && each.first <= address && address <= each.last);
    inLambda('LAMBDA_TASK_ROOT', () => {
      fc.assert(
        fc.property(fc.bigInt(first, last), (address) => {
          expect(() => parseBaseUrl(`https://${write(address)}`)).toThrow('private network');
        }),
        { examples: [[first], [last]] },
      );
      for (const address of outside.filter((each) => !isPrivate(each))) {
        expect(parseBaseUrl(`https://${write(address)}`)).toMatch(/^https:/);
      }
    });
  });

  test('leads to the same host for the parser that checks it and the one that connects', () => {
    const sign = fc.constantFrom(...'\'";{}`|^\\<>*%@,!$&()+=~_-.:[]/ \t\u00ad\u3002');
    const part = fc.oneof(
      sign,
      fc.constantFrom('169.254.169.254', 'example', 'com', 'xn--', '1', '0x7f', '2606:4700::1'),
    );
    const host = fc.array(part, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(''));
    const long = fc.integer({ min: 240, max: 260 }).map((length) => `${'a.'.repeat(length / 2)}example.com`);
    const path = fc.constantFrom('', '/', '/base', '/@example.com', "/';{}`|^");
    const address = fc
      .tuple(fc.oneof({ weight: 9, arbitrary: host }, { weight: 1, arbitrary: long }), path)
      .map(([name, rest]) => `https://${name}.example.com${rest}`);
    fc.assert(
      fc.property(address, (pasted) => {
        let read: string;
        try {
          read = parseBaseUrl(pasted);
        } catch {
          return;
        }
        const { href, host: checked } = new URL(`${read}/v1/messages`);
        expect(parse(href).host).toBe(checked);
        expect(parse(new URL(parse(href).href).href).host).toBe(checked);
      }),
      { numRuns: 1_000 },
    );
  });

  test('never leads anywhere but to the host that was read, whatever is pasted', () => {
    // `fc.webUrl` takes seconds, since it maps each character first.
    const rest = fc.string({ unit: fc.constantFrom(..."aZ09-._~!$&'()*+,;=:@/?#", '%c3%a9', '%2F', '%00') });
    const webUrl = fc.tuple(fc.constantFrom('http', 'https'), fc.domain(), fc.constantFrom('', '/', '?', '#'), rest);
    const address = webUrl.map(([scheme, domain, start, end]) => `${scheme}://${domain}${start}${end}`);
    fc.assert(
      fc.property(fc.oneof(fc.string(), address), (pasted) => {
        let read: string;
        try {
          read = parseBaseUrl(pasted);
        } catch (error) {
          expect(String(error)).toContain('API Base URL: ');
          return;
        }
        const url = new URL(`${read}/v1/messages`);
        expect(read.startsWith(url.origin)).toBe(true);
        expect([url.search, url.hash, url.username, url.password]).toEqual(['', '', '', '']);
      }),
    );
  });
});

describe('the API Token', () => {
  test.each([
    ['tok_abc123', 'tok_abc123'],
    ['  tok_abc123\n', 'tok_abc123'],
    ['tok_\nabc\r\n 123', 'tok_abc123'],
    ['Bearer tok_abc123', 'tok_abc123'],
    ['bearer   tok_abc123', 'tok_abc123'],
    ['Authorization: Bearer tok_abc123', 'tok_abc123'],
    ['Bearer Bearer tok_abc123', 'tok_abc123'],
    ['Token tok_abc123', 'tok_abc123'],
    ['Token: tok_abc123', 'tok_abc123'],
    ['bearertok', 'bearertok'],
    ['\u200btok_abc123\ufeff', 'tok_abc123'],
  ])('forgives how people paste it: %j', (pasted, read) => {
    expect(parseToken(pasted)).toBe(read);
  });

  test.each([undefined, null, '', '  \n', 'Bearer', 'Bearer  '])(
    'is asked for when the address is missing: %j',
    (pasted) => {
      expect(() => parseToken(pasted)).toThrow('The API Token is missing. Create an API token');
    },
  );

  test.each(['tok_é', 'tok_\u0000abc', 'tok_“abc”'])('is asked for again when it can be no token: %j', (pasted) => {
    expect(() => parseToken(pasted)).toThrow("contains characters that a token can't have");
  });
});

test('a connection without anything says that the address is missing', () => {
  expect(() => parseConnection(undefined)).toThrow('API Base URL: the address is missing');
});

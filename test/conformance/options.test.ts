import type { Environment } from '../../cli/environment';
import { UsageError } from '../../cli/errors';
import { readOptions } from '../../conformance/options';
import { pathPrefix } from '../../src/api/endpoints';

const environment: Environment = { BASE_URL: 'https://api.example.com', API_TOKEN: 'tok_0001' };
const send = ['--write', '--to', '+12025550123'];

test.each<[sentence: string, args: string[], environment?: Environment]>([
  ['BASE_URL is missing', [], { API_TOKEN: 'tok_0001' }],
  ['API_TOKEN is missing', [], { BASE_URL: 'https://api.example.com' }],
  ['the address must start with https://', ['--base-url', 'http://api.example.com']],
  ['this address is in a private network', [], { ...environment, BASE_URL: 'https://10.0.0.1' }],
  ['The API Token contains invalid characters', [], { ...environment, API_TOKEN: 'tök' }],
  ['--token would show the token', ['--token', 'tok_0001']],
  ['--token would show the token', ['--token=tok_1']],
  ["Unknown option '--fast'", ['--fast']],
  ["Unexpected argument 'fast'", ['fast']],
  ['--to needs --write', ['--to', '+12025550123']],
  ['--template needs --to', ['--write', '--template', 'parcel_sms']],
  ['--to takes a phone number', ['--write', '--to', '2025550123']],
  ['--variables takes a JSON object of texts', [...send, '--variables', 'parcel_id=1']],
  ['--variables takes a JSON object of texts', [...send, '--variables', '{"parcel_id": 1}']],
  ['--callback-url takes an https address', ['--write', '--callback-url', 'http://example.com']],
  ['--port takes a port from 0 to 65535, not "70000"', ['--write', '--port', '70000']],
])('explains wrong use: %s', (sentence, args, given = environment) => {
  const read = () => readOptions(args, given);
  expect(read).toThrow(UsageError);
  expect(read).toThrow(new RegExp(`^([A-Z][^.]+: )?${sentence}[^\n]*\\.$`));
  expect(read).not.toThrow(/tok_1/);
});

test('takes the address and the token from the environment, and the address from --base-url first', () => {
  expect(readOptions([], environment).connection).toMatchObject({
    baseUrl: 'https://api.example.com',
    token: 'tok_0001',
  });
  const { connection } = readOptions(['--base-url', `https://eu.example.com${pathPrefix}`], environment);
  expect(connection).toMatchObject({ baseUrl: 'https://eu.example.com', token: 'tok_0001' });
});

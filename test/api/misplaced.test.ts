/** A contract that declares a difference where nothing looks for it. */
import * as z from 'zod/mini';
import { readOptions } from '../../conformance/options';
import { checkService } from '../../conformance/run';
import { renamed } from '../../src/api/wire';

// As on Zapier, where the contract is translated.
delete process.env.CONTRACT;

const refusal =
  "src/api: wire.renamed('label', …) has no effect where it is. Put it around the whole schema of a field or a query parameter.";

beforeAll(() => renamed('label', z.string()));

test('the app is not defined', async () => {
  await expect(import('../../src')).rejects.toThrow(refusal);
});

test('conformance says so before it sends a request', async () => {
  const options = readOptions(['--base-url', 'http://127.0.0.1:9'], { API_TOKEN: 'tok_0001' });
  await expect(checkService(options)).rejects.toThrow(refusal);
});

/** In its own file, since it changes every name. */
import * as z from 'zod/mini';
import { fromWire, toWire } from '../../src/api/translate';
import { mapNames, renamed } from '../../src/api/wire';

// As on Zapier, where the contract is translated.
delete process.env.CONTRACT;

test('names have a default case, which a renamed field does not take', () => {
  const text = z.string();
  mapNames((name) => name.toUpperCase());
  const contact = z.looseObject({ name: text, note: renamed('remark', text) });
  expect(toWire(contact, { name: 'Noor', note: 'new' })).toEqual({ NAME: 'Noor', remark: 'new' });
  expect(fromWire(contact, { NAME: 'Noor', remark: 'new' })).toEqual({ name: 'Noor', note: 'new' });
});

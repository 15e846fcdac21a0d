/** Recordings of responses just as they are on the wire. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mask } from '../../conformance/recording/mask';
import { saveRecordings } from '../../conformance/recording/save';
import { endpoints, list } from '../../src/api/endpoints';
import { contact } from '../../src/api/resources';

test('a mask keeps the form of every text, and nothing of a number that the contract does not know', () => {
  const sent = {
    data: [
      {
        ...contact.sample,
        attributes: { customer_number: '10482' },
        birth: 19900101,
        'noor@example.com': ['Ünal 7'],
      },
    ],
    next_cursor: 'aB3=',
  };
  expect(mask(list(contact.schema), sent)).toEqual({
    data: [
      expect.objectContaining({
        id: 'xxx_0Xx0Xx',
        phone: '+00000000000',
        email: 'xxxx.xxxxxx@xxxxxxx.xxx',
        attributes: { customer_number: '00000' },
        consent: 'opted_in',
        created_at: '2026-03-02T08:15:00Z',
        birth: 0,
        'xxxx@xxxxxxx.xxx': ['Xxxx 0'],
      }),
    ],
    next_cursor: 'xX0=',
  });
});

test('a mask keeps names apart that differ only by a number', () => {
  expect(mask(undefined, { '1': 'a', '2': 'b' })).toEqual({ '0': 'x', '0_': 'x' });
});

test('a list stays a list when the service returns it bare', () => {
  const folder = mkdtempSync(join(tmpdir(), 'recording-'));
  const response = {
    endpoint: endpoints.listContacts,
    sent: { query: {}, body: {} },
    status: 200,
    headers: new Headers(),
    body: Array(4).fill(contact.sample),
    retryAfter: undefined,
    hasScope: true,
  };
  saveRecordings(folder, [response], []);
  const recording = JSON.parse(readFileSync(join(folder, 'responses/listContacts.json'), 'utf8'));
  rmSync(folder, { recursive: true });
  expect(recording).toMatchObject({ body: Array(3).fill({ phone: '+00000000000' }) });
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Store } from '../../playground/service/store';
import { zap as zapSchema } from '../../zapier/zap';

const folder = mkdtempSync(join(tmpdir(), 'playground-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a file that another program or version wrote is named, and stays as it is', () => {
  const file = join(folder, 'other.playground');
  writeFileSync(file, 'not a database'.repeat(500));
  expect(() => new Store(file)).toThrow(`The playground can't read ${file}. Move the file away`);
  expect(readFileSync(file, 'utf8')).toBe('not a database'.repeat(500));

  const store = new Store(':memory:');
  store.put('zap', 'zap-1', { id: 'zap-1', steps: [] });
  expect(() => store.list('zap', zapSchema)).toThrow("The playground can't read :memory:.");
  // Earlier versions called the operation of a step its place.
  const step = { type: 'own', id: 'step-1', place: 'creates.send_message', values: {}, labels: {} };
  store.put('zap', 'zap-1', { id: 'zap-1', title: 'Earlier', steps: [step], isOn: false, seen: [] });
  expect(() => store.list('zap', zapSchema)).toThrow("The playground can't read :memory:.");
  // A second close would throw and hide the sentence.
  store.close();

  expect(() => new Store(folder)).toThrow("The playground can't read");
});

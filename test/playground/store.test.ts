import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Store } from '../../playground/service/store';
import { stepAlone } from '../../zapier/kinds';
import { Zaps } from '../../zapier/zap/kept-zaps';
import { zap as zapSchema } from '../../zapier/zap/zap';

const folder = mkdtempSync(join(tmpdir(), 'playground-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a file that another program or version wrote is named, and stays as it is', () => {
  const file = join(folder, 'other.playground');
  writeFileSync(file, 'not a database'.repeat(500));
  expect(() => new Store(file)).toThrow(`The playground can't read ${file}. Move the file away`);
  expect(readFileSync(file, 'utf8')).toBe('not a database'.repeat(500));

  expect(() => new Store(folder)).toThrow("The playground can't read");
});

test('a row that cannot be read is named and set aside, and the others are read', () => {
  const named = jest.spyOn(console, 'error').mockImplementation();
  const file = join(folder, 'zaps.playground');
  const store = new Store(file);
  const zap = {
    title: 'Kept',
    steps: [{ type: 'delay', id: 'delay', value: '1', unit: 'hours' }],
    isOn: false,
    seen: [],
  };
  store.put('zap', 'zap-1', { ...zap, id: 'zap-1' });
  // Earlier versions called the operation of a step its place.
  const step = { type: 'app', id: 'step-1', place: 'creates.send_message', values: {}, labels: {} };
  store.put('zap', 'zap-2', { ...zap, id: 'zap-2', title: 'Earlier', steps: [step] });
  store.put('zap', 'zap-3', { ...zap, id: 'zap-3' });
  store.put('zap', 'zap-4', 'junk');
  store.close();
  const raw = new DatabaseSync(file);
  raw.exec(`UPDATE records SET document = '{' WHERE id = 'zap-4';
    INSERT INTO records SELECT kind, NULL, document FROM records WHERE id = 'zap-1';
    INSERT INTO records SELECT kind, 'zap-5', CAST(document AS BLOB) FROM records WHERE id = 'zap-1'`);

  const again = new Store(file);
  const zaps = new Zaps(again);
  expect(zaps.list().map(({ id }) => id)).toEqual(['zap-1', 'zap-3']);
  const sentences = named.mock.calls.flat();
  expect(sentences).toEqual([
    `The playground can't read the zap "Earlier" in ${file}, so it starts without it.`,
    `The playground can't read the zap "zap-4" in ${file}, so it starts without it.`,
    `The playground can't read the zap "Kept" in ${file}, so it starts without it.`,
    `The playground can't read the zap "zap-5" in ${file}, so it starts without it.`,
  ]);
  // A new Zap takes no id that one has, and what was set aside stays in the file.
  expect(zaps.add(zap.steps.map((each) => stepAlone.parse(each))).id).toBe('zap-4');
  expect(again.list('zap', zapSchema)).toHaveLength(3);
  const kinds = raw.prepare('SELECT kind, id FROM records ORDER BY id, kind').all();
  expect(kinds).toContainEqual({ kind: 'unreadable zap', id: 'zap-2' });
  expect(kinds).toContainEqual({ kind: 'unreadable zap', id: 'zap-4' });
  expect(kinds).toContainEqual({ kind: 'unreadable zap', id: null });
  expect(kinds).toContainEqual({ kind: 'unreadable zap', id: 'zap-5' });
  raw.close();
  again.close();
  named.mockRestore();
});

import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { removeEnv, saveEnv } from '../../cli/env-file';
import { readEnvironment } from '../../cli/environment';
import { UsageError } from '../../cli/errors';
import { startNode } from '../support/processes';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'env-'));
  file = join(folder, '.env');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const url = 'http://127.0.0.1:4010';
const save = (token: string) => saveEnv(url, token, folder);
const remove = (token: string) => removeEnv(url, token, folder);
const read = (): string => readFileSync(file, 'utf8');

test('saves the address and the token for each command, for the owner alone', () => {
  save('tok_1');
  expect(readEnvironment(folder)).toMatchObject({
    BASE_URL: url,
    API_TOKEN: 'tok_1',
    authData_base_url: url,
    authData_api_token: 'tok_1',
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('replaces the file of a sandbox that was killed, also its permissions', () => {
  save('tok_1');
  chmodSync(file, 0o644);
  save('tok_2');
  expect(readEnvironment(folder)).toMatchObject({ API_TOKEN: 'tok_2' });
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('removes the file of the same sandbox only, without a word about the other', () => {
  save('tok_1');
  save('tok_2');
  expect(remove('tok_1')).toBeUndefined();
  expect(readEnvironment(folder)).toMatchObject({ API_TOKEN: 'tok_2' });
  expect(remove('tok_2')).toBeUndefined();
  expect(existsSync(file)).toBe(false);
  expect(remove('tok_2')).toBeUndefined();
});

test('says what to do about a file that a person wrote or changed', () => {
  save('tok_1');
  writeFileSync(file, read().replaceAll('tok_1', 'tok_live'));
  expect(() => save('tok_2')).toThrow(
    new UsageError(
      `${file} stays as it is, because you wrote or changed it. Rename it or leave out --env, then try again.`,
    ),
  );
  expect(remove('tok_1')).toBe(
    `${file} stays, because you wrote or changed it. If it has the address or token of this sandbox, remove those lines.`,
  );
});

describe('a path that is no file of the sandbox stays', () => {
  const expectKept = () => {
    const before = readdirSync(folder);
    expect(() => save('tok_2')).toThrow(UsageError);
    expect(remove('tok_1')).toContain('stays');
    expect(readdirSync(folder)).toEqual(before);
  };

  test('a link, even to what a sandbox wrote', () => {
    save('tok_1');
    const text = read();
    rmSync(file);
    writeFileSync(join(folder, 'shared'), text);
    symlinkSync('shared', file);
    expectKept();
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(read()).toBe(text);
  });

  test('a link that leads nowhere', () => {
    symlinkSync(join(folder, 'nowhere'), file);
    expectKept();
    expect(existsSync(join(folder, 'nowhere'))).toBe(false);
  });

  test('a folder', () => {
    mkdirSync(file);
    expectKept();
  });

  test('a huge file', () => {
    writeFileSync(file, 'A=1\n'.repeat(1_000_000));
    expectKept();
  });
});

/** What a person does to the file. `text` is what it has. */
type Edit = (text: string | undefined) => string | undefined;

const line = fc.stringMatching(/^[A-Z_]{1,8}=[ -~]{0,20}$/);
const edit: fc.Arbitrary<Edit> = fc.oneof(
  line.map(
    (added) =>
      (text = '') =>
        `${text}${added}\n`,
  ),
  line.map(
    (added) =>
      (text = '') =>
        `${added}\n${text}`,
  ),
  // Keeps the marker, and replaces each value by a live one.
  line.map(
    (value) =>
      (text = '') =>
        text.replaceAll(/=.*/g, `=${value}`),
  ),
  fc.nat(400).map(
    (length) =>
      (text = '') =>
        text.slice(0, length),
  ),
  fc.nat(400).map(
    (at) =>
      (text = '') =>
        text.slice(0, at) + text.slice(at + 1),
  ),
  fc.constant((text = '') => text.replaceAll('\n', '\r\n')),
  fc.constant((text = '') => `\ufeff${text}`),
  fc.constant((text: string | undefined) => text),
  fc.constant(() => undefined),
);

const token = fc.constantFrom('tok_1', 'tok_2', 'tok_live');
const step = fc.oneof(
  token.map((each) => ({ kind: 'start' as const, token: each })),
  token.map((each) => ({ kind: 'stop' as const, token: each })),
  edit.map((each) => ({ kind: 'edit' as const, edit: each })),
);

const current = (): string | undefined => (existsSync(file) ? read() : undefined);

const start = (each: string): void => {
  try {
    save(each);
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
  }
};

test('no order of starts, stops, kills and edits changes what a person wrote', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      rmSync(file, { force: true });
      const written = new Set<string>();
      for (const each of steps) {
        const before = current();
        if (each.kind === 'edit') {
          const after = each.edit(before);
          if (after === undefined) rmSync(file, { force: true });
          else writeFileSync(file, after);
          continue;
        }
        if (each.kind === 'start') start(each.token);
        else remove(each.token);
        const isPersons = before !== undefined && !written.has(before);
        if (isPersons) expect(current()).toBe(before);
        if (!isPersons && each.kind === 'start') written.add(read());
        expect(readdirSync(folder).filter((name) => name !== '.env')).toEqual([]);
      }
    }),
    { numRuns: 300 },
  );
});

/** The texts of `.env`, and of files that were moved aside when another one was there before they could go back. */
const texts = (): string[] => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));

test('a file that a person saves while two sandboxes start and stop is not lost', async () => {
  const children = [1, 2].map(() => startNode(['test/cli/sandboxes.ts', folder]).child);
  await Promise.all(children.map((child) => once(child, 'message')));
  for (let round = 1; round <= 200; round += 1) {
    const ended = children.map((child) => once(child, 'message'));
    for (const child of children) child.send(round);
    // At another moment of their work each time.
    for (let turn = 0; turn < round; turn += 1) await setImmediate();
    const text = `API_TOKEN=tok_live_${round}\n`;
    writeFileSync(`${folder}.new`, text);
    renameSync(`${folder}.new`, file);
    await Promise.all(ended);
    expect(texts()).toContain(text);
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
  }
});

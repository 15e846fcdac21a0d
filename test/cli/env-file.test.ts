import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { removeEnv, saveEnv } from '../../cli/env-file';
import { readEnvironment } from '../../cli/environment';
import { UsageError } from '../../cli/errors';

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
  expect(remove('tok_1')).toBeUndefined();
  expect(existsSync(file)).toBe(false);
  expect(remove('tok_1')).toBeUndefined();
});

test('says what to do about a file that a person wrote or changed', () => {
  save('tok_1');
  writeFileSync(file, read().replaceAll('tok_1', 'tok_live'));
  expect(() => save('tok_1')).toThrow(
    new UsageError(`${file} already exists, so it stays as it is. Rename or delete it, or leave out --env.`),
  );
  expect(remove('tok_1')).toBe(
    `${file} stays, because you changed it. If it has the address or token of this sandbox, remove those lines.`,
  );
});

describe('a path that is no file of the sandbox stays', () => {
  const expectKept = () => {
    const before = readdirSync(folder);
    expect(() => save('tok_1')).toThrow(UsageError);
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
});

const token = fc.constantFrom('tok_1', 'tok_2');
const text = fc.stringMatching(/^[A-Z_]{1,8}=[ -~]{0,20}\n$/);
const step = fc.oneof(
  token.map((each) => ({ kind: 'start' as const, token: each })),
  token.map((each) => ({ kind: 'stop' as const, token: each })),
  fc.record({ kind: fc.constant('edit' as const), added: text, at: fc.nat(200), cut: fc.nat(3) }),
  fc.constant({ kind: 'delete' as const }),
);

const current = (): string | undefined => (existsSync(file) ? read() : undefined);

/** Starts a sandbox. Returns whether it has a `.env`. */
const start = (each: string): boolean => {
  try {
    save(each);
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return false;
  }
};

test('no order of starts, stops, kills and edits changes what is not of this sandbox', () => {
  const own = Object.fromEntries(
    ['tok_1', 'tok_2'].map((each) => {
      save(each);
      const saved = read();
      remove(each);
      return [each, saved];
    }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      rmSync(file, { force: true });
      for (const each of steps) {
        const before = current();
        if (each.kind === 'delete') rmSync(file, { force: true });
        if (each.kind === 'edit') {
          const { at, cut, added } = each;
          writeFileSync(file, (before ?? '').slice(0, at) + added + (before ?? '').slice(at + cut));
        }
        if (each.kind === 'start') {
          const isFree = before === undefined || before === own[each.token];
          expect(start(each.token)).toBe(isFree);
          expect(current()).toBe(isFree ? own[each.token] : before);
        }
        if (each.kind === 'stop') {
          remove(each.token);
          expect(current()).toBe(before === own[each.token] ? undefined : before);
        }
        expect(readdirSync(folder).filter((name) => name !== '.env')).toEqual([]);
      }
    }),
    { numRuns: 100 },
  );
});

/** What every command shares: its options, the environment and `.env`. */

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
import { formatHelp, parseFlags, readNumberFlag } from '../command';
import { removeEnv, saveEnv } from '../env-file';
import { readEnvironment } from '../environment';
import { UsageError } from '../errors';
import { wrap } from '../text';

describe('command', () => {
  const command = {
    name: 'npm run demo',
    summary: `Does ${'a lot '.repeat(30)}and more.`,
    options: { count: { type: 'string', value: 'NUMBER', default: '3', help: 'How many.' } },
    examples: ['npm run demo -- --count 5'],
  } as const;

  test('shows what a command does, its options and examples, within 100 columns', () => {
    const help = formatHelp(command);
    expect(help).toContain('Does a lot');
    expect(help).toContain('\n  --count NUMBER            How many. Default: 3.\n  --help ');
    expect(help).toContain('  npm run demo -- --count 5');
    expect(Math.max(...help.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
  });

  test('reads options and their defaults', () => {
    expect(parseFlags(command, [])).toEqual({ count: '3' });
    expect(parseFlags(command, ['--count', '5'])).toEqual({ count: '5' });
  });

  test.each([
    [['--size', '5'], "Unknown option '--size'."],
    [['5'], "Unexpected argument '5'. Put options after two dashes."],
    [['--count'], "Option '--count <value>' argument missing."],
  ])('explains %j', (args, sentence) => {
    expect(() => parseFlags(command, args)).toThrow(new UsageError(sentence));
  });

  test.each(['', 'five', '0', '11', 'NaN', '1e3'])('refuses "%s" as a number from 1 to 10', (text) => {
    expect(() => readNumberFlag('count', text, { min: 1, max: 10 })).toThrow(UsageError);
  });

  test('wraps a value under its label, and breaks words that are too long', () => {
    const text = `${'word '.repeat(30)}${'x'.repeat(150)}`;
    const [first, ...others] = wrap(text, { label: 'Text', indent: 5, column: 10 }).split('\n');
    expect(first).toMatch(/^Text {6}word/);
    expect(Math.max(...others.map((line) => line.length))).toBe(100);
    expect([first?.slice(10), ...others].join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
  });
});

describe('env file', () => {
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

  /** Something that happens to the file, with its text before and the texts that sandboxes write. */
  type Act = (before: string | undefined, own: Record<string, string>) => void;

  const act: fc.Arbitrary<Act> = fc.oneof(
    token.map(
      (each): Act =>
        (before, own) => {
          const isFree = before === undefined || before === own[each];
          expect(start(each)).toBe(isFree);
          expect(current()).toBe(isFree ? own[each] : before);
        },
    ),
    token.map(
      (each): Act =>
        (before, own) => {
          remove(each);
          expect(current()).toBe(before === own[each] ? undefined : before);
        },
    ),
    fc.record({ added: text, at: fc.nat(200), cut: fc.nat(3) }).map(
      ({ added, at, cut }): Act =>
        (before = '') =>
          writeFileSync(file, before.slice(0, at) + added + before.slice(at + cut)),
    ),
    fc.constant<Act>(() => rmSync(file, { force: true })),
  );

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
      fc.property(fc.array(act, { maxLength: 20 }), (steps) => {
        rmSync(file, { force: true });
        for (const act of steps) {
          act(current(), own);
          expect(readdirSync(folder).filter((name) => name !== '.env')).toEqual([]);
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe('environment', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'environment-'));
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test('reads .env for what the environment does not set', () => {
    writeFileSync(join(folder, '.env'), 'ENVIRONMENT_TEST="from the file"\nPATH=nowhere\n');
    const { ENVIRONMENT_TEST, PATH } = readEnvironment(folder);
    expect(ENVIRONMENT_TEST).toBe('from the file');
    expect(PATH).toBe(process.env.PATH);
  });
});

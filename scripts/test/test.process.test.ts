import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { project } from '../../lab/cli/environment';
import { runNode } from '../../test/support/processes';

let cwd: string;

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'test-'));
});

afterAll(() => rmSync(cwd, { recursive: true }));

/** Runs `npm test` in a project with these checks, and jest with one argument. */
const testWith = async (typecheck: string, lint: string, argument: string) => {
  writeFileSync(join(cwd, 'package.json'), JSON.stringify({ scripts: { typecheck, lint } }));
  return runNode([join(project, 'scripts/test.ts'), argument], { cwd });
};

const [good, wrong] = ['node -e 0', 'node -e "console.log(7 * 6), process.exit(2)"'];

test('`npm test` succeeds when types, style and tests are good, and prints what jest prints', async () => {
  expect(await testWith(good, good, '--version')).toEqual({
    code: 0,
    out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    err: '',
  });
});

test.each([
  ['typecheck', wrong, good],
  ['lint', good, wrong],
])(
  '`npm test` fails when only %s fails, says what is wrong, and names it at the end',
  async (name, typecheck, lint) => {
    const { code, out, err } = await testWith(typecheck, lint, '--version');
    expect([code, out]).toEqual([1, expect.stringMatching(/^\d/)]);
    expect(err).toContain('\n42\n');
    expect(err).toMatch(new RegExp(`\nnpm run ${name} failed. Its problems are above.\n$`));
  },
);

test('`npm test` fails when only the tests fail', async () => {
  const { code, err } = await testWith(good, good, '--unknown-option');
  expect([code, err]).toEqual([1, expect.not.stringContaining('npm run')]);
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { project } from '../cli/environment';
import { runNode } from './support/processes';
import { isWide, seed } from './support/width';

let folder: string;
let bundle: string;

beforeAll(async () => {
  // The bundle finds core from there, as it does in `dist`.
  folder = mkdtempSync(join(project, 'node_modules', '.simulation-'));
  bundle = join(folder, 'index.js');
  await runNode([join(project, 'scripts/build.ts'), folder]);
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

const simulate = (...args: string[]) =>
  runNode([join(project, 'test/simulation/main.ts'), '--bundle', bundle, ...args]);

/** Changes the bundle for one simulation. Fails when there is nothing to change. */
const simulateWith = async (from: string | RegExp, to: string, ...args: string[]) => {
  const built = readFileSync(bundle, 'utf8');
  const broken = built.replace(from, to);
  expect(broken).not.toBe(built);
  writeFileSync(bundle, broken);
  const result = await simulate(...args);
  writeFileSync(bundle, built);
  return result;
};

it.each([
  ['any', isWide ? 40 : 6],
  ['waits', isWide ? 20 : 3],
  ['faults', isWide ? 20 : 3],
])(`finds nothing in the worlds of the plan %s`, async (plan, worlds) => {
  const { code, out } = await simulate('--plan', plan, '--worlds', String(worlds), '--seed', String(seed));
  expect(out).toMatch(new RegExp(`^${worlds} worlds: [1-9]\\d* operations, \\d+ runs`));
  expect(code).toBe(0);
});

it('plants a bug, and says which world notices it', async () => {
  const { code, out } = await simulate('--planted', '--only', 'key-without-person', '--seed', '7');
  expect(out).toMatch(
    /^key-without-person: world \d+: another person or template under a value is no repeat\n1 of 1 planted bugs/,
  );
  expect(code).toBe(0);
});

it('prints the same for the same seed', async () => {
  const [first, second] = [await simulate('--worlds', '2', '--survey'), await simulate('--worlds', '2', '--survey')];
  expect(second.out).toBe(first.out);
  expect(first.out).toContain('2 worlds: 100 operations');
});

it('tells the shortest story of an app that sends without a key', async () => {
  const args = ['--worlds', '6', '--only', 'twice under one key'];
  const { code, out } = await simulateWith('"idempotency-key"', '"x-ignored"', ...args);
  expect(code).toBe(1);
  expect(out).toMatch(/World \d+ of seed 1 breaks: nobody gets a message twice under one key\.\n\nOperation \d+ send/);
  expect(out.match(/^Operation/gm)?.length).toBeLessThan(5);
});

it('catches an app that starts Zaps for forged deliveries', async () => {
  const { code, out } = await simulateWith(
    /\(0,\w+\.timingSafeEqual\)\(\w+,\w+\)/,
    'true',
    '--worlds',
    '30',
    '--survey',
  );
  expect(code).toBe(1);
  expect(out).toContain('only what a Zap asks for starts it');
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { project } from '../lab/cli/environment';
import { evaluate } from './simulation/app';
import { contracts } from './simulation/contracts';
import { buildApp, buildPlanted } from './simulation/plant';
import { forms } from './simulation/stories';
import { runNode } from './support/processes';
import { isWide, seed } from './support/width';

const simulate = (...args: string[]) => runNode([join(project, 'test/simulation/main.ts'), ...args]);

const kinds = [
  ['any', isWide ? 40 : 10],
  ['waits', isWide ? 20 : 5],
  ['faults', isWide ? 20 : 5],
] as const;

it.each([
  ...kinds.map(([plan, worlds]) => ({ plan, worlds, flags: [] })),
  ...contracts.map(({ id }) => ({ plan: 'faults', worlds: isWide ? 10 : 1, flags: ['--contract', id] })),
])('finds nothing in $worlds worlds of the plan $plan $flags', async ({ plan, worlds, flags }) => {
  const { code, out } = await simulate('--plan', plan, '--worlds', `${worlds}`, '--seed', `${seed}`, ...flags);
  expect(out).toMatch(new RegExp(`^${worlds} worlds: [1-9]\\d* operations, \\d+ runs`));
  expect(code).toBe(0);
});

const withForms = z.object({
  creates: z.record(z.string(), z.object({ operation: z.object({ inputFields: z.array(z.unknown()) }) })),
});

const field = z.looseObject({ key: z.literal('deduplication_key') });

it.each(contracts)('promises to send once only in steps whose keys the service keeps: $id', async (contract) => {
  const [[, bundle] = ['', '']] = await buildPlanted([contract]);
  const { creates } = withForms.parse(evaluate(bundle));
  const promising = Object.keys(creates).filter((step) =>
    creates[step]?.operation.inputFields.some((each) => field.safeParse(each).success),
  );
  const keyed = forms.filter(({ takesKey }) => takesKey).map(({ step }) => step);
  const kept = new Set(keyed.filter((step) => !contract.settings.keyless?.includes(step)));
  expect(promising.toSorted()).toEqual([...kept].toSorted());
});

it.each([
  // A list that lagged and was still empty passed for one that doesn't tell all, and the answer was lost.
  { plan: 'waits', from: 7, worlds: '20' },
  // A forged call without a query ended a wait before Zapier had stored anything of it.
  { plan: 'any', from: 7, worlds: '69,78' },
  { plan: 'any', from: 5, worlds: '7' },
  // The judge took a step that ended at that very millisecond for one that Zapier had stored.
  { plan: 'any', from: 6101, worlds: '23' },
  // The judge took a phone that two contacts have in two spellings for one contact's.
  { plan: 'any', from: 128, worlds: '105' },
  // The judge didn't count a late look at a message that had been sent before.
  { plan: 'any', from: 1129, worlds: '130' },
  // A second webhook was created so late, and so slowly, that no time was left to delete it.
  { plan: 'any', from: 5102, worlds: '108' },
  // A step whose own request stayed in flight was repeated with another key, and a campaign started twice.
  { plan: 'faults', from: 6106, worlds: '2,9' },
  // The judge took a person's own line, which they quoted, for a question.
  { plan: 'any', from: 4002, worlds: '110' },
  // The judge excused New Outbound Message, and no other Zap that filters by a sender whom nobody names.
  { plan: 'zaps', from: 11, worlds: '42' },
])('finds nothing in worlds that broke a promise: $plan, seed $from, world $worlds', async ({ plan, from, worlds }) => {
  const { code, out } = await simulate('--plan', plan, '--seed', `${from}`, '--world', worlds);
  expect(out).toMatch(/^[12] worlds: [1-9]\d* operations, \d+ runs/);
  expect(code).toBe(0);
});

it('plants a bug in the world that notices it', async () => {
  const { code, out } = await simulate('--planted', '--only', 'key-without-person,unsigned');
  expect(out).toMatch(
    /^key-without-person: another person or template under a value is no repeat\nunsigned: only what a Zap asks for starts it\n2 of 2/,
  );
  expect(code).toBe(0);
});

it('prints the same for the same seed', async () => {
  const [first, second] = [await simulate('--worlds', '1', '--survey'), await simulate('--worlds', '1', '--survey')];
  expect(second.out).toBe(first.out);
  expect(first.out).toContain('1 worlds: 50 operations');
});

it('tells the shortest story of an app that sends without a key', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'simulation-'));
  const broken = join(folder, 'broken.js');
  writeFileSync(broken, buildApp().replace('"idempotency-key"', '"x-ignored"'));
  const { code, out } = await simulate('--bundle', broken, '--world', '1', '--only', 'twice under one key');
  rmSync(folder, { recursive: true });
  expect(code).toBe(1);
  expect(out).toMatch(/World \d+ of seed 1 breaks: nobody gets a message twice under one key\.\n\nOperation \d+ send/);
  expect(out.match(/^Operation/gm)?.length).toBeLessThan(5);
});

import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { project } from '../../cli/environment';
import { runNode } from '../support/processes';
import { isWide, seed } from '../support/width';
import { contracts } from './contracts';
import { buildPlanted } from './plant';
import { forms } from './stories';

let folder: string;

beforeAll(() => {
  // The bundles find core from there.
  folder = mkdtempSync(join(project, 'node_modules', '.simulation-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

const withForms = z.object({
  creates: z.record(z.string(), z.object({ operation: z.object({ inputFields: z.array(z.unknown()) }) })),
});

const field = z.looseObject({ key: z.literal('deduplication_key') });

test.each(contracts)('only steps whose keys the service keeps promise to send once: $id', async (contract) => {
  const [bundle = ''] = (await buildPlanted([contract], folder)).keys();
  const { creates } = withForms.parse(createRequire(bundle)(bundle));
  const promising = Object.keys(creates).filter((step) =>
    creates[step]?.operation.inputFields.some((each) => field.safeParse(each).success),
  );
  const keyed = forms.filter(({ takesKey }) => takesKey).map(({ step }) => step);
  const kept = new Set(keyed.filter((step) => !contract.settings.keyless?.includes(step)));
  expect(promising.toSorted()).toEqual([...kept].toSorted());
});

test.each(contracts)('finds nothing in the worlds of the contract $id', async ({ id }) => {
  const worlds = isWide ? 10 : 1;
  const args = ['--plan', 'faults', '--contract', id, '--worlds', String(worlds), '--seed', String(seed)];
  const { code, out } = await runNode([join(project, 'test/simulation/main.ts'), ...args]);
  expect(out).toMatch(new RegExp(`^${worlds} worlds: [1-9]\\d* operations, \\d+ runs`));
  expect(code).toBe(0);
});

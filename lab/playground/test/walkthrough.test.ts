/** What the playground's README tells people to do, compared with the app and the page. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { currentApp } from '../../../scripts/docs/definition';
import { project } from '../../cli/environment';
import { recipes } from '../../recipes';
import { plainFields, visibleStepsOf } from '../../zapier/core/app-definition';

const walkthrough = readFileSync(join(project, 'lab/playground/README.md'), 'utf8');
const [, inPlayground = ''] = /^## Try it$(.+?)^## /ms.exec(walkthrough) ?? [];
const named = [...inPlayground.matchAll(/\*\*([^*]+)\*\*/g)].map(([, label = '']) => label.replace(/\s+/g, ' '));

const steps = visibleStepsOf(currentApp).map(({ step }) => step);
const shown = [
  ...globSync('lab/playground/page/**/*.tsx', { cwd: project }).map((path) =>
    readFileSync(join(project, path), 'utf8'),
  ),
  ...recipes.map(({ name }) => name),
  ...steps.flatMap((step) => [step.display.label, ...plainFields(step).map((field) => field.label)]),
];

test.each(named)('the playground shows "%s", which playground/README.md tells people to use', (label) => {
  expect(shown.some((text) => text?.includes(label))).toBe(true);
});

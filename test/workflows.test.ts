import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(__dirname, '../.github/workflows');
const workflows = readdirSync(folder).map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }));

const valuesOf = (text: string, key: string): string[] =>
  [...text.matchAll(new RegExp(`^\\s*(?:- )?${key}: (.+?)(?: #.*)?$`, 'gm'))].map(([, value = '']) => value);

describe.each(workflows)('$file', ({ text }) => {
  test('uses actions of GitHub itself, each pinned to one commit', () => {
    expect(valuesOf(text, 'uses').length).toBeGreaterThan(0);
    for (const action of valuesOf(text, 'uses')) expect(action).toMatch(/^actions\/[\w-]+@[0-9a-f]{40}$/);
  });

  test('may read the repository and nothing more, and leaves no credentials behind', () => {
    expect(text).toMatch(/^permissions:\n {2}contents: read\n\n/m);
    expect(valuesOf(text, 'persist-credentials')).toEqual(['false']);
  });

  test('fetches nothing from anywhere else', () => {
    expect(text).not.toMatch(/:\/\/|registry|curl|wget|npm (i|install|publish)\b|\bdocker\b|container:/);
  });

  test('runs what .ci/run runs', () => {
    expect(valuesOf(text, 'run')).toContain('.ci/run');
  });
});

test('a tag pushes only what is checked, is named by the tag, and breaks nothing', () => {
  const push = readFileSync(join(folder, 'push.yml'), 'utf8');
  expect(push).toMatch(/^on:\n {2}push:\n {4}tags: \["v\*"\]\n/m);
  expect(valuesOf(push, 'run')).toEqual([
    expect.stringMatching(/^test "\$GITHUB_REF_NAME" = /),
    '.ci/run',
    'npm run compat',
    'npx --no-install zapier-platform upload',
  ]);
  expect(valuesOf(push, 'ZAPIER_DEPLOY_KEY')).toEqual([expect.stringMatching(/^\$\{\{ secrets\.\w+ \}\}$/)]);
});

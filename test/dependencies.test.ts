import { allowScripts, dependencies, optionalDependencies } from '../package.json';
import lock from '../package-lock.json';

const packages = Object.entries(lock.packages).filter(([path]) => path !== '');

test('Zapier installs only core', () => {
  expect(Object.keys(dependencies)).toEqual(['zapier-platform-core']);
});

test('every package in the lockfile has an integrity hash', () => {
  expect(packages.filter(([, entry]) => !('integrity' in entry)).map(([path]) => path)).toEqual([]);
});

test('no package runs an install script', () => {
  const withScripts = packages.flatMap(([path, entry]) =>
    'hasInstallScript' in entry ? path.replace(/^.*node_modules\//, '') : [],
  );
  const denied = [...new Set(withScripts)].map((name) => [name, false]);
  expect(allowScripts).toEqual(Object.fromEntries(denied));
});

test('Node is one package for each platform, so that the lockfile knows what runs', () => {
  const builds = Object.keys(optionalDependencies).map(
    (name) => lock.packages[`node_modules/${name}` as keyof typeof lock.packages],
  );
  expect(builds).toHaveLength(5);
  for (const build of builds) {
    expect(build).toEqual({
      version: expect.stringMatching(/^22\./),
      integrity: expect.stringMatching(/^sha512-/),
      os: expect.anything(),
      cpu: expect.anything(),
      bin: { node: expect.stringMatching(/^bin\/node/) },
      license: 'MIT',
      optional: true,
    });
  }
});

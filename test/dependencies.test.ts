import { allowScripts, dependencies } from '../package.json';
import lock from '../package-lock.json';

const packages = Object.entries(lock.packages).filter(([path]) => path !== '');

test('Zapier installs only core', () => {
  expect(Object.keys(dependencies)).toEqual(['zapier-platform-core']);
});

test('every package in the lockfile has an integrity hash', () => {
  expect(packages.filter(([, entry]) => !('integrity' in entry)).map(([path]) => path)).toEqual([]);
});

test('every install script is allowed or denied', () => {
  const withScripts = packages.flatMap(([path, entry]) =>
    'hasInstallScript' in entry ? path.replace(/^.*node_modules\//, '') : [],
  );
  expect(Object.keys(allowScripts).sort()).toEqual([...new Set(withScripts)].sort());
});

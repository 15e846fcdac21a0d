/** Which steps can show an error that is in the code: those that import its file, by way of others too. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { project } from '../../lab/cli/environment';
import type { Text } from './app-texts';

const reference = /(?:\bfrom|\bimport\()\s*'(\.[^'\n]+)'/g;

/** Lists the files of the project that a file imports, without those that it takes only types from. */
const importsOf = (path: string): string[] => {
  const code = readFileSync(join(project, path), 'utf8').replaceAll(/^import type [^;]+;/gm, '');
  return [...code.matchAll(reference)].flatMap(([, to = '']) => {
    const file = `${posix.join(posix.dirname(path), to)}.ts`;
    return existsSync(join(project, file)) ? file : [];
  });
};

const reach = (path: string, known: Set<string>): Set<string> => {
  if (known.has(path)) return known;
  known.add(path);
  for (const next of importsOf(path)) reach(next, known);
  return known;
};

/** Such as `creates.send_message` for `creates/send-message.ts`. */
const placeOf = (path: string): string => path.replace(/\.ts$/, '').replace('/', '.').replaceAll('-', '_');

/** Where errors are listed whose code each step uses. */
export const everyStep = 'errors of code that every step uses';

/** Returns the errors of texts by the place of each step, and those whose code each step uses once, under `everyStep`. */
export const groupErrors = (texts: readonly Text[]): Map<string, Text[]> => {
  const errors = texts.filter(({ what }) => what === 'error');
  const steps = globSync('{triggers,creates,searches}/*.ts', { cwd: project })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !path.endsWith('/index.ts'));
  const files = new Map(steps.map((path) => [placeOf(path), reach(path, new Set())]));
  const isShared = ({ place }: Text): boolean => [...files.values()].every((reached) => reached.has(place));
  return new Map([
    ...[...files].map(([step, reached]): [string, Text[]] => [
      step,
      errors.filter((error) => reached.has(error.place) && !isShared(error)),
    ]),
    [everyStep, errors.filter(isShared)],
  ]);
};

/** Finds the functions of the app that no world runs, by V8's coverage. */
import { readFileSync, realpathSync } from 'node:fs';
import { type Profiler, Session } from 'node:inspector';
import { pathToFileURL } from 'node:url';

/** Where esbuild says from which file the code after it is. */
const fileName = /^\/\/ (\S+\.[cm]?[jt]s)$/gm;

const isOwn = (file: string): boolean => /^(src|triggers|creates|searches)\//.test(file);

/** Lists the functions with a name of which none ran, each after its file. */
const listUnvisited = (bundle: string, functions: readonly Profiler.FunctionCoverage[]): string[] => {
  const files = [...readFileSync(bundle, 'utf8').matchAll(fileName)];
  const counts = new Map<string, number>();
  for (const { functionName, ranges } of functions) {
    const [{ startOffset, count } = { startOffset: 0, count: 0 }] = ranges;
    const file = files.findLast(({ index }) => index < startOffset)?.[1] ?? '';
    // A function and the getter that exports it have the same name.
    const name = `${file}: ${functionName}`;
    if (functionName && isOwn(file)) counts.set(name, (counts.get(name) ?? 0) + count);
  }
  return [...counts].flatMap(([name, count]) => (count === 0 ? [name] : [])).sort();
};

/** Starts to watch which functions run. Returns what lists those of a bundle that didn't. */
export const watchFunctions = (): ((bundle: string) => Promise<string[]>) => {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  return (bundle) =>
    new Promise((resolve, reject) => {
      const isBundle = ({ url }: Profiler.ScriptCoverage) => url === pathToFileURL(realpathSync(bundle)).href;
      session.post('Profiler.takePreciseCoverage', (error, covered) => {
        if (error) reject(error);
        else resolve(listUnvisited(bundle, covered.result.find(isBundle)?.functions ?? []));
      });
    });
};

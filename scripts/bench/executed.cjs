// Runs one event through the handler of an app in a folder, and prints the app's files and functions that it executed.
const { readFileSync } = require('node:fs');
const { Session } = require('node:inspector/promises');
const { join, relative } = require('node:path');
const { fileURLToPath } = require('node:url');
const core = require('zapier-platform-core');
const [, , folder, work] = process.argv;

const isOfApp = ({ url }) => url.startsWith('file:') && fileURLToPath(url).startsWith(folder);

const main = async () => {
  // Loading executes the body of each file, which isn't counted.
  const handler = core.createAppHandler(require(join(folder, 'src/index.js')).default);
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true });
  await handler(JSON.parse(readFileSync(work, 'utf8')));
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const executed = result.filter(isOfApp).map(({ url, functions }) => {
    const path = fileURLToPath(url);
    const text = readFileSync(path, 'utf8');
    const ran = functions.filter(({ functionName, ranges: [{ startOffset, endOffset, count }] }) => {
      // What esbuild adds for each export.
      const isGetter = /^(get: )?\(\) => [\w$]+(\[key\])?$/.test(text.slice(startOffset, endOffset));
      return functionName && count > 0 && !isGetter;
    });
    return { file: relative(folder, path).replace(/\.js$/, '.ts'), names: ran.map(({ functionName }) => functionName) };
  });
  const used = executed.filter(({ names }) => names.length > 0);
  const functions = used.flatMap(({ file, names }) => [...new Set(names)].map((name) => `${file} ${name}`));
  console.log(`\n${JSON.stringify({ files: used.map(({ file }) => file).sort(), functions: functions.sort() })}`);
};

main();

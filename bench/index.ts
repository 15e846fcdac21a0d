import measurePlatform from './platform';
import measureSandbox from './sandbox';

const benches: Record<string, () => Promise<void>> = { platform: measurePlatform, sandbox: measureSandbox };

const [name = 'platform'] = process.argv.slice(2);
const bench = benches[name];
if (bench) bench();
else {
  console.error(`There is no bench "${name}". Choose one of: ${Object.keys(benches).join(', ')}.`);
  process.exitCode = 1;
}

// Runs one event through the handler of an app, once cold and then `repeats` times, and prints the figures as JSON.
const { readFileSync } = require('node:fs');
const [, , app, work] = process.argv;
const { handler } = require(`${app}/zapierwrapper.js`);

const { event, repeats } = JSON.parse(readFileSync(work, 'utf8'));
// Core changes the events it gets.
const copies = Array.from({ length: repeats }, () => structuredClone(event));

/** CPU time of this process in milliseconds, which other programs hardly change. */
const cpu = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const main = async () => {
  const wrapped = cpu();
  // Core would load it in the first call.
  require(`${app}/index.js`);
  const loaded = cpu();
  await handler(event);
  const cold = cpu();
  const memory = process.memoryUsage().rss / 2 ** 20;
  const times = [];
  for (const copy of copies) {
    const start = performance.now();
    await handler(copy);
    times.push(performance.now() - start);
  }
  // The first runs are still compiling.
  const warm = times.slice(repeats / 4).sort((a, b) => a - b);
  const median = warm[Math.floor(warm.length / 2)] ?? 0;
  const figures = { load: loaded - wrapped, first: cold - loaded, cold, memory, warm: median };
  console.log(`\n${JSON.stringify({ started: performance.timeOrigin, ...figures })}`);
};

main();

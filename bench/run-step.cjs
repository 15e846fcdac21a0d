// Runs one step of the app in a folder through the handler that Zapier calls, in a fresh process, and prints what it took.
const { readFileSync } = require('node:fs');
const { handler } = require(`${process.argv[2]}/zapierwrapper.js`);

const { event, repeats } = JSON.parse(readFileSync(process.argv[3], 'utf8'));
// Core prints its memory at every run; only the last line here is ours.
const median = (numbers) => numbers.sort((one, other) => one - other)[Math.floor(numbers.length / 2)];

(async () => {
  // Core changes what it is given.
  const events = Array.from({ length: repeats }, () => structuredClone(event));
  await handler(event);
  const cold = performance.now();
  const { rss } = process.memoryUsage();
  const times = [];
  for (const each of events) {
    const began = performance.now();
    await handler(each);
    times.push(performance.now() - began);
  }
  console.log(
    JSON.stringify({ started: performance.timeOrigin, cold, rss, warm: median(times.slice(repeats / 4)) ?? null }),
  );
})();

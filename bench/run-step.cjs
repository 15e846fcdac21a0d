// Runs one step of the app in a folder through the handler that Zapier calls, in a fresh process, and prints what it took.
const { handler } = require(`${process.argv[2]}/zapierwrapper.js`);

const { event, repeats } = JSON.parse(process.argv[3]);
const run = () => handler(structuredClone(event));
// Core prints its memory at every run; only the last line here is ours.
const median = (numbers) => numbers.sort((one, other) => one - other)[Math.floor(numbers.length / 2)];

(async () => {
  await run();
  const cold = performance.now();
  const { rss } = process.memoryUsage();
  const times = [];
  for (let index = 0; index < repeats; index++) {
    const began = performance.now();
    await run();
    times.push(performance.now() - began);
  }
  console.log(
    JSON.stringify({ started: performance.timeOrigin, cold, rss, warm: median(times.slice(repeats / 4)) ?? null }),
  );
})();

// Zapier's core ends a process of more than 450 MB. This one holds the tests and their services as well.
const { memoryUsage } = process;
process.memoryUsage = Object.assign(() => ({ ...memoryUsage(), rss: 0 }), { rss: () => 0 });

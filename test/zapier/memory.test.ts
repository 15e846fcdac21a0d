import { createZapier } from '../../zapier';

const app = {
  version: '1.0.0',
  platformVersion: '19.1.0',
  // Otherwise core wraps Node's HTTP clients for good, also for the next test file of this worker.
  flags: { skipHttpPatch: true },
  creates: {
    note: {
      key: 'note',
      noun: 'Note',
      display: { label: 'Write Note', description: 'Writes a note.' },
      operation: { perform: () => ({ id: 1 }), sample: { id: 1 } },
    },
  },
};

test('a page with much memory goes on after hundreds of runs, unlike a server of Zapier', async () => {
  const { runStep } = createZapier(app);
  const ballast = Buffer.alloc(460_000_000, 1);
  const results = [];
  for (let run = 0; run < 260; run += 1) results.push(await runStep('creates.note.operation.perform'));
  expect(process.memoryUsage().rss).toBeGreaterThan(ballast.length);
  expect(results).toHaveLength(260);
});

/** Runs steps of copies of the project, as the messages of its parent say. */
import { join } from 'node:path';
import * as z from 'zod/mini';

const task = z.object({
  copy: z.string(),
  account: z.record(z.string(), z.string()),
  runs: z.array(z.tuple([z.string(), z.record(z.string(), z.unknown())])),
});

const runAll = async (message: unknown) => {
  const { copy, account: authData, runs } = task.parse(message);
  const { runStep }: typeof import('../../../playground/service/zapier') = await import(
    join(copy, 'playground/service/zapier')
  );
  const { default: app }: typeof import('../../../src') = await import(join(copy, 'src'));
  const results: unknown[] = [];
  for (const [path, inputData] of runs) {
    results.push(
      await runStep(path, { authData, inputData }).catch((error: Error) => `${error.name}: ${error.message}`),
    );
  }
  return { steps: [app.triggers, app.creates, app.searches].flatMap(Object.keys), results };
};

process.on('message', async (message) => process.send?.(await runAll(message)));
// The process lives while its parent may write to it.
process.channel?.ref();

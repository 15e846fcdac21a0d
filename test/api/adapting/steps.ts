/** Runs steps of a copy of the project. The arguments are its folder, and the account and the runs as JSON. */
import { join } from 'node:path';
import * as z from 'zod/mini';

const task = z.object({
  account: z.record(z.string(), z.string()),
  runs: z.array(z.tuple([z.string(), z.record(z.string(), z.unknown())])),
});

const main = async (copy = '', json = ''): Promise<void> => {
  const { runStep }: typeof import('../../../playground/service/zapier') = await import(
    join(copy, 'playground/service/zapier')
  );
  const { default: app }: typeof import('../../../src') = await import(join(copy, 'src'));
  const { account: authData, runs } = task.parse(JSON.parse(json));
  const results: unknown[] = [];
  for (const [path, inputData] of runs) {
    results.push(
      await runStep(path, { authData, inputData }).catch((error: Error) => `${error.name}: ${error.message}`),
    );
  }
  console.log(JSON.stringify({ steps: [app.triggers, app.creates, app.searches].flatMap(Object.keys), results }));
};

main(...process.argv.slice(2));

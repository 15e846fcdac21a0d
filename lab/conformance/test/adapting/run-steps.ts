import { join } from 'node:path';

/** A step by the path of its function, and its input. */
type Run = readonly [path: string, inputData: Record<string, unknown>];

/**
 * Runs steps of a copy of the project. Returns the names of all of its steps, and the result of each run: a text such as
 * "HaltedError: …" for an error.
 */
export const runSteps = async (copy: string, account: Readonly<Record<string, string>>, runs: readonly Run[]) => {
  const { runStep }: typeof import('../../../playground/service/zapier') = require(
    join(copy, 'lab/playground/service/zapier'),
  );
  const { default: app }: typeof import('../../../../src') = require(join(copy, 'src'));
  const results: unknown[] = [];
  for (const [path, inputData] of runs) {
    const result = await runStep(path, {
      authData: { ai_agents: 'everything', ...account },
      inputData: { ...inputData },
    }).catch((error: Error) => `${error.name}: ${error.message}`);
    // As JSON, because results of another copy of core have other prototypes.
    results.push(JSON.parse(JSON.stringify(result)));
  }
  return { steps: [app.triggers, app.creates, app.searches].flatMap((each) => Object.keys(each)), results };
};

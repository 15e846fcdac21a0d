import { once } from 'node:events';
import * as z from 'zod/mini';
import { startNode } from '../../support/processes';

/** A step by the path of its function, and its input. */
type Run = readonly [path: string, inputData: object];

const done = z.tuple([z.object({ steps: z.array(z.string()), results: z.array(z.unknown()) })]);

/** One process for all runs of a test file, because core takes longer to load than a step to run. */
let started: { child: ReturnType<typeof startNode>['child']; printed: () => string } | undefined;

const startProcess = () => {
  const { child, stderr } = startNode(['test/api/adapting/steps.ts']);
  let printed = '';
  stderr.on('data', (chunk) => {
    printed += chunk;
  });
  return { child, printed: () => printed };
};

/**
 * Runs steps of a copy of the project. Returns the names of all of its steps, and the result of each run: a text such as
 * "HaltedError: …" for an error.
 */
export const runSteps = async (
  copy: string,
  account: Readonly<Record<string, string>>,
  runs: readonly Run[],
): Promise<z.output<typeof done>[0]> => {
  started ??= startProcess();
  const { child, printed } = started;
  const ended = Promise.race([once(child, 'message'), once(child, 'exit')]);
  child.send({ copy, account, runs });
  const answer = await ended;
  expect(printed()).toBe('');
  return done.parse(answer.slice(0, 1))[0];
};

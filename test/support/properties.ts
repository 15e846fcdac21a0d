import type fc from 'fast-check';
import { runsOf, seed } from './width';

/** Longer than the runs of a property take on a machine that does much else, and shorter than the limit of a test. */
const limitMs = 840_000;

const unfinished = new Set<unknown>();

/** Remembers each run until it ends, also when its property has ended before. */
const remember: fc.Plugin<unknown> = () => ({
  decorateRun: (run) => (value) => {
    const result = run(value);
    if (result instanceof Promise) {
      unfinished.add(result);
      void result.finally(() => unfinished.delete(result));
    }
    return result;
  },
});

/** Runs the examples of a property, all of them, and then as many drawn values as the width allows. */
const inWidth =
  (assert: typeof fc.assert) =>
  <T>(property: fc.IRawProperty<T>, parameters: fc.Parameters<T> = {}) => {
    const { numRuns = 100, examples = [] } = parameters;
    const drawn = Math.max(numRuns - examples.length, 0);
    return assert(property, { ...parameters, numRuns: examples.length + runsOf(drawn) });
  };

// Only files with properties load fast-check, which takes a tenth of a second.
jest.mock('fast-check', () => {
  const loaded = jest.requireActual<{ default: typeof fc }>('fast-check');
  const { assert, configureGlobal, installGlobalPlugin, interruptAfterTimeLimit } = loaded.default;
  configureGlobal({ seed });
  installGlobalPlugin(interruptAfterTimeLimit(limitMs, { failOnInterrupt: true }));
  installGlobalPlugin(remember);
  return { __esModule: true, default: { ...loaded.default, assert: inWidth(assert) } };
});

// An abandoned run would take the responses that nock has for the next tests. It waits for what ends by itself.
afterEach(() => Promise.allSettled(unfinished));

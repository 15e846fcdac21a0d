import type fc from 'fast-check';

/** Longer than anything in one run may take, and shorter than the limit of a test. */
const limitMs = 240_000;

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

// Only files with properties load fast-check, which takes a tenth of a second.
jest.mock('fast-check', () => {
  const loaded = jest.requireActual<{ default: typeof fc }>('fast-check');
  const { installGlobalPlugin, interruptAfterTimeLimit } = loaded.default;
  installGlobalPlugin(interruptAfterTimeLimit(limitMs, { failOnInterrupt: true }));
  installGlobalPlugin(remember);
  return loaded;
});

// An abandoned run would take the responses that nock has for the next tests. It waits for what ends by itself.
afterEach(() => Promise.allSettled(unfinished));

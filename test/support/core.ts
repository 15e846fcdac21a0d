type Prepare = { prepareApp: (definition: object) => object };

// Core prepares the definition twice at every run: it copies, searches and freezes it. Nothing can change a frozen one, so
// here each is prepared once. Processes, the simulation and the tests of the zip run core as it is.
jest.mock('zapier-platform-core/src/tools/schema', () => {
  const actual = jest.requireActual<Prepare>('zapier-platform-core/src/tools/schema');
  const prepared = new WeakMap<object, object>();
  const prepareApp = (definition: object): object => {
    // Core's tester adds each function that a test gives it.
    if ('_testRequest' in definition) return actual.prepareApp(definition);
    const app = prepared.get(definition) ?? actual.prepareApp(definition);
    prepared.set(definition, app);
    return app;
  };
  return { ...actual, prepareApp };
});

type Merge = (template: object, request: { input?: object }) => object;

// A request holds all that core knows of its run, which core copies for each request. Nothing changes it.
jest.mock('zapier-platform-core/src/tools/request-merge', () => {
  const merge = jest.requireActual<Merge>('zapier-platform-core/src/tools/request-merge');
  return (template: object, { input, ...request }: { input?: object }) => ({ ...merge(template, request), input });
});

// It reads how much memory the process has from the system at every run, and may end it, because Zapier then starts another.
jest.mock('zapier-platform-core/src/tools/memory-checker', () => () => undefined);

// A domain follows every promise of the process from then on. It only tells core of errors that nobody catches, and jest
// tells of those itself.
jest.mock('domain', () => ({ create: () => ({ on: () => undefined, run: (action: () => void) => action() }) }));

/** Tests speak the whole contract, whatever `src/api/service.ts` and `connection.ts` say. A test of what they say calls `jest.unmock`. */
jest.mock('../../src/api/service', () => ({
  ...jest.requireActual<typeof import('../../src/api/presets')>('../../src/api/presets').contract,
  keepsIdempotencyKeys: true,
  missing: { calls: [], events: [], filters: [], fields: [] },
}));

jest.mock('../../src/api/connection', () => ({
  ...jest.requireActual<typeof import('../../src/api/connection')>('../../src/api/connection'),
  ...{ connectionFields: {}, connectionEntries: [], connectionValues: () => ({}), exampleConnection: {} },
}));

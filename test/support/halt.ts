/** Expects a step to stop with this sentence, so that Zapier doesn't repeat it. */
export const expectHalt = (step: Promise<unknown>, message: unknown): Promise<void> =>
  expect(step).rejects.toMatchObject({ name: 'HaltedError', message });

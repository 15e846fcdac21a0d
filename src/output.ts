const toLabel = (key: string): string =>
  key.replace(/(^|_)([a-z])/g, (_, gap, letter) => `${gap && ' '}${letter.toUpperCase()}`);

/**
 * What a step gives, as Zapier needs it declared: the example, and the fields whose type Zapier would not see by
 * itself, which are the times. Its own labels and types for the rest are right, and core copies the definition at each run.
 */
export const output = <R extends object>({ sample }: { sample: R }) => ({
  sample,
  // Times are known by their names, which a test holds to the schemas: to ask these here would make them at every start.
  outputFields: Object.keys(sample)
    .filter((key) => key.endsWith('_at'))
    .map((key) => ({ key, label: toLabel(key), type: 'datetime' as const })),
});

const toLabel = (key: string): string =>
  key
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');

const toTimeField = (key: string) => ({ key, label: toLabel(key), type: 'datetime' as const });

/** The fields of each set of times. Steps share them, since core copies the definition at each run, and a shared part once. */
const timeFields = new Map<string, ReturnType<typeof toTimeField>[]>();

/**
 * What a step gives, as Zapier needs it declared: the example, and the fields whose type Zapier would not see by
 * itself, which are the times. Its own labels and types for the rest are right.
 */
export const output = <R extends object>({ sample }: { sample: R }) => {
  // Times are known by their names, which a test holds to the schemas: to ask these here would make them at every start.
  const times = Object.keys(sample).filter((key) => key.endsWith('_at'));
  const outputFields = timeFields.get(times.join()) ?? times.map(toTimeField);
  timeFields.set(times.join(), outputFields);
  return { sample, outputFields };
};

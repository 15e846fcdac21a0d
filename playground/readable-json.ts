/** Returns a value as JSON with indents. A sentence when it's nested too deeply, as data of earlier versions may be. */
export const toReadableJson = (value: unknown, replace?: (name: string, item: unknown) => unknown): string => {
  try {
    return JSON.stringify(value, replace, 2) ?? '';
  } catch {
    return 'This data is nested too deeply to show.';
  }
};

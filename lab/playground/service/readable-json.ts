/** Returns a value as JSON with indents. A sentence when it's nested too deeply, as data of earlier versions may be. */
export const toReadableJson = (value: unknown, replace?: (name: string, item: unknown) => unknown): string => {
  try {
    return JSON.stringify(value, replace, 2) ?? '';
  } catch {
    return 'This data is nested too deeply to show.';
  }
};

const secretNames = /^(authorization|secret|api_token|token|password|http-authorization)$/i;

/** Masks a value whose name says that it's a secret, for `toReadableJson`. */
export const maskSecrets = (name: string, item: unknown): unknown =>
  secretNames.test(name) && typeof item === 'string' ? `***${item.slice(-4)}` : item;

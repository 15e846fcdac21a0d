/** Returns the fields of an object; none for any other value, such as a list. */
export const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && !Array.isArray(value) ? { ...value } : {};

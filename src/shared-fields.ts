class SharedField {
  get [Symbol.toStringTag]() {
    return 'SharedField';
  }

  // lodash writes here to look behind the tag, which takes Node three times as long where nothing can be written.
  set [Symbol.toStringTag](_) {}
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Whether there is no function in it: core tells Zapier of those only that it finds in plain objects. */
const isData = (value: unknown): boolean =>
  isObject(value) ? Object.values(value).every(isData) : typeof value !== 'function';

/**
 * Lets core's copies of the definition share the fields, which are most of it. Core copies all of it four times a run
 * (zapier-platform-core, `tools/schema.js`): twice by lodash, which leaves alone what has a tag of its own, and twice by
 * itself, which leaves alone what has a class. So each field gets both, in place; what is read, listed or serialized
 * stays the same. Gives the definition it was given.
 */
export const shareFields = <T extends object>(definition: T): T => {
  const parts: [string, unknown][] = Object.entries(definition);
  for (const [name, part] of parts) {
    const fields = Array.isArray(part) ? part.filter(isObject).filter(isData) : [];
    for (const field of fields) Object.setPrototypeOf(field, SharedField.prototype);
    // Samples are the contract's, and hold lists of their own.
    if (isObject(part) && !Array.isArray(part) && name !== 'sample') shareFields(part);
  }
  return definition;
};

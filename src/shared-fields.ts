class SharedField {
  get [Symbol.toStringTag]() {
    return 'SharedField';
  }

  // lodash writes here to look behind the tag, which takes Node three times as long where nothing can be written.
  set [Symbol.toStringTag](_) {}
}

type Fields = readonly object[];
type Steps = Record<string, { operation: { inputFields?: Fields; outputFields?: Fields } }>;

interface Definition {
  authentication?: { fields?: Fields };
  triggers?: Steps;
  creates?: Steps;
  searches?: Steps;
}

/** Core tells Zapier of functions only where it finds them in plain objects: a field that is one, or has one for choices. */
const isPlain = (field: object): boolean =>
  typeof field === 'object' && !('choices' in field && Object.hasOwn(Object(field.choices), 'perform'));

const share = (fields: Fields = []): void => {
  for (const field of fields) if (isPlain(field)) Object.setPrototypeOf(field, SharedField.prototype);
};

/**
 * Lets core's copies of the definition share its fields, which are most of it. Core copies all of it four times a run
 * (zapier-platform-core, `tools/schema.js`): twice by lodash, which leaves alone what has a tag of its own, and twice by
 * itself, which leaves alone what has a class. So each field gets both, in place; what is read, listed or serialized
 * stays the same. Gives the definition it was given.
 */
export const shareFields = <D extends Definition>(definition: D): D => {
  const { authentication, triggers, creates, searches } = definition;
  share(authentication?.fields);
  for (const { operation } of [triggers, creates, searches].flatMap((steps) => Object.values(steps ?? {}))) {
    share(operation.inputFields);
    share(operation.outputFields);
  }
  return definition;
};

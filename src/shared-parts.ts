let isAsked = false;

/** Looks like any object, but to lodash, which asks for a tag by writing over it first, like one that it does not know. */
class SharedPart {
  get [Symbol.toStringTag](): string | undefined {
    const tag = isAsked ? 'SharedPart' : undefined;
    isAsked = false;
    return tag;
  }

  set [Symbol.toStringTag](_) {
    isAsked = true;
  }
}

type Parts = readonly object[];

interface Step {
  display?: object;
  operation: { inputFields?: Parts; outputFields?: Parts; sample?: object };
}

interface Definition {
  authentication?: { fields?: Parts };
  triggers?: Record<string, Step>;
  creates?: Record<string, Step>;
  searches?: Record<string, Step>;
}

/** Core tells Zapier of functions only where it finds them in plain objects: a field that is one, or has one for choices. */
const isPlain = (field: object): boolean =>
  typeof field === 'object' && !('choices' in field && Object.hasOwn(Object(field.choices), 'perform'));

const share = (parts: Parts = []): void => {
  // Core freezes all that it is given, name by name where it is not frozen yet.
  for (const part of parts) if (isPlain(part)) Object.freeze(Object.setPrototypeOf(part, SharedPart.prototype));
};

/**
 * Lets core's copies of the definition share what is only data: fields, labels and samples, which are most of it. Core
 * copies all of it four times a run (zapier-platform-core, `tools/schema.js`): twice by lodash, which leaves alone what
 * it does not know, and twice by itself, which leaves alone what has a class. What is read, listed, compared or
 * serialized stays the same. Changes the definition and gives it back.
 */
export const shareParts = <D extends Definition>(definition: D): D => {
  const { authentication, triggers, creates, searches } = definition;
  share(authentication?.fields);
  for (const { display, operation } of [triggers, creates, searches].flatMap((steps) => Object.values(steps ?? {}))) {
    share(operation.inputFields);
    share(operation.outputFields);
    if (display) share([display]);
    // A copy, since the sample is the contract's.
    if (operation.sample) operation.sample = Object.freeze(Object.assign(new SharedPart(), operation.sample));
  }
  return definition;
};

type Parts = object[];

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

/** Data that a copy of the definition shares with the original. */
class Shared {
  get [Symbol.toStringTag](): string {
    return 'Shared';
  }
}

/** Whether a field has no function. Core runs functions only when they are in plain objects. */
const isData = (field: object): boolean =>
  typeof field === 'object' && !('choices' in field && Object.hasOwn(Object(field.choices), 'perform'));

const share = <T extends object>(part: T): T =>
  isData(part) ? Object.freeze(Object.assign<T, T>(Object.create(Shared.prototype), part)) : part;

/**
 * Returns the definition with fields, labels and samples that all its copies share. Core copies the definition several
 * times in each run, which would take most of the run's time. Lodash doesn't copy objects with an unknown tag, and
 * core's `deepCopy` doesn't copy instances of classes
 * (https://github.com/zapier/zapier-platform/tree/main/packages/core/src/tools). If that changes, runs get slower.
 */
export const shareDefinition = <D extends Definition>(definition: D): D => {
  const { authentication, triggers, creates, searches } = definition;
  if (authentication?.fields) authentication.fields = authentication.fields.map(share);
  for (const step of [triggers, creates, searches].flatMap((steps) => Object.values(steps ?? {}))) {
    const { operation } = step;
    if (step.display) step.display = share(step.display);
    if (operation.inputFields) operation.inputFields = operation.inputFields.map(share);
    if (operation.outputFields) operation.outputFields = operation.outputFields.map(share);
    if (operation.sample) operation.sample = share(operation.sample);
  }
  return definition;
};

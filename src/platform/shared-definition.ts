interface Operation {
  inputFields?: object[];
  outputFields?: object[];
  sample?: object;
}

type Steps = Record<string, { display?: object; operation: Operation }>;

/** Data that a copy of the definition shares with the original. */
class Shared {
  get [Symbol.toStringTag](): string {
    return 'Shared';
  }

  /** Lodash writes to the tag before it reads it. Without a setter, that takes most of the copy's time. */
  set [Symbol.toStringTag](_: unknown) {}
}

/** Whether a field has a function. Core runs functions only when they are in plain objects. */
const hasFunction = (field: object): boolean =>
  typeof field === 'function' || ('choices' in field && Object.hasOwn(Object(field.choices), 'perform'));

const share = (part: object): void => {
  if (!hasFunction(part)) Object.freeze(Object.setPrototypeOf(part, Shared.prototype));
};

/**
 * Returns the definition with fields, labels and samples that all its copies share. Core copies the definition
 * several times in each run, which would take most of the run's time. Lodash doesn't copy objects with an unknown tag,
 * and core's `deepCopy` doesn't copy instances of classes
 * (https://github.com/zapier/zapier-platform/tree/main/packages/core/src/tools). If that changes, runs get slower.
 */
export const shareDefinition = <D extends { triggers?: Steps; creates?: Steps; searches?: Steps }>(app: D): D => {
  const steps = [app.triggers, app.creates, app.searches].flatMap((each) => Object.values(each ?? {}));
  for (const { display = {}, operation } of steps) {
    // A copy, because the sample is part of the contract.
    operation.sample &&= { ...operation.sample };
    const { inputFields = [], outputFields = [], sample = {} } = operation;
    for (const part of [display, sample, ...inputFields, ...outputFields]) share(part);
  }
  return app;
};

interface Operation {
  inputFields?: object[];
  outputFields?: object[];
  sample?: object;
}

type Steps = Record<string, { display?: object; operation: Operation }>;

interface App {
  authentication?: { fields?: object[] };
  triggers?: Steps;
  creates?: Steps;
  searches?: Steps;
}

/** An object that Lodash doesn't copy, since it doesn't know the tag. Lodash sets the tag before it reads it. */
class Shared {
  get [Symbol.toStringTag](): string {
    return 'Shared';
  }
  set [Symbol.toStringTag](_: unknown) {}
}

const hasFunction = (part: object): boolean => {
  const choices: unknown = Reflect.get(part, 'choices');
  return typeof choices === 'object' && choices !== null && 'perform' in choices;
};

const share = (parts: readonly object[]): void => {
  for (const part of parts) {
    // Choices may come from a function, which core runs only in a plain object.
    if (typeof part !== 'function' && !hasFunction(part)) Object.setPrototypeOf(part, Shared.prototype);
  }
};

/**
 * Returns the definition with fields, labels and samples that all its copies share. Core copies the definition
 * several times in each run, which would take most of the run's time. Core copies with Lodash, which shares objects with
 * an unknown tag (https://github.com/zapier/zapier-platform/tree/main/packages/core/src/tools). If that changes, runs
 * get slower.
 */
export const shareDefinition = <D extends App>(app: D): D => {
  const steps = [app.triggers, app.creates, app.searches].flatMap((each) => Object.values(each ?? {}));
  for (const { display = {}, operation } of steps) {
    // A copy, because the sample is part of the contract.
    operation.sample &&= { ...operation.sample };
    const { inputFields = [], outputFields = [], sample = {} } = operation;
    share([display, sample, ...inputFields, ...outputFields]);
  }
  share(app.authentication?.fields ?? []);
  return app;
};

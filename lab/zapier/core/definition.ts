import * as z from 'zod/mini';
import {
  type AppDefinition,
  appDefinition,
  type FieldOfApp,
  type Kind,
  kinds,
  type PlacedStep,
  type StepOfApp,
  visibleStepsOf,
} from './app-definition';

/** An operation of the app as the editor lists it. */
export interface Operation {
  /** Where the app defines it, such as `creates.send_message`. */
  path: string;
  kind: Kind;
  label: string;
  description: string;
  isHook: boolean;
  /** Whether a step waits for a callback after it ran. */
  isResumable: boolean;
  /** The fields of its form as the app defines them, with functions in place of some. */
  inputFields: readonly unknown[];
  throttle: StepOfApp['operation']['throttle'];
  lock: StepOfApp['operation']['lock'];
  groups: StepOfApp['operation']['inputFieldGroups'];
  outputs: readonly FieldOfApp[];
  sample: object;
}

const toOperation = ({ kind, place, step }: PlacedStep): Operation => {
  const { display, operation } = step;
  return {
    path: place,
    kind,
    label: display.label,
    description: display.description,
    isHook: operation.type === 'hook',
    isResumable: operation.performResume !== undefined,
    inputFields: operation.inputFields,
    throttle: operation.throttle,
    lock: operation.lock,
    groups: operation.inputFieldGroups,
    outputs: operation.outputFields,
    sample: operation.sample,
  };
};

const operationsByKey = z._default(z.record(z.string(), z.unknown()), {});
/** An app whose operations are as they were, since core finds functions by their identity. */
const givenApp = z.looseObject({ triggers: operationsByKey, creates: operationsByKey, searches: operationsByKey });

const pick = (operations: Record<string, unknown>, key: string): Record<string, unknown> =>
  Object.hasOwn(operations, key) ? { [key]: operations[key] } : {};

/** An app as its definition describes it. */
export class Definition {
  readonly #given: z.output<typeof givenApp>;
  /** The whole definition. */
  readonly parsed: AppDefinition;
  /** Every operation that people can choose in the editor. */
  readonly operations: readonly Operation[];
  readonly #byPath: ReadonlyMap<string, Operation>;

  /** Throws when the app lacks what Zapier requires, such as the label of an operation. */
  constructor(app: object) {
    this.#given = givenApp.parse(app);
    this.parsed = appDefinition.parse(app);
    this.operations = visibleStepsOf(this.parsed).map(toOperation);
    this.#byPath = new Map(this.operations.map((each) => [each.path, each]));
  }

  /** The operation at a path such as `creates.send_message`, or undefined when people can choose none there. */
  find(path: string): Operation | undefined {
    return this.#byPath.get(path);
  }

  /** What the editor and Zap history call an operation. */
  labelOf(path: string): string {
    return this.find(path)?.label ?? path;
  }

  /** Whether an operation has this key, also one that people can't choose, such as the trigger behind a dropdown. */
  has(key: string): boolean {
    return kinds.some((kind) => Object.hasOwn(this.parsed[kind], key));
  }

  /**
   * The app with the operations of one key and no others. Core copies the whole definition for every run, which takes
   * five times as long with all of them.
   */
  only(key: string): object {
    const { triggers, creates, searches } = this.#given;
    return {
      ...this.#given,
      triggers: pick(triggers, key),
      creates: pick(creates, key),
      searches: pick(searches, key),
      searchOrCreates: {},
    };
  }
}

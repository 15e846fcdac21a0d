import * as z from 'zod/mini';

const display = z.object({
  label: z.string(),
  description: z._default(z.string(), ''),
  hidden: z.optional(z.boolean()),
});
const group = z.object({ key: z.string(), label: z.string() });
const outputField = z.looseObject({
  key: z.string(),
  label: z.optional(z.string()),
  type: z.optional(z.string()),
});
const scope = z.optional(z.array(z.enum(['user', 'auth', 'account', 'action'])));
/** How often an operation may run in a window of seconds. Zapier retries what is over the limit by itself. */
const throttle = z.object({
  window: z.number(),
  limit: z.number(),
  key: z.optional(z.string()),
  scope,
  retry: z.optional(z.literal(true)),
});
/** Which runs of an operation go one after the other. */
const lock = z.object({ key: z.string(), scope, timeout: z.optional(z.number()) });

const operation = z.object({
  key: z.string(),
  display,
  operation: z.looseObject({
    type: z.optional(z.string()),
    performResume: z.optional(z.unknown()),
    throttle: z.optional(throttle),
    lock: z.optional(lock),
    inputFields: z._default(z.array(z.unknown()), []),
    inputFieldGroups: z._default(z.array(group), []),
    outputFields: z._default(z.array(z.unknown()), []),
    sample: z.optional(z.unknown()),
  }),
});

const operationsByKey = z._default(z.record(z.string(), z.unknown()), {});
const appDefinition = z.looseObject({
  triggers: operationsByKey,
  creates: operationsByKey,
  searches: operationsByKey,
});

export const kinds = ['triggers', 'creates', 'searches'] as const;
export type Kind = (typeof kinds)[number];

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
  throttle: z.output<typeof throttle> | undefined;
  lock: z.output<typeof lock> | undefined;
  groups: readonly { key: string; label: string }[];
  outputs: readonly { key: string; label?: string | undefined; type?: string | undefined }[];
  sample: unknown;
}

const toOperation = (kind: Kind, definition: unknown): Operation[] => {
  const { key, display: shown, operation: parts } = operation.parse(definition);
  if (shown.hidden) return [];
  return [
    {
      path: `${kind}.${key}`,
      kind,
      label: shown.label,
      description: shown.description,
      isHook: parts.type === 'hook',
      isResumable: parts.performResume !== undefined,
      inputFields: parts.inputFields,
      throttle: parts.throttle,
      lock: parts.lock,
      groups: parts.inputFieldGroups,
      outputs: parts.outputFields.flatMap((field) => outputField.safeParse(field).data ?? []),
      sample: parts.sample ?? {},
    },
  ];
};

const pick = (operations: Record<string, unknown>, key: string): Record<string, unknown> =>
  Object.hasOwn(operations, key) ? { [key]: operations[key] } : {};

/** An app as its definition describes it. */
export class Definition {
  readonly #app: z.output<typeof appDefinition>;
  /** Every operation that people can choose in the editor. */
  readonly operations: readonly Operation[];
  readonly #byPath: ReadonlyMap<string, Operation>;

  /** Throws when an operation has no key or no label. */
  constructor(app: object) {
    const parsed = appDefinition.parse(app);
    this.#app = parsed;
    this.operations = kinds.flatMap((kind) =>
      Object.values(parsed[kind]).flatMap((definition) => toOperation(kind, definition)),
    );
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
    return kinds.some((kind) => Object.hasOwn(this.#app[kind], key));
  }

  /**
   * The app with the operations of one key and no others. Core copies the whole definition for every run, which takes
   * five times as long with all of them.
   */
  only(key: string): object {
    const { triggers, creates, searches } = this.#app;
    return {
      ...this.#app,
      triggers: pick(triggers, key),
      creates: pick(creates, key),
      searches: pick(searches, key),
      searchOrCreates: {},
    };
  }
}

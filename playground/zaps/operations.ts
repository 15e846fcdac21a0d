import * as z from 'zod/mini';
import app from '../../src';
import type { Step } from './zap';

const display = z.object({ label: z.string(), description: z.string(), hidden: z.optional(z.boolean()) });
const group = z.object({ key: z.string(), label: z.string() });
const outputField = z.looseObject({
  key: z.string(),
  label: z.optional(z.string()),
  type: z.optional(z.string()),
});
const operation = z.object({
  key: z.string(),
  display,
  operation: z.looseObject({
    type: z.optional(z.string()),
    performResume: z.optional(z.unknown()),
    performList: z.optional(z.unknown()),
    inputFieldGroups: z.optional(z.array(group)),
    outputFields: z.optional(z.array(z.unknown())),
    sample: z.optional(z.custom<object>((value) => typeof value === 'object')),
  }),
});

export const kinds = ['triggers', 'creates', 'searches'] as const;
export type Kind = (typeof kinds)[number];

/** The place of a step of another app in the list of operations. */
export const otherPlace = 'other';

/** The place of Delay by Zapier in the list of operations. */
export const delayPlace = 'delay';

/** The place of a step in the list of operations. */
export const placeOf = (step: Step): string => (step.type === 'own' ? step.place : step.type);

/** An operation of the app as the editor lists it. */
export interface Operation {
  /** Such as `creates.send_message`. */
  place: string;
  kind: Kind;
  key: string;
  label: string;
  description: string;
  isHook: boolean;
  /** Whether a step waits for a callback after it ran. */
  isResumable: boolean;
  groups: { key: string; label: string }[];
  outputs: { key: string; label?: string | undefined; type?: string | undefined }[];
  sample: unknown;
}

const toOperation = (kind: Kind, definition: unknown): Operation[] => {
  const { key, display: shown, operation: parts } = operation.parse(definition);
  if (shown.hidden) return [];
  return [
    {
      place: `${kind}.${key}`,
      kind,
      key,
      label: shown.label,
      description: shown.description,
      isHook: parts.type === 'hook',
      isResumable: parts.performResume !== undefined,
      groups: parts.inputFieldGroups ?? [],
      outputs: (parts.outputFields ?? []).flatMap((field) => outputField.safeParse(field).data ?? []),
      sample: parts.sample ?? {},
    },
  ];
};

/** Every operation that people can choose in the editor. */
export const operations: readonly Operation[] = kinds.flatMap((kind) =>
  Object.values(app[kind]).flatMap((definition) => toOperation(kind, definition)),
);

const byPlace = new Map(operations.map((each) => [each.place, each]));

/** The operation of a place such as `creates.send_message`, or undefined when there is none. */
export const findOperation = (place: string): Operation | undefined => byPlace.get(place);

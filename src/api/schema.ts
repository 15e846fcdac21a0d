import type * as z from 'zod/mini';

type Schema = z.core.$ZodType;

/**
 * What a schema is made of. Zod tells libraries to read it by `type`; `instanceof` asks
 * each schema for all that it inherits, which took half of the time to list the output fields.
 */
const definitionOf = (schema: Schema) => (schema as z.core.$ZodTypes)._zod.def;

/** What a schema makes optional or nullable; undefined for any other. */
export const innerOf = (schema: Schema): Schema | undefined => {
  const definition = definitionOf(schema);
  return definition.type === 'optional' || definition.type === 'nullable' ? definition.innerType : undefined;
};

/** The schema of each value of a list; undefined for any other. */
export const elementOf = (schema: Schema): Schema | undefined => {
  const definition = definitionOf(schema);
  return definition.type === 'array' ? definition.element : undefined;
};

/** The schema of a value itself: without the optional, nullable and list around it. */
export const itemOf = (schema: Schema): Schema => {
  const inner = innerOf(schema) ?? elementOf(schema);
  return inner ? itemOf(inner) : schema;
};

/** Whether a field holds several values. */
export const isList = (schema: Schema): boolean => {
  const inner = innerOf(schema);
  return inner ? isList(inner) : elementOf(schema) !== undefined;
};

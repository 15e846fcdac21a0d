import * as z from 'zod/mini';

type Schema = z.core.$ZodType;

/** What a schema makes optional or nullable; undefined for any other. */
export const innerOf = (schema: Schema): Schema | undefined =>
  schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniNullable ? schema.def.innerType : undefined;

/** The schema of each value of a list; undefined for any other. */
export const elementOf = (schema: Schema): Schema | undefined =>
  schema instanceof z.ZodMiniArray ? schema.def.element : undefined;

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

import * as z from 'zod/mini';

type Schema = z.core.$ZodType;

const declaredOptional = (schema: Schema): Schema => {
  const acceptsNull = z.safeParse(schema, null).success;
  return acceptsNull ? z._default(schema, null) : z.optional(schema);
};

const declaredInside = (schema: Schema): Schema => {
  if (schema instanceof z.ZodMiniOptional) return declaredOptional(declaredInside(schema.def.innerType));
  if (schema instanceof z.ZodMiniNullable) return z.nullable(declaredInside(schema.def.innerType));
  if (schema instanceof z.ZodMiniArray) return z.array(declaredInside(schema.def.element));
  if (!(schema instanceof z.ZodMiniObject)) return schema;
  const fields = Object.entries(schema.def.shape);
  // An object without declared fields, such as the filters of a webhook, may have any.
  if (fields.length === 0) return schema;
  return z.object(Object.fromEntries(fields.map(([name, field]) => [name, declaredInside(field)])));
};

const known = new WeakMap<Schema, Schema>();

/**
 * Returns a schema that reads what the API shows by `schema`: the declared fields and no others. A field without a value
 * is null where it may be.
 */
export const declared = <S extends Schema>(schema: S): S => {
  const reader = known.get(schema) ?? declaredInside(schema);
  known.set(schema, reader);
  // It reads values of the same type, without their undeclared fields.
  return reader as S;
};

import * as z from 'zod/mini';

/**
 * The schema as an answer has to keep to it. Reading is tolerant, a stand-in must not be: every key is there, and no
 * other.
 */
export const exact = (schema: z.core.$ZodType): z.core.$ZodType => {
  if (schema instanceof z.ZodMiniOptional) return exact(schema.def.innerType);
  if (schema instanceof z.ZodMiniNullable) return z.nullable(exact(schema.def.innerType));
  if (schema instanceof z.ZodMiniArray) return z.array(exact(schema.def.element));
  if (!(schema instanceof z.ZodMiniObject)) return schema;
  const fields = Object.entries(schema.def.shape);
  // An object without fields of its own, such as the filters of a webhook, holds whatever it was given.
  if (fields.length === 0) return schema;
  return z.strictObject(Object.fromEntries(fields.map(([name, field]) => [name, exact(field)])));
};

import * as z from 'zod/mini';

/** Returns the schema with every field required and no other field allowed. The API's own schemas are tolerant. */
export const strict = (schema: z.core.$ZodType): z.core.$ZodType => {
  if (schema instanceof z.ZodMiniOptional) return strict(schema.def.innerType);
  if (schema instanceof z.ZodMiniNullable) return z.nullable(strict(schema.def.innerType));
  if (schema instanceof z.ZodMiniArray) return z.array(strict(schema.def.element));
  if (!(schema instanceof z.ZodMiniObject)) return schema;
  const fields = Object.entries(schema.def.shape);
  // An object without declared fields, such as the filters of a webhook, may have any.
  if (fields.length === 0) return schema;
  return z.strictObject(Object.fromEntries(fields.map(([name, field]) => [name, strict(field)])));
};

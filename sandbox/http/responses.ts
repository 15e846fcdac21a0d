import * as z from 'zod/mini';
import { type EndpointName, endpoints } from '../../src/api/endpoints';
import { toWire } from '../../src/api/wire';

/** The same schema without tolerance: every field is required, and no other is allowed. */
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

const isEndpointName = (name: string): name is EndpointName => Object.hasOwn(endpoints, name);

/** The names of all endpoints. */
export const endpointNames = Object.keys(endpoints).filter(isEndpointName);

const schemas = new Map(endpointNames.map((name) => [name, strict(endpoints[name].answer)]));

/** The response body of the endpoint as JSON. Throws when the value has a missing or an undeclared field. */
export const encodeResponse = (name: EndpointName, value: unknown): string =>
  JSON.stringify(toWire(endpoints[name].answer, z.parse(schemas.get(name) ?? z.never(), value))) ?? '';

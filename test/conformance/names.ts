import * as z from 'zod/mini';
import { isList, itemOf } from '../../src/api/schema';
import { nameOnWire } from '../../src/api/wire';

/** Returns where the service has a field or parameter, such as `data[].message_count`. `keys` are our names. */
export const pathOnWire = (schema: z.core.$ZodType | undefined, ...[key = '', ...inner]: string[]): string => {
  const { shape } = z.instanceof(z.ZodMiniObject).parse(schema && itemOf(schema));
  const field = shape[key] ?? z.never();
  const name = nameOnWire(key, field);
  return inner.length > 0 ? `${name}${isList(field) ? '[]' : ''}.${pathOnWire(field, ...inner)}` : name;
};

/** Returns a difference with the file alone of each place to edit. */
export const withFilesOnly = (detail: string): string => detail.replaceAll(/ \(`[^()]*, (src\/api[^()]*)\)/g, ' ($1)');

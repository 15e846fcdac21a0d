/** Reads a list without the records that can't be read, so that one odd record stops nobody. */
import * as zod from 'zod/mini';
import { decode } from '../api/decode';
import { fieldsOf } from '../api/object';
import { tolerant } from '../api/tolerant';
import { fromWire } from '../api/translate';
import type { Sent } from '../api/wire';

/** Whether records of a list are left out, because they can't be read. */
export const isPartial = (page: object | undefined): boolean => fieldsOf(page).is_partial === true;

/**
 * Like `decode`, but leaves out the records of a list that can't be read, unless none of them can. `isPartial` tells
 * whether it did.
 */
export const decodeTolerantly = <S extends zod.ZodMiniType>(
  schema: S,
  value: unknown,
  sent: Sent | undefined,
): ReturnType<typeof decode<S>> => {
  const decoded = decode<S>(schema, value, sent);
  if (decoded.success) return decoded;
  const page = fieldsOf(fromWire(schema, value, sent));
  const places = decoded.error.issues.map(({ path: [list, index] }) => (list === 'data' ? index : undefined));
  const unreadable = new Set<unknown>(places);
  if (!Array.isArray(page.data) || unreadable.has(undefined)) return decoded;
  const data: unknown[] = page.data.filter((_, index) => !unreadable.has(index));
  return data.length > 0 ? zod.safeParse(tolerant(schema), { ...page, data, is_partial: true }) : decoded;
};

import { createHash } from 'node:crypto';
import type { FieldValue } from '../fields/form';
import type { Entered } from '../fields/values';

/** The same text for what looks the same in a form, such as an empty text and an empty list. */
const normalize = (value: FieldValue): string => {
  const texts = typeof value === 'string' ? [value] : value;
  const entered = Array.isArray(texts) ? texts.filter(Boolean) : Object.entries(texts);
  return JSON.stringify(entered).replaceAll('\\r\\n', '\\n');
};

/** A short text that differs when what a field shows differs. */
export const fingerprint = (value: FieldValue): string =>
  createHash('sha256').update(normalize(value)).digest('base64url').slice(0, 12);

/** Short texts that differ when what a form shows differs, by field. */
export type Fingerprints = Record<string, string>;

/** The fingerprint of each field. */
export const fingerprintsOf = (entered: Entered): Fingerprints =>
  Object.fromEntries(Object.entries(entered).map(([key, value]) => [key, fingerprint(value)]));

const own = <T>(entries: Record<string, T>, key: string): T | undefined =>
  Object.hasOwn(entries, key) ? entries[key] : undefined;

/**
 * Takes over what a form changed since it was shown, and keeps everything else as it is now. A field that changed in
 * both keeps its value, and `conflicts` has what the form has for it.
 */
export const mergeEntered = (shown: Fingerprints, now: Entered, posted: Entered) => {
  const merged: Entered = { ...posted };
  const conflicts: Entered = {};
  for (const [key, value] of Object.entries(posted)) {
    const [before, current] = [own(shown, key), own(now, key)];
    if (before === undefined) continue;
    if (current === undefined) {
      // Somebody removed it meanwhile.
      if (fingerprint(value) === before) delete merged[key];
      continue;
    }
    if (fingerprint(current) === before || fingerprint(current) === fingerprint(value)) continue;
    merged[key] = current;
    if (fingerprint(value) !== before) conflicts[key] = value;
  }
  return { merged, conflicts };
};

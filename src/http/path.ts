import { recordLabel, toLabel } from '../api/labels';
import { halt, quote } from '../platform/errors';

/** Fills in the parameters of a path. Throws when a value can't identify a record. */
export const serializePath = (path: string, values: Record<string, unknown>): string =>
  path.replace(/\{(\w{1,40})\}/g, (_, parameter: string) => {
    const value = String(values[parameter] ?? '')
      .toWellFormed()
      .trim();
    // A dot segment leads to another path, even when it's encoded.
    if (/^\.{0,2}$/.test(value)) {
      throw halt(`${recordLabel(path) ?? toLabel(parameter)}: ${quote(value)} isn't an ID or name. Choose or map one.`);
    }
    return encodeURIComponent(value);
  });

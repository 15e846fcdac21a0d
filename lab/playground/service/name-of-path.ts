import { toLabel } from '../../../src/api/labels';

/** What people call a value by the names that lead to it: `start.dateTime` is "Start Date Time". A place in a list has none. */
export const nameOfPath = (path: string): string =>
  toLabel(
    path
      .replaceAll(/\.\d+(?=\.|$)/g, '')
      .replaceAll(/([a-z])(?=[A-Z])/g, '$1_')
      .replaceAll(/[\s.]+/g, '_'),
  );

import { type Kind, markIn, readBack } from '../own-records';
import type { ServiceClient } from '../service-client';
import { NotChecked } from './check';

/**
 * Returns the id of a record that the run created with this email or address, to change or remove the record. Throws
 * `NotChecked` unless the service shows the record under the id.
 */
export const requireOwn = async (service: ServiceClient, kind: Kind, id: string, label: string): Promise<string> => {
  const mark = markIn(label);
  if (mark !== undefined && (await readBack(service, kind, id, mark)) === 'run') return id;
  throw new NotChecked(
    `the service doesn't show the new ${kind.noun} under the ID of the response, so nobody touches it`,
  );
};

import { takesKey } from '../../../src/api/adapter';
import { type Endpoint, endpoints, nameOf } from '../../../src/api/endpoints';
import { exists } from '../../../src/api/missing';
import { createdId, requireAnyRefusal, requireRefusal, requireReplay, requireSuccess } from '../compare/response';
import { type Kind, markIn, readBack } from '../own-records';
import type { ServiceClient, ServiceResponse } from '../service-client';
import { type Check, NotChecked } from './check';
import { memoize } from './memoize';

/** A request that creates something when a check first reads its response. */
export interface Creation {
  response: () => Promise<ServiceResponse>;
  /** Sends the same request again, with the same key. */
  repeat: () => Promise<ServiceResponse>;
}

/** Checks that a repeat with the same key gives the first response again, if the service keeps keys. */
export const replayChecks = (endpoint: Endpoint, { response, repeat }: Creation): Check[] => {
  const run = async () => {
    const id = createdId(await response());
    return requireReplay(await repeat(), id);
  };
  return takesKey(endpoint) ? [{ name: `${nameOf(endpoint)}, repeated with its key`, run }] : [];
};

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

/** Checks that a record of the run is removed. `readId` returns its id once it's certain whose it is. */
export const removalChecks = (service: ServiceClient, kind: Kind, readId: () => Promise<string>): Check[] => {
  const endpoint: Endpoint = endpoints[kind.remove];
  const get: Endpoint | undefined = kind.get && exists(kind.get) ? endpoints[kind.get] : undefined;
  const ownId = memoize(readId);
  const request = async (call: Endpoint) => service.request(call, { id: await ownId() });
  const remove = async () => {
    const removed = await request(endpoint);
    requireSuccess(removed);
    if (get) requireRefusal(await request(get), 'not_found');
    return `${removed.status}`;
  };
  const removeAgain = async () => requireAnyRefusal(await request(endpoint), 'not_found');
  return [
    { name: kind.remove, run: remove },
    { name: `${kind.remove}, of a deleted ${kind.noun}`, run: removeAgain },
  ];
};

/** What is created, once for each key, and removed. */
import { takesKey } from '../../../src/api/adapter';
import { type Endpoint, endpoints, headers, nameOf } from '../../../src/api/endpoints';
import { exists } from '../../../src/api/missing';
import { type Check, Differs, memoize, NotChecked } from '../check';
import { type Kind, markIn, readBack } from '../own-records';
import { createdId, idOf, readRecord, requireRefusal, requireSuccess } from '../response';
import type { ServiceClient, ServiceResponse } from '../service-client';

/** A request that creates something when a check first reads its response. */
export interface Creation {
  response: () => Promise<ServiceResponse>;
  /** Sends the same request again, with the same key. */
  repeat: () => Promise<ServiceResponse>;
}

/** Whether a step says that the service repeats its response, so that a run without the header would say the opposite. */
const reportsReplay = (endpoint: Endpoint): boolean =>
  endpoint === endpoints.sendMessage || endpoint === endpoints.triggerCampaign;

/** Checks that a repeat with the same key gives the first response again, if the service keeps keys. */
export const replayChecks = (endpoint: Endpoint, { response, repeat }: Creation): Check[] => {
  const run: Check['run'] = async (found) => {
    const id = createdId(await response());
    const again = await repeat();
    if (idOf(readRecord(again)) !== id)
      throw new Differs('a repeat with the same key does the work again', 'Set `keepsIdempotencyKeys` to false.');
    if (again.headers.get(headers.idempotentReplayed)?.toLowerCase() === 'true') return 'the first response again';
    const problem = `\`${headers.idempotentReplayed}\` isn't true on a repeat`;
    if (reportsReplay(endpoint)) found.differs(problem, 'Add the header in `response`.');
    else found.copes(problem);
    return '';
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
export const removalCheck = (service: ServiceClient, kind: Kind, readId: () => Promise<string>): Check => {
  const get: Endpoint | undefined = kind.get && exists(kind.get) ? endpoints[kind.get] : undefined;
  const ownId = memoize(readId);
  const run = async () => {
    const id = await ownId();
    const remove: Endpoint = endpoints[kind.remove];
    const removed = await service.request(remove, { id });
    requireSuccess(removed);
    if (get) requireRefusal(await service.request(get, { id }), 'not_found');
    return `${removed.status}`;
  };
  return { name: kind.remove, run };
};

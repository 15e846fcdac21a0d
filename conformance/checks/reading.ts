import type { Endpoint } from '../../src/api/endpoints';
import { message } from '../../src/api/resources';
import type { EndpointName } from '../../src/api/transport';
import { isMissing } from '../../src/api/wire';
import { placeOf } from '../compare/place';
import { type AnyRecord, readPage, requireShape } from '../compare/response';
import { type Check, Differs, Skipped } from './check';
import { type Records, reads, requireSome, returnsList, returnsPages } from './records';

/** Throws when no message says who sent it: then a trigger that needs this never starts. */
const requireSource = (found: readonly AnyRecord[]): void => {
  if (isMissing(message.schema.shape.source) || found.some(({ source }) => source !== undefined)) return;
  throw new Differs(
    `no message says who sent it, so New Outbound Message would never start${placeOf('message', ['source'])}`,
  );
};

const read = async (records: Records, name: EndpointName, endpoint: Endpoint, write: boolean): Promise<string> => {
  const response = await records.read(endpoint);
  const seen = requireShape(response);
  if (!returnsList(endpoint)) return seen;
  const { records: found, cursor } = readPage(response);
  const { length } = found;
  if (cursor && !returnsPages(endpoint)) throw new Differs(`has more pages${placeOf(name)}`);
  if (length === 0 && name === 'listWebhooks' && !write) throw new Skipped('add --write');
  // With `write`, another check lists new ones.
  if (name !== 'listWebhooks') requireSome(found);
  if (name === 'listMessages') requireSource(found);
  return `${seen}; records: ${length}`;
};

/** Checks that each GET returns the fields and types of the contract. With `write`, a workspace without webhooks is fine. */
export const readingChecks = (records: Records, write = false): Check[] =>
  reads.map(([name, endpoint]) => ({ name, run: () => read(records, name, endpoint, write) }));

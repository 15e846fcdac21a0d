import type { Endpoint, EndpointName } from '../../src/api/endpoints';
import { readPage, requireShape } from '../contract/response';
import { sourceOf } from '../contract/source';
import { type Check, Differs, NotChecked } from './check';
import { type Records, reads, returnsList, returnsPages } from './records';

const read = async (records: Records, name: EndpointName, endpoint: Endpoint): Promise<string> => {
  const response = await records.read(endpoint);
  const seen = requireShape(response);
  if (!returnsList(endpoint)) return seen;
  const { records: found, cursor } = readPage(response);
  const { length } = found;
  if (cursor && !returnsPages(endpoint)) throw new Differs(`has more pages${sourceOf(name)}`);
  // A workspace often has no webhook, and `--write` creates one.
  if (length === 0 && name !== 'listWebhooks') throw new NotChecked('the workspace has none to look at');
  return `${seen}; records: ${length}`;
};

/** Checks that each GET returns the fields and types of the contract. */
export const readingChecks = (records: Records): Check[] =>
  reads.map(([name, endpoint]) => ({ name, basis: endpoint.basis, run: () => read(records, name, endpoint) }));

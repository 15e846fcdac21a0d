import type { Endpoint } from '../../src/api/endpoints';
import { readPage, requireShape } from '../contract/response';
import { type Check, NotChecked } from './check';
import { isList, isPaged, type Records, reads } from './records';

const read = async (records: Records, endpoint: Endpoint): Promise<string> => {
  const answer = await records.answer(endpoint);
  const seen = requireShape(answer);
  if (!isList(endpoint)) return seen;
  const { length } = readPage(answer).records;
  // A workspace may well have no webhook, and `--write` makes one.
  if (length === 0 && isPaged(endpoint)) throw new NotChecked('the workspace has none to look at');
  return `${seen}; records: ${length}`;
};

/** Whether each call that reads answers, with the fields of the contract and of their types. */
export const readingChecks = (records: Records): Check[] =>
  reads.map(([name, endpoint]) => ({ name, basis: endpoint.basis, run: () => read(records, endpoint) }));

import type { Endpoint, Part } from '../../../src/api/endpoints';
import { exists } from '../../../src/api/missing';
import type { EndpointName } from '../../../src/api/transport';
import { placeOf } from '../compare/place';
import { recordOf } from '../compare/resource';
import { type AnyRecord, readPage, requireShape } from '../compare/response';
import { alsoJudging, type Check, Differs, Skipped } from './check';
import { type Records, reads, requireSome, returnsPages } from './records';

/** Throws when no record has a field without which a trigger never starts, or a search finds nobody. */
const requireNeeded = (name: EndpointName, found: readonly AnyRecord[]): void => {
  const lacks = (list: EndpointName, part: Part, field: string): boolean =>
    name === list && exists(part) && found.length > 0 && found.every((record) => record[field] === undefined);
  if (lacks('listMessages', 'message.source', 'source')) {
    throw new Differs(
      `no message says who sent it, so New Outbound Message would never start${placeOf('message', ['source'])}`,
    );
  }
  if (lacks('listContacts', 'contact.consent', 'consent')) {
    throw new Differs(
      `no contact has a consent, so Contact Opted Out would never start${placeOf('contact', ['consent'])}`,
    );
  }
  if (lacks('listContacts', 'contact.tags', 'tags')) {
    throw new Differs(`no contact has tags, so Find Contacts would find nobody by them${placeOf('contact', ['tags'])}`);
  }
};

const read = async (records: Records, name: EndpointName, endpoint: Endpoint, write: boolean): Promise<string> => {
  const response = await records.read(endpoint);
  if (!recordOf(endpoint)) return requireShape(response);
  const seen = alsoJudging(
    () => requireShape(response),
    () => {
      const { records: found, cursor } = readPage(response);
      if (cursor && !returnsPages(endpoint)) throw new Differs(`has more pages${placeOf(name)}`);
      requireNeeded(name, found);
    },
  );
  const { records: found } = readPage(response);
  const { length } = found;
  if (length === 0 && name === 'listWebhooks' && !write) throw new Skipped('add --write');
  // With `write`, another check lists new ones.
  if (name !== 'listWebhooks') requireSome(found);
  return `${seen}; records: ${length}`;
};

/** Checks that each GET returns the fields and types of the contract. With `write`, a workspace without webhooks is fine. */
export const readingChecks = (records: Records, write = false): Check[] =>
  reads.map(([name, endpoint]) => ({ name, run: () => read(records, name, endpoint, write) }));

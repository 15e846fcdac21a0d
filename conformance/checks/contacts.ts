import { randomUUID } from 'node:crypto';
import { endpoints, keepsKeysOf } from '../../src/api/endpoints';
import { parseRefusal } from '../../src/api/refusal';
import {
  createdId,
  ownId,
  readRecord,
  requireRefusal,
  requireReplay,
  requireSame,
  requireShape,
  requireSuccess,
} from '../compare/response';
import type { ServiceClient } from '../service-client';
import { type Check, Differs } from './check';
import { fictionalPhone } from './fictional';
import { memoize } from './memoize';

const { createContact, getContact, updateContact, deleteContact } = endpoints;

const inventPerson = () => ({
  phone: fictionalPhone(),
  email: `conformance-check-${randomUUID()}@example.com`,
  first_name: 'Conformance',
  last_name: 'Check',
  tags: ['conformance-check'],
});

/** Checks that a contact is created, changed and removed. Leaves none behind. */
export const contactChecks = (service: ServiceClient): Check[] => {
  const [person, idempotencyKey] = [inventPerson(), randomUUID()];
  const response = memoize(() => service.request(createContact, { body: person, idempotencyKey }));

  const create = async (): Promise<string> => {
    const created = await response();
    const seen = requireShape(created);
    requireSame(person, readRecord(created), createContact);
    return seen;
  };

  const repeat = async (): Promise<string> => {
    const id = createdId(await response());
    return requireReplay(await service.request(createContact, { body: person, idempotencyKey }), id);
  };

  const reuseKey = async (): Promise<string> => {
    createdId(await response());
    const other = await service.request(createContact, { body: inventPerson(), idempotencyKey });
    if (other.status >= 300) return requireRefusal(other, 'idempotency_mismatch');
    throw new Differs('a different contact is accepted with the same key');
  };

  const createAgain = async (): Promise<string> => {
    const id = createdId(await response());
    const again = await service.request(createContact, { body: person });
    const seen = requireRefusal(again, 'contact_exists');
    if (parseRefusal(again.status, again.body).existingId === id) return seen;
    throw new Differs("the refusal doesn't give the id of the existing contact");
  };

  const update = async (): Promise<string> => {
    const id = ownId(await response(), { email: person.email });
    const updated = await service.request(updateContact, { id, body: { last_name: 'Changed', add_tags: ['added'] } });
    const seen = requireShape(updated);
    requireSame(
      { ...person, last_name: 'Changed', tags: [...person.tags, 'added'] },
      readRecord(updated),
      updateContact,
    );
    return seen;
  };

  const remove = async (): Promise<string> => {
    const id = ownId(await response(), { email: person.email });
    const removed = await service.request(deleteContact, { id });
    requireSuccess(removed);
    requireRefusal(await service.request(getContact, { id }), 'not_found');
    return `${removed.status}`;
  };

  const removeAgain = async (): Promise<string> => {
    const id = ownId(await response(), { email: person.email });
    return requireRefusal(await service.request(deleteContact, { id }), 'not_found');
  };

  const keyChecks: Check[] = [
    { name: 'createContact, repeated with its key', basis: 'assumed', run: repeat },
    { name: 'createContact, another contact with that key', basis: 'assumed', run: reuseKey },
  ];
  return [
    { name: 'createContact', basis: createContact.basis, run: create },
    ...(keepsKeysOf(createContact) ? keyChecks : []),
    { name: 'createContact, of an existing contact', basis: 'assumed', run: createAgain },
    { name: 'updateContact', basis: updateContact.basis, run: update },
    { name: 'deleteContact', basis: deleteContact.basis, run: remove },
    { name: 'deleteContact, of a deleted contact', basis: 'assumed', run: removeAgain },
  ];
};

import { randomInt, randomUUID } from 'node:crypto';
import { endpoints } from '../../src/api/endpoints';
import { parseRefusal } from '../../src/api/errors';
import {
  readRecord,
  requireMade,
  requireRefusal,
  requireReplay,
  requireSame,
  requireShape,
  requireSuccess,
} from '../contract/response';
import type { Answer, Service } from '../service';
import { type Check, Differs } from './check';
import { once } from './memoize';

const { createContact, getContact, updateContact, deleteContact } = endpoints;

const inventPerson = () => ({
  // Of the numbers that Ofcom keeps for fiction, so that it is nobody's.
  phone: `+447700900${String(randomInt(1000)).padStart(3, '0')}`,
  email: `conformance-check-${randomUUID()}@example.com`,
  first_name: 'Conformance',
  last_name: 'Check',
  tags: ['conformance-check'],
});

/** A contact that is created once, for all checks that go on with it. */
interface Trial {
  service: Service;
  person: ReturnType<typeof inventPerson>;
  idempotencyKey: string;
  created: () => Promise<Answer>;
}

const startTrial = (service: Service): Trial => {
  const [person, idempotencyKey] = [inventPerson(), randomUUID()];
  const created = once(() => service.ask(createContact, { body: person, idempotencyKey }));
  return { service, person, idempotencyKey, created };
};

const create = async ({ person, created }: Trial): Promise<string> => {
  const answer = await created();
  const seen = requireShape(answer);
  requireSame(person, readRecord(answer));
  return seen;
};

const repeat = async ({ service, person, idempotencyKey, created }: Trial): Promise<string> => {
  const id = requireMade(await created());
  return requireReplay(await service.ask(createContact, { body: person, idempotencyKey }), id);
};

const reuseKey = async ({ service, idempotencyKey, created }: Trial): Promise<string> => {
  requireMade(await created());
  const answer = await service.ask(createContact, { body: inventPerson(), idempotencyKey });
  if (answer.status >= 300) return requireRefusal(answer, 'idempotency_mismatch');
  const id = requireMade(answer);
  if (id !== requireMade(await created())) await service.ask(deleteContact, { id });
  throw new Differs('another contact is taken with the same key');
};

const createAgain = async ({ service, person, created }: Trial): Promise<string> => {
  const id = requireMade(await created());
  const answer = await service.ask(createContact, { body: person });
  const told = requireRefusal(answer, 'contact_exists');
  if (parseRefusal(answer.status, answer.body).existingId === id) return told;
  throw new Differs('the refusal does not give the id of the contact that exists');
};

const update = async ({ service, person, created }: Trial): Promise<string> => {
  const id = requireMade(await created());
  const answer = await service.ask(updateContact, { id, body: { last_name: 'Changed', add_tags: ['added'] } });
  const seen = requireShape(answer);
  requireSame({ ...person, last_name: 'Changed', tags: [...person.tags, 'added'] }, readRecord(answer));
  return seen;
};

const remove = async ({ service, created }: Trial): Promise<string> => {
  const id = requireMade(await created());
  const answer = await service.ask(deleteContact, { id });
  requireSuccess(answer);
  requireRefusal(await service.ask(getContact, { id }), 'not_found');
  return `${answer.status}`;
};

const removeAgain = async ({ service, created }: Trial): Promise<string> => {
  const id = requireMade(await created());
  return requireRefusal(await service.ask(deleteContact, { id }), 'not_found');
};

/** Whether a contact can be created, changed and removed. Leaves none behind. */
export const contactChecks = (service: Service): Check[] => {
  const trial = startTrial(service);
  return [
    { name: 'createContact', basis: createContact.basis, run: () => create(trial) },
    { name: 'createContact, repeated with its key', basis: 'assumed', run: () => repeat(trial) },
    { name: 'createContact, another with that key', basis: 'assumed', run: () => reuseKey(trial) },
    { name: 'createContact, when it exists', basis: 'assumed', run: () => createAgain(trial) },
    { name: 'updateContact', basis: updateContact.basis, run: () => update(trial) },
    { name: 'deleteContact', basis: deleteContact.basis, run: () => remove(trial) },
    { name: 'deleteContact, when it is gone', basis: 'assumed', run: () => removeAgain(trial) },
  ];
};

import { randomUUID } from 'node:crypto';
import { takesKey } from '../../../src/api/adapter';
import { endpoints } from '../../../src/api/endpoints';
import { exists } from '../../../src/api/missing';
import { fieldsOf } from '../../../src/api/object';
import { parseRefusal } from '../../../src/api/refusal';
import { placeOf } from '../compare/place';
import {
  createdId,
  idOf,
  readPage,
  readRecord,
  requireRefusal,
  requireShape,
  requireSuccess,
} from '../compare/response';
import { contactKind, newMark, readList } from '../own-records';
import type { ServiceClient } from '../service-client';
import { type Check, Copes, Differs, NotChecked, Skipped } from './check';
import { removalChecks, replayChecks, requireOwn } from './creation';
import { fictionalPhone } from './fictional';
import { memoize } from './memoize';

const { createContact, getContact, listContacts, updateContact } = endpoints;

/** What an update of a name mustn't change. */
const keptFields = ['phone', 'email', 'last_name'];

/** The number of phone numbers to try, so that one belongs to nobody. */
const maxNumbers = 10;

type People = Pick<Awaited<ReturnType<typeof readList>>, 'records' | 'isComplete'>;

const digitsOf = (phone: unknown): string => String(phone ?? '').replace(/\D/g, '');

const hasPhone = ({ records }: People, phone: unknown): boolean =>
  records.some((record) => digitsOf(record.phone) === digitsOf(phone));

const listPeople = (service: ServiceClient, query: object): Promise<People> =>
  readList(service, 'listContacts', query).catch(() => ({ records: [], isComplete: false }));

/**
 * Returns a phone number that no contact has, because a service may change that contact instead of creating another one.
 * Throws `Skipped` when nobody can tell.
 */
const freePhone = async (service: ServiceClient): Promise<string> => {
  const all = await listPeople(service, {});
  const someone = all.records.find(({ phone }) => digitsOf(phone) !== '');
  // A filter that finds nobody may also not work.
  const isFilterGood =
    someone !== undefined && hasPhone(await listPeople(service, { phone: [someone.phone] }), someone.phone);
  if (!all.isComplete && !isFilterGood) {
    throw new Skipped("use a workspace with fewer contacts, because a phone number of these tests may be somebody's");
  }
  for (let count = 0; count < maxNumbers; count += 1) {
    const phone = fictionalPhone();
    if (hasPhone(all, phone)) continue;
    if (all.isComplete) return phone;
    const found = await listPeople(service, { phone: [phone] });
    if (found.isComplete && !hasPhone(found, phone)) return phone;
  }
  throw new Skipped('remove contacts with a phone number +447700900…, because these tests need a free one');
};

/** Returns two names of attributes. A service may take only those that somebody has defined. */
const attributeNames = async (service: ServiceClient): Promise<string[]> => {
  const { records } = await listPeople(service, {});
  const names = records.flatMap(({ attributes }) => Object.keys(fieldsOf(attributes)));
  return [...new Set([...names, 'conformance_one', 'conformance_two'])].slice(0, 2);
};

const inventPerson = async (service: ServiceClient) => {
  const mark = newMark();
  return {
    phone: await freePhone(service),
    email: `${mark}@example.com`,
    first_name: 'Conformance',
    last_name: mark,
    tags: ['conformance-check'],
  };
};

/** Checks that a contact is created, changed and removed. Leaves none behind. */
export const contactChecks = (service: ServiceClient): Check[] => {
  const idempotencyKey = randomUUID();
  const invented = memoize(() => inventPerson(service));
  const send = async () => service.request(createContact, { body: await invented(), idempotencyKey });
  const response = memoize(send);
  const ownId = async () => requireOwn(service, contactKind, createdId(await response()), (await invented()).email);

  const create = async (): Promise<string> => {
    return requireShape(await response(), await invented());
  };

  const reuseKey = async (): Promise<string> => {
    createdId(await response());
    const other = await service.request(createContact, { body: await inventPerson(service), idempotencyKey });
    if (other.status >= 300) return requireRefusal(other, 'idempotency_mismatch');
    if (createdId(other) === createdId(await response())) {
      throw new Copes('the service repeats its first response for a different contact with the same key');
    }
    throw new Differs('a different contact is accepted with the same key');
  };

  const createAgain = async (): Promise<string> => {
    const id = createdId(await response());
    const again = await service.request(createContact, { body: await invented() });
    if (again.status < 300) {
      if (createdId(again) !== id) throw new Copes('the service creates a second contact');
      throw new Differs(
        "the service changes the contact that exists, so Create Contact would change a customer's name",
      );
    }
    const seen = requireRefusal(again, 'contact_exists');
    if (parseRefusal(again.status, again.body).existingId === id) return seen;
    throw new Copes("the refusal doesn't give the id of the existing contact");
  };

  const update = async (): Promise<string> => {
    const [id, person] = [await ownId(), await invented()];
    const updated = await service.request(updateContact, { id, body: { first_name: 'Changed', add_tags: ['added'] } });
    const isAdded = exists('contact.tags');
    const tags = [...person.tags, ...(isAdded ? ['added'] : [])];
    return requireShape(updated, { ...person, first_name: 'Changed', tags });
  };

  const read = async (id: string) => readRecord(await service.request(getContact, { id }));

  /** An update of a name must leave everything else as it is. */
  const keep = async (): Promise<string> => {
    const id = await ownId();
    const before = await read(id);
    requireSuccess(await service.request(updateContact, { id, body: { first_name: 'Changed again' } }));
    const after = await read(id);
    const lost = keptFields.find((name) => before[name] && after[name] !== before[name]);
    if (lost === undefined) return keptFields.join(', ');
    throw new Differs(`an update of the name removes or changes \`${lost}\`${placeOf('updateContact', [lost])}`);
  };

  /** New Contact reads the first pages of the list. */
  const list = async (): Promise<string> => {
    const id = await ownId();
    const { records } = readPage(await service.request(listContacts, {}));
    if (records.some((each) => idOf(each) === id)) return `${records.length}`;
    throw new Differs(
      `the new contact isn't on the first page, so New Contact would miss people${placeOf('listContacts')}`,
    );
  };

  /** Two updates, each with one attribute: the contact must have both then. */
  const merge = async (): Promise<string> => {
    const id = await ownId();
    const wanted = Object.fromEntries((await attributeNames(service)).map((name) => [name, 'Conformance']));
    for (const [name, value] of Object.entries(wanted)) {
      const updated = await service.request(updateContact, { id, body: { attributes: { [name]: value } } });
      if (updated.status === 400 || updated.status === 422) {
        throw new NotChecked(
          `the service refuses the attribute \`${name}\`: give a contact two attributes of the service`,
        );
      }
      requireSuccess(updated);
    }
    const kept = fieldsOf((await read(id)).attributes);
    const lost = Object.keys(wanted).find((name) => kept[name] !== wanted[name]);
    if (lost === undefined) return Object.keys(wanted).join(', ');
    throw new Differs(
      `an update of another attribute removes \`${lost}\`, so customers lose what is known of them${placeOf('updateContact', ['attributes'])}`,
    );
  };

  const canRead = exists('getContact');
  const canMerge = canRead && exists('contact.attributes');
  return [
    { name: 'createContact', run: create },
    ...replayChecks(createContact, { response, repeat: send }),
    ...(takesKey(createContact) ? [{ name: 'createContact, another contact with that key', run: reuseKey }] : []),
    { name: 'createContact, of an existing contact', run: createAgain },
    ...(exists('listContacts') ? [{ name: 'createContact, first in the list', run: list }] : []),
    { name: 'updateContact', run: update },
    ...(canRead ? [{ name: 'updateContact, what it leaves alone', run: keep }] : []),
    ...(canMerge ? [{ name: 'updateContact, another attribute', run: merge }] : []),
    ...removalChecks(service, contactKind, ownId),
  ];
};

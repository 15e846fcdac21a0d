import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { readE164 } from '../../../src/api/e164';
import { endpoints } from '../../../src/api/endpoints';
import { asRecord } from '../../../src/api/json';
import { exists, withoutMissing } from '../../../src/api/missing';
import { parseRefusal } from '../../../src/api/refusal';
import { type Check, Differs, type Findings, inHook, leaveOut, memoize, NotChecked, Skipped } from '../check';
import { contactKind, fictionalPhone, listedId, newMark, readList } from '../own-records';
import { type AnyRecord, createdId, idOf, readPage, readRecord, requireRefusal, requireSuccess } from '../response';
import type { ServiceClient } from '../service-client';
import { compareResponse, type Words } from '../shape';
import { removalCheck, replayChecks, requireOwn } from './creation';

const { createContact, getContact, listContacts, updateContact } = endpoints;

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
  if (!all.isComplete && !isFilterGood)
    throw new Skipped("use a workspace with fewer contacts, because a phone number of these tests may be somebody's");
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
  const names = records.flatMap(({ attributes }) => Object.keys(asRecord(attributes)));
  return [...new Set([...names, 'conformance_one', 'conformance_two'])].slice(0, 2);
};

const inventPerson = async (service: ServiceClient) => {
  const mark = newMark();
  const [phone, email] = [await freePhone(service), `${mark}@example.com`];
  const person = { phone, email, first_name: 'Conformance', last_name: mark, tags: ['conformance-check'] };
  return { email, body: { ...withoutMissing('contact', person), email } };
};

/** Whether two values are the same to the app: lists in any order, and phone numbers with any separators. */
const isSame = (one: unknown, other: unknown): boolean => {
  const settle = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.toSorted();
    return typeof value === 'string' ? (readE164(value) ?? value) : value;
  };
  return isDeepStrictEqual(settle(one), settle(other));
};

/** Adds each field that a contact doesn't have as it was written. */
const requireKept = (
  contact: AnyRecord,
  written: object,
  call: 'createContact' | 'updateContact',
  found: Findings,
): void => {
  for (const [field, value] of Object.entries(written)) {
    if (isSame(contact[field], value)) continue;
    const todo = `Write it in ${inHook(call, 'request')} and read it in ${inHook('getContact', 'response')}, or ${leaveOut('fields', `contact.${field}`)}.`;
    found.differs(
      `\`${field}\` isn't kept: ${JSON.stringify(value)} reads as ${JSON.stringify(contact[field] ?? null)}`,
      todo,
    );
  }
};

/** Adds a field that an update of others has changed. */
const requireRest = (before: AnyRecord, after: AnyRecord, body: object, found: Findings): void => {
  const updated = Object.keys(body).map((name) => name.replace(/^(add|remove)_/, ''));
  const lost = ['phone', 'email', 'first_name', 'last_name', 'tags', 'consent'].find(
    (name) => !updated.includes(name) && before[name] && !isSame(after[name], before[name]),
  );
  if (lost === undefined) return;
  const todo = `Read the contact and send the rest with it in ${inHook('updateContact', 'request')}.`;
  found.differs(`an update of \`${updated}\` removes or changes \`${lost}\``, todo);
};

/** Checks that a contact is created, changed and removed, and that it keeps what is written. Leaves none behind. */
export const contactChecks = (service: ServiceClient, words: Words): Check[] => {
  const idempotencyKey = randomUUID();
  const invented = memoize(() => inventPerson(service));
  const send = async () => service.request(createContact, { body: (await invented()).body, idempotencyKey });
  const response = memoize(send);
  const ownId = async () => requireOwn(service, contactKind, createdId(await response()), (await invented()).email);

  const read = async (id: string): Promise<AnyRecord> => {
    if (exists('getContact')) return readRecord(await service.request(getContact, { id }));
    const { records } = await readList(service, 'listContacts', {});
    return records.find((each) => listedId(each) === id) ?? {};
  };

  const update = async (id: string, body: object) => {
    const updated = await service.request(updateContact, { id, body });
    requireSuccess(updated);
    return updated;
  };

  const create: Check['run'] = async (found) => {
    const created = await response();
    requireSuccess(created);
    compareResponse(created, found, words);
    requireKept(await read(await ownId()), (await invented()).body, 'createContact', found);
    return `${created.status}`;
  };

  const createAgain: Check['run'] = async (found) => {
    const id = createdId(await response());
    const again = await service.request(createContact, { body: (await invented()).body });
    if (again.status < 300) {
      if (createdId(again) === id) {
        throw new Differs(
          "the service changes the contact that exists, so Create Contact would change a customer's name",
          `Look for the contact first in ${inHook('createContact', 'request')}, or ${leaveOut('calls', 'createContact')}.`,
        );
      }
      found.copes('the service creates a second contact with the same phone number');
      return '';
    }
    const seen = requireRefusal(again, 'contact_exists');
    if (parseRefusal(again.status, again.body).existingId !== id)
      found.copes("the refusal doesn't give the id of the existing contact");
    return seen;
  };

  /** New Contact reads the first pages of the list. */
  const list = async (): Promise<string> => {
    const id = await ownId();
    const { records } = readPage(await service.request(listContacts, {}));
    if (records.some((each) => idOf(each) === id)) return `${records.length}`;
    const todo = `Send the service's parameter for the order in ${inHook('listContacts', 'request')}.`;
    throw new Differs("the new contact isn't on the first page, so New Contact would miss people", todo);
  };

  /** Updates the contact, which must then have what is wanted, and the rest as before. */
  const change = async (body: object, wanted: object, found: Findings): Promise<void> => {
    const id = await ownId();
    const before = await read(id);
    compareResponse(await update(id, body), found, words);
    const after = await read(id);
    requireKept(after, wanted, 'updateContact', found);
    requireRest(before, after, body, found);
  };

  const rename = async (found: Findings): Promise<string> => {
    const name = withoutMissing('contact', { first_name: 'Changed' });
    await change(name, name, found);
    return 'the rest stays';
  };

  const tag: Check['run'] = async (found) => {
    const { tags } = await read(await ownId());
    const before = [tags ?? []].flat();
    await change({ add_tags: ['added'] }, { tags: [...before, 'added'] }, found);
    await change({ remove_tags: ['added'] }, { tags: before }, found);
    return 'added and removed';
  };

  /** Both words, because a service that doesn't keep the consent may read as either. An opt-out outlives other updates. */
  const consent: Check['run'] = async (found) => {
    for (const word of ['opted_in', 'opted_out']) await change({ consent: word }, { consent: word }, found);
    await rename(found);
    return 'opted_in and opted_out';
  };

  /** Two updates, each with one attribute: the contact must have both then. */
  const merge: Check['run'] = async (found) => {
    const id = await ownId();
    const before = await read(id);
    const wanted = Object.fromEntries((await attributeNames(service)).map((name) => [name, 'Conformance']));
    for (const [name, value] of Object.entries(wanted)) {
      const updated = await service.request(updateContact, { id, body: { attributes: { [name]: value } } });
      if (updated.status === 400 || updated.status === 422)
        throw new NotChecked(
          `the service refuses the attribute \`${name}\`: give a contact two attributes of the service`,
        );
      requireSuccess(updated);
    }
    const after = await read(id);
    requireRest(before, after, { attributes: wanted }, found);
    const kept = asRecord(after.attributes);
    const lost = Object.keys(wanted).find((name) => kept[name] !== wanted[name]);
    if (lost === undefined) return Object.keys(wanted).join(', ');
    throw new Differs(
      `an update of another attribute removes \`${lost}\`, so customers lose what is known of them`,
      `Read the contact and send all attributes in ${inHook('updateContact', 'request')}, or ${leaveOut('fields', 'contact.attributes')}.`,
    );
  };

  const canUpdate = exists('updateContact');
  return [
    { name: 'createContact', run: create },
    ...replayChecks(createContact, { response, repeat: send }),
    { name: 'createContact, of an existing contact', run: createAgain },
    ...(exists('listContacts') ? [{ name: 'createContact, first in the list', run: list }] : []),
    ...(canUpdate ? [{ name: 'updateContact', run: rename }] : []),
    ...(canUpdate && exists('contact.tags') ? [{ name: 'updateContact, tags', run: tag }] : []),
    ...(canUpdate && exists('contact.consent') ? [{ name: 'consent, written and read back', run: consent }] : []),
    ...(canUpdate && exists('contact.attributes') ? [{ name: 'updateContact, another attribute', run: merge }] : []),
    removalCheck(service, contactKind, ownId),
  ];
};

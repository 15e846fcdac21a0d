import * as z from 'zod/mini';
import type { BodyOf, endpoints } from '../../src/api/endpoints';
import { e164 } from '../../src/api/fields';
import type { Contact } from '../../src/api/resources';
import { ApiError, type FieldProblem, requireNone, validationError } from '../api-error';
import type { WorkspaceContext } from '../engine/context';
import { containsAll, isOneOf, type ListQuery, selectPage } from '../store/pages';
import { readResource, resourceTypes } from '../store/records';

type ContactCreate = BodyOf<'createContact'>;
type ContactUpdate = BodyOf<'updateContact'>;

const isEmail = (text: string): boolean => text.length <= 254 && /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text);

const invalidFields = ({ phone, email, language, tags, add_tags }: ContactUpdate): FieldProblem[] => {
  const problems: FieldProblem[] = [];
  if (typeof phone === 'string' && !e164.test(phone)) {
    problems.push({ field: 'phone', message: 'must be a phone number in E.164, such as +12025550123' });
  }
  if (typeof email === 'string' && !isEmail(email)) {
    problems.push({ field: 'email', message: 'must be an email address' });
  }
  if (typeof language === 'string' && !/^[a-z]{2,3}(-[A-Z]{2})?$/.test(language)) {
    problems.push({ field: 'language', message: 'must be a language code such as nl or pt-BR' });
  }
  if ([...(tags ?? []), ...(add_tags ?? [])].some((tag) => tag === '' || tag.includes(','))) {
    problems.push({ field: 'tags', message: 'must not be empty or contain a comma' });
  }
  return problems;
};

const requirePhoneOrEmail = ({ phone, email }: Pick<Contact, 'phone' | 'email'>): void => {
  if (phone || email) return;
  throw validationError([{ field: 'phone', message: 'a contact needs a phone number or an email address' }]);
};

const requireUnique = (
  { database, workspaceId }: WorkspaceContext,
  { id, phone, email }: Partial<Pick<Contact, 'id' | 'phone' | 'email'>>,
): void => {
  for (const [field, value] of Object.entries({ phone, email })) {
    const sql = `SELECT id FROM contacts WHERE workspace_id = ? AND ${field} = ?`;
    const existing_id = value ? database.text(sql, workspaceId, value) : undefined;
    if (existing_id && existing_id !== id) {
      throw new ApiError('contact_exists', `A contact with this ${field} already exists.`, { field, existing_id });
    }
  }
};

const toRow = ({ tags, attributes, ...columns }: ContactCreate) => ({
  ...columns,
  tags: JSON.stringify([...new Set(tags)]),
  attributes: JSON.stringify(attributes ?? {}),
});

/**
 * Creates a contact and returns its id. Throws a 409 with `existing_id` when another contact has the phone number or
 * email address.
 */
export const createContact = (context: WorkspaceContext, fields: ContactCreate): string => {
  requireNone(invalidFields(fields));
  requirePhoneOrEmail(fields);
  requireUnique(context, fields);
  const id = context.random.id('con');
  const now = context.clock.now();
  context.database.insert('contacts', {
    ...toRow(fields),
    id,
    workspace_id: context.workspaceId,
    consent: fields.consent ?? 'unknown',
    created_at: now,
    updated_at: now,
  });
  return id;
};

/** Updates the given fields and merges attributes. Applies `tags` first, then `add_tags` and `remove_tags`. */
export const updateContact = (
  context: WorkspaceContext,
  id: string,
  { add_tags = [], remove_tags = [], ...fields }: ContactUpdate,
): Contact => {
  const before = readResource(context, resourceTypes.contact, id);
  requireNone(invalidFields({ ...fields, add_tags }));
  const merged = { ...before, ...fields };
  requirePhoneOrEmail(merged);
  requireUnique(context, { id, phone: fields.phone, email: fields.email });
  const removed = new Set(remove_tags);
  const tags = [...(merged.tags ?? []), ...add_tags].filter((tag) => !removed.has(tag));
  const attributes = { ...before.attributes, ...fields.attributes };
  context.database.update('contacts', id, {
    ...toRow({ ...fields, tags, attributes }),
    updated_at: context.clock.now(),
  });
  return readResource(context, resourceTypes.contact, id);
};

/** Deletes the contact. Its conversations and messages stay and lose their contact. */
export const deleteContact = (context: WorkspaceContext, id: string): void => {
  const { database, workspaceId } = context;
  readResource(context, resourceTypes.contact, id);
  database.run('UPDATE conversations SET contact_id = NULL WHERE workspace_id = ? AND contact_id = ?', workspaceId, id);
  database.run('UPDATE messages SET contact_id = NULL WHERE contact_id = ?', id);
  database.run('DELETE FROM contacts WHERE id = ?', id);
};

const reachable = z.object({ id: z.string(), consent: z.string() });

/** Finds or creates the contact with this number. Returns its id and whether it has opted out. */
export const contactByPhone = (context: WorkspaceContext, phone: string): { id: string; optedOut: boolean } => {
  const sql = 'SELECT id, consent FROM contacts WHERE workspace_id = ? AND phone = ?';
  const known = context.database.first(reachable, sql, context.workspaceId, phone);
  if (known) return { id: known.id, optedOut: known.consent === 'opted_out' };
  return { id: createContact(context, { phone }), optedOut: false };
};

const requirePhones = (phones: string[] | undefined): void => {
  if (phones?.every((phone) => e164.test(phone)) === false) {
    throw validationError([{ field: 'phone', message: 'must be in E.164, its plus encoded as %2B' }]);
  }
};

const searchText = "concat_ws(' ', first_name, last_name, email, phone)";
const hasTag = 'EXISTS (SELECT 1 FROM json_each(tags) WHERE value IN (SELECT value FROM json_each(?)))';

/** Returns a page of contacts. Every word of `query` occurs in the name, email address or phone number. */
export const listContacts = (
  context: WorkspaceContext,
  page: ListQuery<'phone' | 'email' | 'query' | 'tag'>,
): z.output<typeof endpoints.listContacts.response> => {
  const { phone, email, query, tag } = page.filters;
  requirePhones(phone);
  return selectPage(context, resourceTypes.contact, page, [
    isOneOf('phone', phone),
    isOneOf('email', email),
    containsAll(
      searchText,
      query?.flatMap((words) => words.trim().split(/\s+/)),
    ),
    [hasTag, tag],
  ]);
};

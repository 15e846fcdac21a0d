import * as z from 'zod/mini';
import { linkTo } from '../../../src/api/addresses';
import { e164 } from '../../../src/api/e164';
import type { BodyOf, endpoints } from '../../../src/api/endpoints';
import type { Contact } from '../../../src/api/resources';
import { toIso } from '../../zapier/clock';
import { ApiError, type FieldProblem, requireNone, validationError } from '../engine/api-error';
import type { WorkspaceContext } from '../store/context';
import { containsAll, inDocument, isOneOf, type ListQuery, selectPage } from '../store/pages';
import { addRecord, changeRecord, readDocument, readRecord, removeRecord } from '../store/records';
import { requireE164, specialNumbers } from './phone-numbers';

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

interface Identity {
  phone?: string | null | undefined;
  username?: string | null | undefined;
  email?: string | null | undefined;
}

/** Throws a 422 when a contact would have an invalid field among those that change, or neither phone number nor email. */
const requireValid = ({ phone, username, email }: Identity, changes: ContactUpdate): void => {
  requireNone(invalidFields(changes));
  if (phone || username || email) return;
  throw validationError([{ field: 'phone', message: 'a contact needs a phone number or an email address' }]);
};

/** The start of a query for contacts by phone number or email address. */
const contactsBy = (expression: string): string =>
  `SELECT id, document ->> 'consent' AS consent FROM records WHERE kind = 'contact' AND workspace = ? AND ${expression}`;

const withPhone = contactsBy("document ->> 'phone' = ?");
const withUsername = contactsBy("document ->> 'username' = ?");
const withEmail = contactsBy("(document ->> 'email') COLLATE NOCASE = ?");

const requireUnique = ({ database, workspaceId }: WorkspaceContext, { phone, email }: Identity, id?: string): void => {
  for (const [field, value, sql] of [
    ['phone', phone, withPhone],
    ['email', email, withEmail],
  ] as const) {
    const existing_id = value ? database.text(sql, workspaceId, value) : undefined;
    if (existing_id && existing_id !== id) {
      throw new ApiError('contact_exists', `A contact with this ${field} already exists.`, { field, existing_id });
    }
  }
};

/**
 * Creates a contact and returns its id. Throws a 409 with `existing_id` when another contact has the phone number or
 * email address.
 */
export const createContact = (context: WorkspaceContext, fields: ContactCreate): string => {
  requireValid(fields, fields);
  requireUnique(context, fields);
  return addContact(context, fields);
};

/** Whether a person said yes or no. */
const saysConsent = ({ consent = 'unknown' }: Pick<ContactCreate, 'consent'>): boolean => consent !== 'unknown';

/** Adds a contact, whose fields are valid, and returns its id. */
const addContact = (context: WorkspaceContext, fields: ContactCreate & { username?: string }): string => {
  const id = context.random.id('con');
  const now = toIso(context.clock.now());
  addRecord(context, 'contact', id, {
    id,
    attributes: {},
    consent: 'unknown',
    consent_changed_at: saysConsent(fields) ? now : null,
    ...fields,
    tags: [...new Set(fields.tags)],
    url: linkTo(`contacts/${id}`),
    created_at: now,
    updated_at: now,
  });
  return id;
};

const contactDocument = z.object({
  phone: z.nullish(z.string()),
  username: z.nullish(z.string()),
  email: z.nullish(z.string()),
  tags: z.array(z.string()),
  attributes: z.record(z.string(), z.string()),
  consent: z.string(),
});

/** Updates the given fields and merges attributes. Applies `tags` first, then `add_tags` and `remove_tags`. */
export const updateContact = (
  context: WorkspaceContext,
  id: string,
  { add_tags = [], remove_tags = [], ...fields }: ContactUpdate,
): Contact => {
  const before = readDocument(context, 'contact', id, contactDocument);
  const merged = { ...before, ...fields };
  requireValid(merged, { ...fields, add_tags });
  requireUnique(context, fields, id);
  const now = toIso(context.clock.now());
  const isNews = fields.consent !== undefined && fields.consent !== before.consent;
  const removed = new Set(remove_tags);
  const tags = [...merged.tags, ...add_tags].filter((tag) => !removed.has(tag));
  changeRecord(context, 'contact', id, {
    ...fields,
    tags: [...new Set(tags)],
    attributes: { ...before.attributes, ...fields.attributes },
    ...(isNews && { consent_changed_at: now }),
    updated_at: now,
  });
  return readRecord(context, 'contact', id);
};

/** Deletes the contact. Its conversations and messages stay and lose their contact. */
export const deleteContact = (context: WorkspaceContext, id: string): void => {
  const { database } = context;
  readRecord(context, 'contact', id);
  for (const kind of ['conversation', 'message']) {
    const theirs = "kind = ? AND document ->> 'contact_id' = ?";
    database.run(`UPDATE records SET document = json_set(document, '$.contact_id', NULL) WHERE ${theirs}`, kind, id);
  }
  removeRecord(database, 'contact', id);
};

const reachable = z.object({ id: z.string(), consent: z.string() });

/** Finds or creates the contact with this number. Returns its id and whether it has opted out. */
export const contactByPhone = (context: WorkspaceContext, phone: string): { id: string; optedOut: boolean } => {
  const known = context.database.first(reachable, withPhone, context.workspaceId, phone);
  if (known) return { id: known.id, optedOut: known.consent === 'opted_out' };
  return { id: createContact(context, { phone }), optedOut: false };
};

/**
 * Finds or creates the contact to send to, and returns its id. Throws a 422 when the number can't be reached, or when this
 * person has opted out.
 */
export const recipientByPhone = (context: WorkspaceContext, to: string): string => {
  if (to === specialNumbers.unreachable) {
    throw new ApiError('recipient_unreachable', 'This number cannot be reached on this channel.', { field: 'to' });
  }
  const contact = to === specialNumbers.optedOut ? undefined : contactByPhone(context, to);
  if (contact && !contact.optedOut) return contact.id;
  throw new ApiError('recipient_opted_out', 'This recipient has opted out of messages.', { field: 'to' });
};

const withLanguage = z.object({ language: z.nullish(z.string()) });

/** Returns the language of the contact with this number, if there is one and it's known. */
export const languageByPhone = (context: WorkspaceContext, phone: string): string | null | undefined => {
  const id = context.database.text(withPhone, context.workspaceId, phone);
  return id && readDocument(context, 'contact', id, withLanguage).language;
};

/** Finds or creates the contact with this username, whose phone number nobody sees. Returns its id. */
const contactByUsername = (context: WorkspaceContext, username: string): string =>
  context.database.first(reachable, withUsername, context.workspaceId, username)?.id ??
  addContact(context, { username });

/** Who writes to us. Without `from`, the customer with that username hides the phone number. */
export interface Customer {
  /** E.164. */
  from?: string | undefined;
  username?: string | undefined;
}

/**
 * Finds or creates the contact that writes to us, and returns its id: by phone number, or else by username. With both,
 * the contact gets the username. Throws a 422 when both are missing, `from` isn't E.164, or another contact has the
 * username.
 */
export const contactOf = (context: WorkspaceContext, { from, username }: Customer): string => {
  if (!from) {
    if (username) return contactByUsername(context, username);
    throw validationError([{ field: 'from', message: 'is needed when there is no username' }]);
  }
  requireE164('from', from);
  const { id } = contactByPhone(context, from);
  if (!username) return id;
  const other = context.database.first(reachable, withUsername, context.workspaceId, username);
  if (other && other.id !== id) {
    throw validationError([{ field: 'username', message: 'belongs to another contact' }]);
  }
  changeRecord(context, 'contact', id, { username });
  return id;
};

const requirePhones = (phones: string[] | undefined): void => {
  if (phones?.every((phone) => e164.test(phone)) === false) {
    throw validationError([{ field: 'phone', message: 'must be in E.164, its plus encoded as %2B' }]);
  }
};

const hasTag = "EXISTS (SELECT 1 FROM json_each(document, '$.tags') WHERE value IN (SELECT value FROM json_each(?)))";

/** Returns a page of contacts. Every word of `query` occurs in the name, username, email address or phone number. */
export const listContacts = (
  context: WorkspaceContext,
  page: ListQuery<'phone' | 'email' | 'query' | 'tag' | 'consent'>,
): z.output<typeof endpoints.listContacts.response> => {
  const { phone, email, query, tag, consent } = page.filters;
  requirePhones(phone);
  return selectPage(context, 'contact', page, [
    isOneOf(inDocument('phone'), phone),
    isOneOf(`(${inDocument('email')}) COLLATE NOCASE`, email),
    containsAll(
      ['first_name', 'last_name', 'username', 'email', 'phone'],
      query?.flatMap((words) => words.trim().split(/\s+/)),
    ),
    [hasTag, tag],
    isOneOf(inDocument('consent'), consent),
  ]);
};

import * as z from 'zod/mini';
import {
  campaign,
  campaignRun,
  contact,
  conversation,
  message,
  template,
  webhook,
  workspace,
} from '../../../src/api/resources';
import { ApiError } from '../engine/api-error';
import { declared } from '../engine/declared';
import type { WorkspaceContext } from './context';
import type { Database } from './database';

const schemas = {
  workspace: workspace.schema,
  template: template.schema,
  contact: contact.schema,
  conversation: conversation.schema,
  message: message.schema,
  campaign: campaign.schema,
  campaign_run: campaignRun.schema,
  webhook: webhook.schema,
};

export type Kind = keyof typeof schemas;
/** A record of each kind as the API shows it. */
export type Shown = { [K in Kind]: z.output<(typeof schemas)[K]> };
const shown: { [K in Kind]: z.ZodMiniType<Shown[K]> } = schemas;

/** Reads a document as the API shows it. */
export const show = <K extends Kind>(kind: K, document: unknown): Shown[K] => z.parse(declared(shown[kind]), document);

type Document = Record<string, unknown>;

/** The SQL for the document with the contact that it names by `contact_id`, as that contact is now. */
export const withContact = `json_set(document, '$.contact', (SELECT json(contact.document) FROM records AS contact
  WHERE contact.kind = 'contact' AND contact.id = record.document ->> 'contact_id'))`;

const byId = (kind: Kind): string => `kind = '${kind}' AND workspace = ? AND id = ?`;

const notFound = (kind: Kind, id: string): ApiError =>
  new ApiError('not_found', `There is no ${kind.replace('_', ' ')} ${id}.`);

/** Returns a record's document as the SQL gives it, if the workspace has one with this id. */
const find = ({ database, workspaceId }: WorkspaceContext, kind: Kind, id: string, sql = 'document'): unknown => {
  const document = database.text(`SELECT ${sql} FROM records AS record WHERE ${byId(kind)}`, workspaceId, id);
  return document && JSON.parse(document);
};

/** The same. Throws a 404 when the workspace has none with this id. */
const read = (context: WorkspaceContext, kind: Kind, id: string, sql?: string): unknown => {
  const document = find(context, kind, id, sql);
  if (document === undefined) throw notFound(kind, id);
  return document;
};

/** Adds a record. `document` has the fields of the API that have a value, and what only the sandbox knows. */
export const addRecord = (
  { database, workspaceId }: WorkspaceContext,
  kind: Kind,
  id: string,
  document: Document,
): void => {
  const valid = JSON.stringify(z.parse(schemas[kind], document));
  database.insert('records', { kind, id, workspace: workspaceId, document: valid });
};

const changeSchemas = new Map(
  Object.entries(schemas).map(([kind, schema]) => [kind, z.partial<z.ZodMiniObject>(schema)]),
);

/** Changes fields of a record. Throws a 404 when the workspace has none with this id. */
export const changeRecord = (
  { database, workspaceId }: WorkspaceContext,
  kind: Kind,
  id: string,
  changes: Document,
): void => {
  const valid = Object.entries(z.parse(changeSchemas.get(kind) ?? z.never(), changes));
  const fields = valid.map(([field]) => `'$.${field}', json(?)`).join(', ');
  const sql = `UPDATE records SET document = json_set(document, ${fields}) WHERE ${byId(kind)}`;
  const changed = database.run(sql, ...valid.map(([, value]) => JSON.stringify(value)), workspaceId, id);
  if (changed === 0) throw notFound(kind, id);
};

/** Removes the record, if there is one. */
export const removeRecord = (database: Database, kind: Kind, id: string): void => {
  database.run('DELETE FROM records WHERE kind = ? AND id = ?', kind, id);
};

/** Returns what the sandbox knows of a record, if the workspace has one with this id. */
export const findDocument = <S extends z.ZodMiniType>(
  context: WorkspaceContext,
  kind: Kind,
  id: string,
  schema: S,
): z.output<S> | undefined => z.optional(schema).parse(find(context, kind, id));

/** The same. Throws a 404 when the workspace has none with this id. */
export const readDocument = <S extends z.ZodMiniType>(
  context: WorkspaceContext,
  kind: Kind,
  id: string,
  schema: S,
): z.output<S> => schema.parse(read(context, kind, id));

/** Returns a record as a GET does. Throws a 404 when the workspace has none with this id. */
export const readRecord = <K extends Kind>(context: WorkspaceContext, kind: K, id: string): Shown[K] =>
  show(kind, read(context, kind, id, withContact));

/** Returns the id of the workspace that owns the record. Throws a 404 when there is no such record. */
export const ownerOf = (database: Database, kind: Kind, id: string): string => {
  const owner = database.text('SELECT workspace FROM records WHERE kind = ? AND id = ?', kind, id);
  if (!owner) throw notFound(kind, id);
  return owner;
};

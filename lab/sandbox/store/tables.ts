/**
 * The tables of the sandbox. A record of the API is a JSON document, which also has what only the sandbox knows of it:
 * the API shows the fields that the contract declares. Each index is for a list's filter or for the sandbox's own work.
 *
 * `seq` is the insertion order, so "newest first" is `seq` descending. Columns and fields with the time of some work are
 * milliseconds since 1970: a record with `due_at` has work to do then.
 */
export const tables = `
CREATE TABLE settings (name TEXT PRIMARY KEY, value ANY) STRICT, WITHOUT ROWID;

CREATE TABLE records (
  seq INTEGER PRIMARY KEY, kind TEXT NOT NULL, id TEXT NOT NULL, workspace TEXT NOT NULL, document TEXT NOT NULL,
  UNIQUE (kind, id, workspace)
) STRICT;
CREATE INDEX records_newest ON records (kind, workspace);
CREATE INDEX records_due ON records (document ->> 'due_at') WHERE document ->> 'due_at' IS NOT NULL;
CREATE INDEX records_contact ON records (kind, document ->> 'contact_id') WHERE document ->> 'contact_id' IS NOT NULL;
CREATE INDEX records_campaign ON records (kind, document ->> 'campaign_id', document ->> 'status')
  WHERE document ->> 'campaign_id' IS NOT NULL;
CREATE INDEX messages_conversation ON records (workspace, document ->> 'conversation_id') WHERE kind = 'message';
CREATE UNIQUE INDEX contacts_phone ON records (workspace, document ->> 'phone') WHERE kind = 'contact';
CREATE INDEX contacts_username ON records (workspace, document ->> 'username') WHERE kind = 'contact';
CREATE UNIQUE INDEX contacts_email ON records (workspace, (document ->> 'email') COLLATE NOCASE) WHERE kind = 'contact';

CREATE TABLE tokens (
  seq INTEGER PRIMARY KEY, token TEXT NOT NULL UNIQUE, workspace TEXT NOT NULL, scopes TEXT NOT NULL
) STRICT;

CREATE TABLE events (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, type TEXT NOT NULL, body TEXT NOT NULL
) STRICT;

CREATE TABLE deliveries (
  seq INTEGER PRIMARY KEY, event_id TEXT NOT NULL, webhook_id TEXT NOT NULL, status TEXT NOT NULL,
  due_at INTEGER NOT NULL, attempts TEXT NOT NULL DEFAULT '[]'
) STRICT;
CREATE INDEX deliveries_webhook ON deliveries (webhook_id, status);
CREATE INDEX deliveries_due ON deliveries (status, due_at);

CREATE TABLE idempotency_keys (
  workspace TEXT NOT NULL, endpoint TEXT NOT NULL, key TEXT NOT NULL, request TEXT NOT NULL, response TEXT,
  expires_at INTEGER NOT NULL, PRIMARY KEY (workspace, endpoint, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_keys_expiry ON idempotency_keys (expires_at);
`;

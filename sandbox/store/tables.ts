import { linkTo } from '../../src/api/links';

const time = (column: string) => `strftime('%Y-%m-%dT%H:%M:%SZ', ${column} / 1000, 'unixepoch')`;

const page = (path: string, id: string) => `'${linkTo(path)}/' || ${id}`;

const person = `json(CASE WHEN contact.id IS NOT NULL THEN json_object(
  'id', contact.id, 'phone', contact.phone, 'first_name', contact.first_name, 'last_name', contact.last_name) END)`;

/**
 * The tables of the sandbox, and one view for each resource that shows it as the JSON document of the API.
 *
 * `seq` is the insertion order, so "newest first" is `seq` descending. Times are milliseconds since 1970. A row with
 * `due_at` has work to do at that time.
 */
export const tables = `
CREATE TABLE settings (name TEXT PRIMARY KEY, value ANY) STRICT, WITHOUT ROWID;

CREATE TABLE workspaces (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, plan TEXT NOT NULL
) STRICT;

CREATE TABLE tokens (
  seq INTEGER PRIMARY KEY, token TEXT NOT NULL UNIQUE, workspace_id TEXT NOT NULL, scopes TEXT NOT NULL
) STRICT;

CREATE TABLE templates (
  seq INTEGER PRIMARY KEY, workspace_id TEXT NOT NULL, name TEXT NOT NULL, channel TEXT NOT NULL,
  language TEXT NOT NULL, status TEXT NOT NULL, category TEXT NOT NULL, body TEXT NOT NULL, variables TEXT NOT NULL,
  UNIQUE (workspace_id, name)
) STRICT;

CREATE TABLE contacts (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, workspace_id TEXT NOT NULL, phone TEXT, email TEXT COLLATE NOCASE,
  first_name TEXT, last_name TEXT, language TEXT, tags TEXT NOT NULL, attributes TEXT NOT NULL, consent TEXT NOT NULL,
  created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX contacts_phone ON contacts (workspace_id, phone);
CREATE UNIQUE INDEX contacts_email ON contacts (workspace_id, email);

CREATE TABLE conversations (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, workspace_id TEXT NOT NULL, channel TEXT NOT NULL,
  status TEXT NOT NULL, contact_id TEXT, assignee TEXT, message_count INTEGER NOT NULL DEFAULT 0,
  last_message_at INTEGER, created_at INTEGER NOT NULL, closed_at INTEGER
) STRICT;
CREATE INDEX conversations_contact ON conversations (workspace_id, contact_id);
CREATE INDEX conversations_idle ON conversations (last_message_at) WHERE status = 'open';

CREATE TABLE messages (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, workspace_id TEXT NOT NULL, conversation_id TEXT NOT NULL,
  contact_id TEXT, campaign_id TEXT, channel TEXT NOT NULL, direction TEXT NOT NULL, sender TEXT NOT NULL,
  recipient TEXT NOT NULL, template TEXT, variables TEXT NOT NULL, text TEXT NOT NULL, status TEXT NOT NULL,
  error_code TEXT, error_message TEXT, source TEXT NOT NULL, created_at INTEGER NOT NULL, sent_at INTEGER,
  delivered_at INTEGER, read_at INTEGER, failed_at INTEGER, due_at INTEGER
) STRICT;
CREATE INDEX messages_conversation ON messages (workspace_id, conversation_id);
CREATE INDEX messages_contact ON messages (contact_id);
CREATE INDEX messages_campaign ON messages (campaign_id, status) WHERE campaign_id IS NOT NULL;
CREATE INDEX messages_due ON messages (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE campaigns (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, workspace_id TEXT NOT NULL, name TEXT NOT NULL,
  channel TEXT NOT NULL, template TEXT NOT NULL, status TEXT NOT NULL, audience_tag TEXT NOT NULL,
  audience_size INTEGER NOT NULL, recipients INTEGER NOT NULL DEFAULT 0,
  sent INTEGER NOT NULL DEFAULT 0, delivered INTEGER NOT NULL DEFAULT 0, read INTEGER NOT NULL DEFAULT 0,
  replied INTEGER NOT NULL DEFAULT 0, failed INTEGER NOT NULL DEFAULT 0, created_at INTEGER NOT NULL,
  started_at INTEGER, completed_at INTEGER
) STRICT;

CREATE TABLE campaign_runs (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, campaign_id TEXT NOT NULL, status TEXT NOT NULL,
  recipient TEXT, variables TEXT NOT NULL, recipients INTEGER NOT NULL, reached INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL, due_at INTEGER
) STRICT;
CREATE INDEX campaign_runs_campaign ON campaign_runs (campaign_id);
CREATE INDEX campaign_runs_due ON campaign_runs (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE webhooks (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, workspace_id TEXT NOT NULL, url TEXT NOT NULL,
  events TEXT NOT NULL, filters TEXT NOT NULL, secret TEXT NOT NULL, old_secret TEXT, old_secret_until INTEGER,
  created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX webhooks_expiry ON webhooks (expires_at);

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
  workspace_id TEXT NOT NULL, endpoint TEXT NOT NULL, key TEXT NOT NULL, request TEXT NOT NULL, response TEXT,
  expires_at INTEGER NOT NULL, PRIMARY KEY (workspace_id, endpoint, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_keys_expiry ON idempotency_keys (expires_at);

CREATE VIEW template_documents AS SELECT seq, workspace_id, name, json_object(
  'name', name, 'channel', channel, 'language', language, 'status', status, 'category', category, 'body', body,
  'variables', json(variables)) AS document FROM templates;

CREATE VIEW contact_documents AS SELECT seq, workspace_id, id, json_object(
  'id', id, 'phone', phone, 'email', email, 'first_name', first_name, 'last_name', last_name, 'language', language,
  'tags', json(tags), 'attributes', json(attributes), 'consent', consent, 'url', ${page('contacts', 'id')},
  'created_at', ${time('created_at')}, 'updated_at', ${time('updated_at')}) AS document FROM contacts;

CREATE VIEW conversation_documents AS SELECT it.seq, it.workspace_id, it.id, json_object(
  'id', it.id, 'channel', it.channel, 'status', it.status, 'contact', ${person}, 'assignee', it.assignee,
  'message_count', it.message_count, 'url', ${page('conversations', 'it.id')},
  'last_message_at', ${time('it.last_message_at')}, 'created_at', ${time('it.created_at')},
  'closed_at', ${time('it.closed_at')}) AS document
  FROM conversations AS it LEFT JOIN contacts AS contact ON contact.id = it.contact_id;

CREATE VIEW message_documents AS SELECT it.seq, it.workspace_id, it.id, json_object(
  'id', it.id, 'conversation_id', it.conversation_id, 'contact', ${person}, 'campaign_id', it.campaign_id,
  'channel', it.channel, 'direction', it.direction, 'from', it.sender, 'to', it.recipient, 'template', it.template,
  'variables', json(it.variables), 'text', it.text, 'status', it.status,
  'error', json(CASE WHEN it.error_code IS NOT NULL
    THEN json_object('code', it.error_code, 'message', it.error_message) END),
  'source', it.source, 'created_at', ${time('it.created_at')}, 'sent_at', ${time('it.sent_at')},
  'delivered_at', ${time('it.delivered_at')}, 'read_at', ${time('it.read_at')},
  'failed_at', ${time('it.failed_at')}) AS document
  FROM messages AS it LEFT JOIN contacts AS contact ON contact.id = it.contact_id;

CREATE VIEW campaign_documents AS SELECT seq, workspace_id, id, json_object(
  'id', id, 'name', name, 'channel', channel, 'template', template, 'status', status, 'audience_size', audience_size,
  'stats', json_object('recipients', recipients, 'sent', sent, 'delivered', delivered, 'read', read,
    'replied', replied, 'failed', failed),
  'url', ${page('campaigns', 'id')}, 'created_at', ${time('created_at')}, 'started_at', ${time('started_at')},
  'completed_at', ${time('completed_at')}) AS document FROM campaigns;

CREATE VIEW campaign_run_documents AS SELECT run.seq, campaign.workspace_id, run.id, json_object(
  'id', run.id, 'campaign_id', campaign.id, 'campaign_name', campaign.name, 'status', run.status,
  'recipients', run.recipients, 'created_at', ${time('run.created_at')}) AS document
  FROM campaign_runs AS run JOIN campaigns AS campaign ON campaign.id = run.campaign_id;

CREATE VIEW webhook_documents AS SELECT seq, workspace_id, id, json_object(
  'id', id, 'url', url, 'events', json(events), 'filters', json(filters), 'created_at', ${time('created_at')},
  'expires_at', ${time('expires_at')}) AS document FROM webhooks;
`;

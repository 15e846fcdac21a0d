/** The records of the messaging service in memory, and how it may differ from another one. */
import type { Fields } from './fields';
import type { Call } from './wire';

export interface ServiceSettings {
  host: string;
  /** The ID of the workspace. Several may share one host, each with another token. */
  workspace: string;
  token: string;
  plan: string;
  /** Whether times have milliseconds. */
  isExact: boolean;
  echoesFilters: boolean;
  /** Whether the last record of a page is the first of the next one, as when somebody adds one meanwhile. */
  overlaps: boolean;
  /** Whether messages say who sent them. */
  hasSource: boolean;
  /** Whether a refusal to create a contact names the one that exists. */
  namesExisting: boolean;
  /** Whether a message to a person who hides the number says where it went. */
  showsHidden: boolean;
  /** Whether the response to a send has only the ID. */
  givesOnlyId: boolean;
  /** After how long an event goes to the webhooks that there are by then, in milliseconds. */
  fanOutMs: number;
  /** Whether reads of messages never show the newest. */
  lags: boolean;
  /** Whether it does the same again for the same key. */
  ignoresKeys: boolean;
  /** Whether it creates another webhook for the same key. */
  repeatsWebhooks: boolean;
  /** The steps whose forms don't have Send Once for Each, because the contract says that their keys aren't kept. */
  keyless: readonly string[];
  /** Whether it refuses a message that doesn't fit its template. */
  checksMessages: boolean;
  /** Whether it has an event for an internal note, as if that was a message. */
  reportsNotes: boolean;
  /** Whether a message may be read without having been delivered, or be reported as delivered only later. */
  readsAtOnce: boolean;
  /** Whether its templates are the plain ones, with a list of their variables and nothing around the text. */
  hasPlainTemplates: boolean;
  /** How the expiry of a webhook is written; undefined when webhooks don't expire. */
  expiry: 'iso' | 'unix' | 'rfc' | 'space' | undefined;
}

export interface Entity extends Fields {
  id: string;
  /** Its place in time, for people and the judge: exact where `created_at` isn't. */
  seq: number;
  at: number;
  /** The request that created it. */
  by: Call | undefined;
  /** What a message was like from a moment on. */
  states?: { at: number; fields: Fields }[];
}

/** A person who writes. One with a username hides the number, which the service may know all the same. */
export interface Sender {
  phone: string;
  username?: string | undefined;
  knows?: boolean | undefined;
}

/** What else a line of a person has. */
export interface Written {
  attachments?: unknown[];
  reply_to?: string | null;
  /** The quick reply that was pressed. */
  button?: { text: string; payload: string } | null;
}

export interface ServiceEvent {
  id: string;
  type: string;
  at: number;
  data: Fields;
}

const hidden = new Set(['seq', 'at', 'by', 'states', 'secret', 'expiresMs', 'number']);

/** Returns fields that are null, from their names. */
export const nulls = (names: string): Fields => Object.fromEntries(names.split(' ').map((name) => [name, null]));

/** Returns a record as the service shows it. */
export const view = (entity: Fields): Fields =>
  Object.fromEntries(Object.entries(entity).filter(([name]) => !hidden.has(name)));

/** Whether a record of the list of messages is one. An internal note isn't. */
export const isMessage = ({ direction }: Fields): boolean => direction === 'inbound' || direction === 'outbound';

/** The ID in a forged callback, which no message has. */
export const forgedMessage = 'msg_forged';

/** The text of every internal note. */
export const noteText = 'Only for colleagues';

/** Returns a message as it was at a moment, in milliseconds. */
export const asOf = (message: Entity, ms: number): Entity => ({
  ...message,
  ...message.states?.findLast(({ at }) => at <= ms)?.fields,
});

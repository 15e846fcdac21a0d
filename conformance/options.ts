import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Connection, parseBaseUrl, parseToken } from '../src/connection';
import { sentenceOf } from './errors';

/** What the command asks for. */
export interface Options {
  connection: Connection;
  /** Whether to create and remove things too. */
  write: boolean;
  /** Whether to ask until the service says that it is too much. */
  rateLimit: boolean;
  /** Who gets a message. */
  to: string | undefined;
  /** The public address of the local port. */
  callbackUrl: string | undefined;
  port: number;
  /** The folder for what was answered. */
  record: string;
}

/** The command was given wrongly: a sentence for whoever typed it. */
export class WrongUse extends Error {}

/** How the command is used. */
export const usage = `npm run conformance -- --base-url URL --token TOKEN
    [--rate-limit]            asks until the service says that it is too much
    [--write]                 creates and removes a contact and a webhook
    [--to +31612345678]       sends this number a message, with --write
    [--callback-url URL]      the public address of the local port, for deliveries of a service elsewhere
    [--port 8080]             the local port for deliveries
    [--record FOLDER]         where the answers go, masked`;

const recordings = resolve(__dirname, '../test/recorded');

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;

const parse = (args: string[]) => {
  try {
    const options = { 'base-url': text, token: text, to: text, 'callback-url': text, port: text, record: text };
    return parseArgs({ args, options: { ...options, write: flag, 'rate-limit': flag } }).values;
  } catch (error) {
    throw new WrongUse(`${sentenceOf(error).split(/[.\n]/)[0]}.`);
  }
};

const readTo = (to: string | undefined): string | undefined => {
  if (to === undefined || /^\+[1-9]\d{6,14}$/.test(to)) return to;
  throw new WrongUse('--to takes a phone number with a plus and the country code, such as +31612345678.');
};

const readCallbackUrl = (url: string | undefined): string | undefined => {
  if (url === undefined || (URL.canParse(url) && new URL(url).protocol === 'https:')) return url;
  throw new WrongUse('--callback-url takes an https address that leads to the local port.');
};

const readPort = (port = '0'): number => {
  if (/^\d{1,5}$/.test(port) && Number(port) < 65_536) return Number(port);
  throw new WrongUse('--port takes a number from 0 to 65535.');
};

const readConnection = (baseUrl: string | undefined, token: string | undefined): Connection => {
  if (!baseUrl) throw new WrongUse('--base-url is missing: the address of the service, without /v1.');
  if (!token) throw new WrongUse('--token is missing: a token of a workspace for tests.');
  try {
    return { baseUrl: parseBaseUrl(baseUrl), token: parseToken(token) };
  } catch (error) {
    throw new WrongUse(sentenceOf(error));
  }
};

/** Reads the arguments of the command. Throws `WrongUse`. */
export const readOptions = (args: string[]): Options => {
  const values = parse(args);
  const connection = readConnection(values['base-url'], values.token);
  const { write, to, port, 'callback-url': callbackUrl } = values;
  if (!write && (to ?? port ?? callbackUrl)) throw new WrongUse('--to, --callback-url and --port need --write.');
  return {
    connection,
    write,
    rateLimit: values['rate-limit'],
    to: readTo(to),
    callbackUrl: readCallbackUrl(callbackUrl),
    port: readPort(port),
    record: values.record ?? join(recordings, new URL(connection.baseUrl).hostname),
  };
};

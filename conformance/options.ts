import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs, parseEnv } from 'node:util';
import * as z from 'zod/mini';
import { pathPrefix } from '../src/api/endpoints';
import { type Connection, parseBaseUrl, parseToken } from '../src/http/connection';
import { errorMessage, WrongUse } from './errors';

/** What to send. Whatever is undefined comes from the first approved template. */
export interface MessageOptions {
  template: string | undefined;
  channel: string | undefined;
  variables: Record<string, string> | undefined;
}

/** The options of the command. */
export interface Options {
  connection: Connection;
  /** Whether to create and remove records. */
  write: boolean;
  /** Whether to send requests until the rate limit is hit. */
  rateLimit: boolean;
  /** The recipient of the message; undefined sends none. */
  to: string | undefined;
  message: MessageOptions;
  /** The public address of the local port. */
  callbackUrl: string | undefined;
  port: number;
  /** The folder for the recordings. */
  record: string;
}

/** `BASE_URL` and `API_TOKEN`. */
export type Environment = Record<string, string | undefined>;

/** How to call the command. */
export const usage = `Set BASE_URL and API_TOKEN in the environment or in .env, then run:

npm run conformance --
    [--base-url URL]          replaces BASE_URL
    [--rate-limit]            sends requests until it hits the rate limit
    [--write]                 creates and removes a contact and webhooks
    [--to +12025550123]       sends this number a message, with --write
    [--template NAME]         the template of the message, instead of the first approved one
    [--variables JSON]        its variables, such as '{"parcel_id": "PX-1"}', instead of its examples
    [--channel KEY]           the channel of the message
    [--callback-url URL]      the public address of the local port, for webhooks of a remote service
    [--port 8080]             the local port for webhooks
    [--record FOLDER]         where to save the masked responses`;

const recordings = resolve(__dirname, '../test/recorded');

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;
const messageFlags = { to: text, template: text, variables: text, channel: text } as const;
const writeFlags = { ...messageFlags, 'callback-url': text, port: text } as const;

const parse = (args: string[]) => {
  try {
    const options = { 'base-url': text, record: text, write: flag, 'rate-limit': flag, ...writeFlags } as const;
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new WrongUse(`${errorMessage(error).split(/[.\n]/)[0]}.`);
  }
};

const readTo = (to: string | undefined): string | undefined => {
  if (to === undefined || /^\+[1-9]\d{6,14}$/.test(to)) return to;
  throw new WrongUse('--to takes a phone number with a plus and the country code, such as +12025550123.');
};

const readVariables = (json: string | undefined): MessageOptions['variables'] => {
  if (json === undefined) return undefined;
  try {
    return z.record(z.string(), z.string()).parse(JSON.parse(json));
  } catch {
    throw new WrongUse('--variables takes a JSON object of texts, such as \'{"parcel_id": "PX-1"}\'.');
  }
};

const readCallbackUrl = (url: string | undefined): string | undefined => {
  if (url === undefined || (URL.canParse(url) && new URL(url).protocol === 'https:' && !/[?#]/.test(url))) return url;
  throw new WrongUse('--callback-url takes an https address without a query that leads to the local port.');
};

const readPort = (port = '0'): number => {
  if (/^\d{1,5}$/.test(port) && Number(port) < 65_536) return Number(port);
  throw new WrongUse('--port takes a number from 0 to 65535.');
};

const readConnection = (baseUrl: string | undefined, token: string | undefined): Connection => {
  if (!baseUrl) throw new WrongUse(`BASE_URL is missing: the address of the service, without ${pathPrefix}.`);
  if (!token) throw new WrongUse('API_TOKEN is missing: a token of a workspace for tests.');
  try {
    return { baseUrl: parseBaseUrl(baseUrl), token: parseToken(token) };
  } catch (error) {
    throw new WrongUse(errorMessage(error));
  }
};

/** Returns the environment of this process, with the `.env` file of the folder for what it doesn't set. */
export const readEnvironment = (folder: string): Environment => {
  const file = join(folder, '.env');
  return { ...(existsSync(file) && parseEnv(readFileSync(file, 'utf8'))), ...process.env };
};

/** Reads the arguments of the command. Throws `WrongUse`. */
export const readOptions = (args: string[], environment: Environment): Options => {
  // npm prints the command, and shells keep it.
  if (args.some((arg) => /^--token\b/.test(arg))) {
    throw new WrongUse('--token would show the token: set API_TOKEN in the environment or in .env instead.');
  }
  const values = parse(args);
  const given = (flags: object): string[] => Object.keys(flags).filter((name) => Object.hasOwn(values, name));
  const [needsWrite] = given(writeFlags);
  if (needsWrite && !values.write) throw new WrongUse(`--${needsWrite} needs --write.`);
  const [needsTo] = given(messageFlags);
  if (needsTo && !values.to) throw new WrongUse(`--${needsTo} needs --to.`);
  const connection = readConnection(values['base-url'] ?? environment.BASE_URL, environment.API_TOKEN);
  return {
    connection,
    write: values.write,
    rateLimit: values['rate-limit'],
    to: readTo(values.to),
    message: { template: values.template, channel: values.channel, variables: readVariables(values.variables) },
    callbackUrl: readCallbackUrl(values['callback-url']),
    port: readPort(values.port),
    record: values.record ?? join(recordings, new URL(connection.baseUrl).hostname),
  };
};

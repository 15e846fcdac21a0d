import { join, resolve } from 'node:path';
import * as z from 'zod/mini';
import { connectionValues } from '../../src/api/connection';
import { e164 } from '../../src/api/e164';
import { pathPrefix } from '../../src/api/endpoints';
import { parseBaseUrl } from '../../src/call/address';
import { parseToken } from '../../src/call/connection';
import { type Command, parseFlags, readPortFlag } from '../cli/command';
import type { Environment } from '../cli/environment';
import { errorMessage, UsageError } from '../cli/errors';
import { type ProofName, proofNames } from './report';
import type { ServiceConnection } from './service-client';

/** What the command is asked to do. What is undefined isn't done, or chosen by the run. */
export type Options = ReturnType<typeof readOptions>;

/** The message to send. The first approved template replaces what is undefined. */
export type MessageOptions = Options['message'];

/** `npm run conformance` */
export const command = {
  name: 'npm run conformance',
  summary: `Checks a live service against the contract in src/api and says what to do about what differs. Only reads, unless you add --write. Set BASE_URL (without ${pathPrefix}) and API_TOKEN in .env or in the environment first. Exit status: 0, nothing is open; 1, something differs, couldn't be checked or isn't proven; 2, wrong option, address, token or plan.`,
  options: {
    'base-url': { type: 'string', value: 'URL', help: 'Connects to URL instead of BASE_URL.' },
    write: { type: 'boolean', default: false, help: 'Creates and removes a contact and webhooks.' },
    to: { type: 'string', value: 'NUMBER', help: 'Sends a message to NUMBER. Needs --write.' },
    'opted-out': {
      type: 'string',
      value: 'NUMBER',
      help: 'Sends the message to NUMBER, whose owner has opted out, so that the service refuses it.',
    },
    template: { type: 'string', value: 'NAME', help: 'Sends this template instead of the first approved one.' },
    variables: {
      type: 'string',
      value: 'JSON',
      help: 'Fills the template with these variables instead of its examples.',
    },
    channel: { type: 'string', value: 'KEY', help: 'Sends the message on this channel.' },
    campaign: { type: 'string', value: 'ID', help: 'Starts this test campaign for its audience. Needs --write.' },
    'callback-url': {
      type: 'string',
      value: 'URL',
      help: 'Receives webhooks of a remote service at URL, the public address of the local port.',
    },
    port: { type: 'string', value: 'PORT', help: 'Receives webhooks on PORT instead of a free one.' },
    accept: {
      type: 'string',
      value: 'NAMES',
      help: `Accepts what stays without a proof: ${proofNames.join(', ')}.`,
    },
    record: {
      type: 'string',
      value: 'FOLDER',
      help: 'Saves the responses in FOLDER, without personal data. Default: test/recorded/HOST.',
    },
  },
  examples: [
    'npm run conformance',
    'npm run conformance -- --write --to +12025550123 --opted-out +12025550124 --callback-url https://example.com/hooks',
  ],
} as const satisfies Command;

const recordings = resolve(__dirname, '../../test/recorded');

const messageFlags = ['to', 'opted-out', 'template', 'variables', 'channel'] as const;
const writeFlags = [...messageFlags, 'campaign', 'callback-url', 'port'] as const;

const readNumber = (flag: string, number: string | undefined): string | undefined => {
  if (number === undefined || e164.test(number)) return number;
  throw new UsageError(`--${flag} takes a phone number with a plus and the country code, such as +12025550123.`);
};

const readVariables = (json: string | undefined): Record<string, string> | undefined => {
  if (json === undefined) return undefined;
  try {
    return z.record(z.string(), z.string()).parse(JSON.parse(json));
  } catch {
    throw new UsageError('--variables takes a JSON object of texts, such as \'{"parcel_id": "PX-1"}\'.');
  }
};

const readAccept = (names: string | undefined): ProofName[] =>
  (names?.split(',') ?? []).map((name) => {
    const known = proofNames.find((each) => each === name.trim());
    if (known) return known;
    throw new UsageError(`--accept takes names with commas: ${proofNames.join(', ')}.`);
  });

const readCallbackUrl = (url: string | undefined): string | undefined => {
  if (url === undefined || (URL.canParse(url) && new URL(url).protocol === 'https:' && !/[?#]/.test(url))) return url;
  throw new UsageError('--callback-url takes an https address without a query that leads to the local port.');
};

/** Reads the fields of the connection, such as `project_id` from `PROJECT_ID`. */
const readValues = (environment: Environment) =>
  connectionValues((key, { label }) => {
    const name = key.toUpperCase();
    const value = environment[name];
    if (!value) throw new UsageError(`${name} is missing. Set the ${label} in .env.`);
    return value;
  });

const readConnection = (given: string | undefined, environment: Environment): ServiceConnection => {
  const { API_TOKEN: token } = environment;
  const baseUrl = given ?? environment.BASE_URL;
  if (!baseUrl) throw new UsageError('BASE_URL is missing. Set the address of the service in .env.');
  if (!token) throw new UsageError('API_TOKEN is missing. Set the token of a test workspace in .env.');
  try {
    return { baseUrl: parseBaseUrl(baseUrl), token: parseToken(token), values: readValues(environment) };
  } catch (error) {
    throw new UsageError(errorMessage(error));
  }
};

/** Reads the arguments of the command. Throws `UsageError`. */
export const readOptions = (args: string[], environment: Environment) => {
  // npm prints the command, and shells keep it.
  if (args.some((arg) => /^--token\b/.test(arg))) {
    throw new UsageError('--token would show the token. Set API_TOKEN in .env or in the environment instead.');
  }
  const values = parseFlags(command, args);
  const needsWrite = writeFlags.find((flag) => values[flag] !== undefined);
  if (needsWrite && !values.write) throw new UsageError(`--${needsWrite} needs --write.`);
  const needsTo = messageFlags.find((flag) => values[flag] !== undefined);
  if (needsTo && !values.to) throw new UsageError(`--${needsTo} needs --to.`);
  const connection = readConnection(values['base-url'], environment);
  return {
    connection,
    write: values.write,
    to: readNumber('to', values.to),
    optedOut: readNumber('opted-out', values['opted-out']),
    message: { template: values.template, channel: values.channel, variables: readVariables(values.variables) },
    campaign: values.campaign,
    callbackUrl: readCallbackUrl(values['callback-url']),
    accept: readAccept(values.accept),
    port: readPortFlag('port', values.port ?? '0'),
    record: values.record ?? join(recordings, new URL(connection.baseUrl).hostname),
  };
};

/** An account's address and token: which ones are valid, and how the token stays out of results. */
import { BlockList } from 'node:net';
import type { ZObject } from 'zapier-platform-core';
import { prefixInUse, secretsOf } from '../api/adapter';
import { isLoopback } from '../api/addresses';
import { type ConnectionValues, connectionValues } from '../api/connection';
import { fieldsOf } from '../api/object';
import { isSandboxed } from '../api/wire';
import { brand } from '../brand';
import { fail, reconnect } from '../platform/errors';

/** IPv4 ranges that are not public (IANA special-purpose registry), with the addresses of cloud metadata. */
const privateIpv4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4'],
];

/** All public IPv6 addresses are in the first range; the others in it have a special purpose (IANA). */
const globalIpv6 = ['2000::/3'];
const specialIpv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const isIn = (ranges: readonly string[], address: string, family: 'ipv4' | 'ipv6'): boolean => {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', bits] = range.split('/');
    list.addSubnet(network, Number(bits), family);
  }
  return list.check(address, family);
};

/** Names in a private network, such as names without a dot. */
const privateName =
  /^[^.]*$|^metadata\.|\.(localhost|local|localdomain|internal|intranet|lan|home|corp|private|arpa|svc)$/;

/** Whether the host is public. `URL` writes IPv4 addresses as four numbers, and IPv6 in brackets. */
export const isPublic = (host: string): boolean => {
  if (/^[\d.]+$/.test(host)) return !isIn(privateIpv4, host, 'ipv4');
  if (!host.startsWith('[')) return !privateName.test(host);
  const address = host.slice(1, -1);
  return isIn(globalIpv6, address, 'ipv6') && !isIn(specialIpv6, address, 'ipv6');
};

/** A validated connection: the API's address (no trailing slash, no `/v1`) and the token. */
export interface Connection {
  baseUrl: string;
  token: string;
}

const refuse = (reason: string): Error => fail(`API Base URL: ${reason}`, 'base_url_refused');

const notAnAddress = (): Error => refuse(`this isn't a web address. Enter one such as ${brand.api}.`);

/**
 * Hosts that `URL`, which validates the address, and `url.parse`, which core connects with, read alike. `url.parse`
 * ends a name at characters such as `;` and can't read names over 255 characters.
 */
const unambiguousHost = /^(?=.{1,253}$)[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?$/;

/** Whether every program reads the name of a host alike. */
export const isUnambiguous = (host: string): boolean => host.startsWith('[') || unambiguousHost.test(host);

const maxUrlLength = 2_048;

/** Whether Zapier runs the app. It uses AWS Lambda, which always sets these variables. */
export const isOnZapier = (): boolean =>
  ['AWS_LAMBDA_FUNCTION_NAME', 'AWS_LAMBDA_RUNTIME_API', 'LAMBDA_TASK_ROOT'].some((name) => process.env[name]);

/**
 * Returns the API Base URL without a trailing slash and `/v1`, and with `https://` if it's missing. Throws an error
 * that says why for an address that mustn't get the token.
 */
export const parseBaseUrl = (input: unknown): string => {
  const pasted = typeof input === 'string' ? input.trim() : '';
  if (!pasted) throw refuse(`the address is missing. Enter the address of the API, such as ${brand.api}.`);
  if (pasted.length > maxUrlLength) throw notAnAddress();
  const text = pasted.replace(/^[\s"'<]+|[\s"'>]+$/g, '');
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(full) || /^https?:\/?[^/]/i.test(text)) throw notAnAddress();
  const url = new URL(full);
  const host = url.hostname.replace(/\.$/, '');
  // On Zapier, loopback is Lambda's own control port.
  const isLocal = isLoopback(host) && !isOnZapier();
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocal)) {
    throw refuse('the address must start with https:// to keep your token private.');
  }
  if (!isUnambiguous(url.hostname)) throw notAnAddress();
  if (url.username || url.password) throw refuse('remove the user name and password. Enter the token in API Token.');
  if (full.includes('?') || full.includes('#')) throw refuse('remove the ? or # and everything after it.');
  if (!isLocal && !isPublic(host)) {
    throw refuse(
      "this address is in a private network, which Zapier can't reach. Enter the public address of the API.",
    );
  }
  const path = url.pathname.replace(/\/+$/, '');
  const prefix = prefixInUse();
  const hasPrefix = path.toLowerCase().endsWith(prefix);
  const root = hasPrefix ? path.slice(0, path.length - prefix.length) : path;
  return url.origin + root.replace(/\/+$/, '');
};

/** Returns an API token without spaces, invisible characters and pasted prefixes; empty when there is none. */
export const cleanToken = (input: unknown): string => {
  const text = typeof input === 'string' ? input.replace(/\p{Cf}/gu, '').trim() : '';
  return text.replace(/^((authorization|bearer|token)([\s:]+|$)){1,4}/i, '').replace(/\s+/g, '');
};

/** The minimum length of a token. Customers' texts could contain a shorter one, so it couldn't be kept out of results. */
export const minTokenLength = 8;

/** Returns the API token as it's sent. Throws an error when it's missing or invalid. */
export const parseToken = (input: unknown): string => {
  const token = cleanToken(input);
  if (!token) {
    throw reconnect(
      'The API Token is missing. Create an API token in the messaging service, then reconnect this account.',
    );
  }
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw reconnect(
      'The API Token contains invalid characters. Copy it again from the messaging service, then reconnect this account.',
    );
  }
  if (token.length < minTokenLength) {
    throw reconnect(
      'The API Token is too short to be complete. Copy it again from the messaging service, then reconnect this account.',
    );
  }
  return token;
};

/** Returns the account's connection. Throws an error when a field is missing or invalid. */
export const parseConnection = (authData: Record<string, unknown> | undefined): Connection => ({
  baseUrl: parseBaseUrl(brand.sharedApi || authData?.base_url),
  token: parseToken(authData?.api_token),
});

/** The account of each step that runs. All requests of a step have the same `z`. */
const accounts = new WeakMap<object, Readonly<Record<string, unknown>>>();

/** Notes the account of a step, so that its requests can have the fields of the connection. Core calls it before the step. */
export const noteAccount = async <S>(step: S): Promise<S> => {
  const { z, bundle } = fieldsOf(step);
  if (typeof z === 'object' && z !== null) accounts.set(z, fieldsOf(fieldsOf(bundle).authData));
  return step;
};

/** Returns what an account has in the fields of the connection, which the sandbox doesn't need. Throws when a value is missing or invalid. */
export const parseValues = (authData: Readonly<Record<string, unknown>> = {}): ConnectionValues =>
  connectionValues((key, { label, example }) => {
    const text = String(authData[key] ?? (isSandboxed() ? example : '')).trim();
    if (!text) throw reconnect(`The ${label} is missing. Reconnect this account and enter it.`);
    if (/^[\x20-\x7e]{1,255}$/.test(text)) return text;
    throw reconnect(`The ${label} contains characters that it can't have. Copy it again, then reconnect this account.`);
  });

/** Returns what the account of a step has in the fields of the connection. Throws like `parseValues`. */
export const valuesOf = (z: ZObject): ConnectionValues => parseValues(accounts.get(z));

/** Returns the token of the account of a step. Throws like `parseConnection`. */
export const tokenOf = (z: ZObject): string => parseConnection(accounts.get(z)).token;

/** The number of characters by which a token is recognized. A pattern of thousands is too large. */
const maxPatternLength = 200;

/** Matches a character as it is, percent-encoded, or escaped as in JSON. */
const patternOf = (character: string): string => {
  const hex = character.charCodeAt(0).toString(16).padStart(2, '0');
  const anyCase = hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
  return `(?:\\\\?\\x${hex}|%${anyCase}|\\\\u00${anyCase})`;
};

/**
 * Returns a pattern that finds a token in a text in any spelling, and with spaces, line breaks or invisible characters
 * inside it. A token has visible ASCII characters only. Takes linear time.
 */
export const tokenPattern = (token: string): RegExp =>
  new RegExp([...token.slice(-maxPatternLength)].map(patternOf).join('[^!-~]*'));

/**
 * Returns a function that removes a token from a text, in case the service echoes it. A text that hides the token, such
 * as between spaces, becomes `…`, because later cleaning could join the parts.
 */
export const tokenScrubber = (token: string): ((text: string) => string) => {
  // No connection has a shorter one, which would only remove parts of customers' texts.
  if (token.length < minTokenLength) return (text) => text;
  const encoded = encodeURIComponent(token);
  const spellings = [token, encoded, encoded.replace(/%../g, (octet) => octet.toLowerCase())];
  const pattern = tokenPattern(token);
  const shortest = Math.min(token.length, maxPatternLength);
  return (text) => {
    // Most texts, such as the names of fields, are too short to hold it.
    if (text.length < shortest) return text;
    const scrubbed = spellings.reduce((rest, spelling) => rest.replaceAll(spelling, '…'), text);
    return pattern.test(scrubbed) ? '…' : scrubbed;
  };
};

/** Returns a function that removes a token, and each text that authorizes requests by it, from a text. */
export const credentialScrubber = (token: string, connection: ConnectionValues): ((text: string) => string) => {
  const scrubbers = secretsOf(token, connection).map(tokenScrubber);
  return (text) => scrubbers.reduce((rest, scrub) => scrub(rest), text);
};

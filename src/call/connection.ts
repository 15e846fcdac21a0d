/** An account's connection: its address and token, and how the token stays out of results. */
import type { ZObject } from 'zapier-platform-core';
import { secretsOf } from '../api/adapter';
import { type ConnectionValues, connectionValues } from '../api/connection';
import { brand } from '../brand';
import { reconnect } from '../step/errors';
import { accountOf } from '../step/run';
import { parseBaseUrl } from './address';

/** A validated connection: the API's address (no trailing slash, no `/v1`) and the token. */
export interface Connection {
  baseUrl: string;
  token: string;
}

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

/** Returns what an account has in the fields of the connection. Throws when a value is missing or invalid. */
export const parseValues = (authData: Readonly<Record<string, unknown>> = {}): ConnectionValues =>
  connectionValues((key, { label }) => {
    const text = String(authData[key] ?? '').trim();
    if (!text) throw reconnect(`The ${label} is missing. Reconnect this account and enter it.`);
    if (/^[\x20-\x7e]{1,255}$/.test(text)) return text;
    throw reconnect(`The ${label} contains characters that it can't have. Copy it again, then reconnect this account.`);
  });

/** Returns what the account of a step has in the fields of the connection. Throws like `parseValues`. */
export const valuesOf = (z: ZObject): ConnectionValues => parseValues(accountOf(z));

/** Returns the token of the account of a step. Throws like `parseConnection`. */
export const tokenOf = (z: ZObject): string => parseConnection(accountOf(z)).token;

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

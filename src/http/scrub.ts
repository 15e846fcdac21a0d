import { secretsOf } from '../api/adapter';
import type { ConnectionValues } from '../api/connection';
import { minTokenLength } from './connection';

/** Applies `change` to every string in a parsed JSON value, names included. */
export const mapStrings = (value: unknown, change: (text: string) => string): unknown => {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [change(name), mapStrings(item, change)]));
};

/** The number of characters by which a token is recognized. A pattern of thousands is too large. */
const maxPatternLength = 200;

/** Matches a character as it is, percent-encoded, or escaped as in JSON. */
const spellingsOf = (character: string): string => {
  const hex = character.charCodeAt(0).toString(16).padStart(2, '0');
  const anyCase = hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
  return `(?:\\\\?\\x${hex}|%${anyCase}|\\\\u00${anyCase})`;
};

/**
 * Returns a pattern that finds a token in a text in any spelling, and with spaces, line breaks or invisible characters
 * inside it. A token has visible ASCII characters only. Takes linear time.
 */
export const tokenPattern = (token: string): RegExp =>
  new RegExp([...token.slice(-maxPatternLength)].map(spellingsOf).join('[^!-~]*'));

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

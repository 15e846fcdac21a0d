import type { RawHttpResponse } from 'zapier-platform-core';

/** Applies `change` to every string in a parsed JSON value, names included. */
export const mapStrings = (value: unknown, change: (text: string) => string): unknown => {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [change(name), mapStrings(item, change)]));
};

/** Returns a pattern for an ASCII text with up to three spaces or invisible characters after each of its characters. */
const toLoosePattern = (text: string): string =>
  [...text]
    .map((character) =>
      character.replace(/[^a-z\d]/i, (sign) => `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`),
    )
    .join('[\\s\\p{Cf}]{0,3}');

/** Returns a function that removes the token of the request from a text, in case the service echoes it. */
export const tokenScrubber = ({ request }: RawHttpResponse) => {
  const token = request.headers?.Authorization?.replace('Bearer ', '') ?? '';
  if (!token) return (text: string): string => text;
  const spellings = [token, encodeURIComponent(token)].map(toLoosePattern).join('|');
  return (text: string): string => text.replace(new RegExp(spellings, 'gu'), '…');
};

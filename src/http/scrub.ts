import type { RawHttpResponse } from 'zapier-platform-core';

/** Applies `change` to every string in a parsed JSON value, names included. */
export const mapStrings = (value: unknown, change: (text: string) => string): unknown => {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [change(name), mapStrings(item, change)]));
};

/**
 * Returns a function that removes the token of the request from a text, in case the service echoes it. A text that hides
 * the token between spaces or invisible characters becomes `…`, because later cleaning could join the parts.
 */
export const tokenScrubber = ({ request }: RawHttpResponse) => {
  const token = request.headers?.Authorization?.replace('Bearer ', '') ?? '';
  if (!token) return (text: string): string => text;
  const encoded = encodeURIComponent(token);
  const spellings = [token, encoded, encoded.replace(/%../g, (octet) => octet.toLowerCase())];
  return (text: string): string => {
    const scrubbed = spellings.reduce((rest, spelling) => rest.replaceAll(spelling, '…'), text);
    const joined = scrubbed.replace(/[\s\p{Cf}]+/gu, '');
    return spellings.some((spelling) => joined.includes(spelling)) ? '…' : scrubbed;
  };
};

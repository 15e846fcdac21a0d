/**
 * The files of messages, which Zapier downloads only when a later step needs them, and without giving the token to anybody
 * but the API.
 */

import { type LookupAddress, lookup } from 'node:dns';
import * as http from 'node:http';
import * as https from 'node:https';
import type { LookupFunction } from 'node:net';
import { pipeline, Transform } from 'node:stream';
import type { Bundle, ZObject } from 'zapier-platform-core';
import * as zod from 'zod/mini';
import { authorizationOf } from '../api/adapter';
import type { ConnectionValues } from '../api/connection';
import { isPublic, isUnambiguous } from '../call/address';
import { type Connection, parseConnection, parseValues } from '../call/connection';
import { isBelow } from '../call/request';
import { fail, halt } from '../step/errors';
import { toOneLine } from '../text/fold';

/** The largest file, in bytes. Messaging apps allow no larger ones. */
const maxBytes = 100 * 1024 * 1024;

const maxRedirects = 5;

/** The time for the whole download. Zapier ends a step after 30 s. */
const timeoutMs = 25_000;

const fileLabel = 'Attachment File';

type Authorization = ReturnType<typeof authorizationOf>;

const noFile = (reason: string): Error =>
  halt(`${fileLabel}: ${reason} Open the message in the messaging service to see the file.`);

const isPublicAddress = ({ address, family }: LookupAddress): boolean =>
  isPublic(family === 6 ? `[${address}]` : address);

/** Finds the addresses of a host, unless one of them is private: a public name can lead into a private network. */
export const lookUpPublic: LookupFunction = (host, options, done) =>
  lookup(host, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? [];
    if (error || !first) return done(error ?? new Error('no address'), '');
    if (!addresses.every(isPublicAddress)) return done(new Error('a private address'), '');
    return options.all ? done(null, addresses) : done(null, first.address, first.family);
  });

/** Whether an address that isn't the API's may be requested at all. */
const isAllowed = ({ protocol, hostname, username, password }: URL): boolean =>
  protocol === 'https:' && !username && !password && isUnambiguous(hostname) && isPublic(hostname.replace(/\.$/, ''));

/** Returns how to request an address: with the token below the API Base URL only. Throws for one that isn't public. */
const optionsFor = (url: URL, { baseUrl }: Connection, headers: Authorization['headers']): https.RequestOptions => {
  if (isBelow(baseUrl, url)) return { headers };
  // The API's own host may be a developer's machine. Others share it, so they don't get the token.
  if (url.origin === new URL(baseUrl).origin && !url.username && !url.password) return {};
  if (isAllowed(url)) return { lookup: lookUpPublic };
  throw noFile("its link doesn't lead to a public address with https, so nothing was downloaded.");
};

/** Adds the credentials to the query of an address below the API Base URL. */
const withQuery = (url: URL, { baseUrl }: Connection, query: Authorization['query'] = {}): URL => {
  const own = new URL(url);
  if (isBelow(baseUrl, url)) for (const [name, value] of Object.entries(query)) own.searchParams.set(name, value);
  return own;
};

const get = (url: URL, options: https.RequestOptions, signal: AbortSignal): Promise<http.IncomingMessage> =>
  new Promise((resolve, reject) => {
    const { get: send } = url.protocol === 'https:' ? https : http;
    send(url, { ...options, signal }, resolve).on('error', reject);
  });

const unreachable = (): Error =>
  fail(`${fileLabel}: the file couldn't be downloaded, because its address doesn't respond. Try again.`, 'no_file');

const isBroken = (status: number): boolean => [401, 403, 404, 410].includes(status);

const tooLarge = (): Error => noFile('the file is larger than 100 MB.');

const limitSize = (): Transform => {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      done(bytes > maxBytes ? tooLarge() : null, chunk);
    },
  });
};

interface Download {
  content: NodeJS.ReadableStream;
  /** Such as `image/jpeg`. */
  type: string | undefined;
}

const read = (response: http.IncomingMessage): Download => {
  const { statusCode: status = 0, headers } = response;
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  response.on('error', () => undefined);
  if (status === 200 && type !== 'text/html' && !(Number(headers['content-length']) > maxBytes)) {
    return { content: pipeline(response, limitSize(), () => undefined), type };
  }
  response.destroy();
  if (status === 200) throw type === 'text/html' ? noFile('its link leads to a web page.') : tooLarge();
  if (isBroken(status)) throw noFile('its link no longer works.');
  throw unreachable();
};

/**
 * Downloads a file. Follows a few redirects, each to an address that is checked like the first. Throws when a link is
 * gone, isn't public, or leads to a web page, such as one to log in.
 */
export const download = async (link: string, connection: Connection, values: ConnectionValues): Promise<Download> => {
  const signal = AbortSignal.timeout(timeoutMs);
  const { headers, query } = authorizationOf(connection.token, values);
  let url = URL.parse(link);
  for (let redirects = 0; url && redirects <= maxRedirects; redirects += 1) {
    const response = await get(withQuery(url, connection, query), optionsFor(url, connection, headers), signal).catch(
      (error: unknown) => {
        throw error instanceof Error && 'doNotContextify' in error ? error : unreachable();
      },
    );
    const { location } = response.headers;
    if (!location || ![301, 302, 303, 307, 308].includes(response.statusCode ?? 0)) return read(response);
    response.destroy();
    url = URL.parse(location, url.href);
  }
  throw noFile("its link doesn't lead to a file.");
};

const wanted = zod.object({ url: zod.string(), name: zod.optional(zod.string()) });

/** The number of characters of a file's name that Zapier keeps, also when each takes twelve in an address. */
const maxName = 80;

/** Downloads the file of an attachment to Zapier. Returns its address there. */
const attachmentFile = async (z: ZObject, { inputData, authData }: Bundle): Promise<string> => {
  const { url, name } = wanted.parse(inputData);
  const { content, type } = await download(url, parseConnection(authData), parseValues(authData));
  return z.stashFile(content, undefined, name ?? 'attachment', type);
};

/** What Zapier calls for a file that a later step needs. */
export const hydrators = { attachmentFile };

/** The longest link that fits into what Zapier keeps of a file. */
const maxLink = 4_000;

const linked = zod.looseObject({ url: zod.string().check(zod.minLength(1), zod.maxLength(maxLink)) });

/** Returns the name of a file without what a file can't be called, such as slashes. */
const fileName = (name: unknown): string | undefined =>
  typeof name === 'string'
    ? toOneLine(name.replace(/[\\/\p{Cc}\p{Cf}]/gu, ' ')).slice(0, maxName) || undefined
    : undefined;

const withFile = (z: ZObject, attachment: unknown): unknown => {
  const { data } = linked.safeParse(attachment);
  if (!data) return attachment;
  return { ...data, file: z.dehydrateFile(attachmentFile, { url: data.url, name: fileName(data.name) }) };
};

/** Returns a message with each attachment's file beside its link. */
export const withFiles = <R extends object>(z: ZObject, message: R): R => {
  const attachments: unknown = Reflect.get(message, 'attachments');
  return Array.isArray(attachments)
    ? { ...message, attachments: attachments.map((each) => withFile(z, each)) }
    : message;
};

/** The files of messages, which Zapier downloads only when a later step needs them. */

import type { Bundle, ZObject } from 'zapier-platform-core';
import * as zod from 'zod/mini';
import { parseConnection, parseValues } from '../call/connection';
import { toOneLine } from '../text/fold';
import { download } from './download';

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

/** The `.env` file that the sandbox keeps while it runs. What anyone else writes there is never overwritten or removed. */
import { createHash, randomUUID } from 'node:crypto';
import { linkSync, lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { formatEnv, project } from './environment';
import { errorMessage, UsageError } from './errors';

/** Puts a line with the hash of the text above it. The hash no longer fits when anyone changes the file. */
const seal = (text: string): string => {
  const hash = createHash('sha256').update(text).digest('hex');
  return `# Written by npm run sandbox, which leaves this file alone once you change it (${hash})\n${text}`;
};

const format = (url: string, token: string): string => seal(`${formatEnv(url, token)}\n`);

/** Whether a sandbox wrote exactly this text. It may have been killed since. */
const isSealed = (text: string): boolean => text === seal(text.slice(text.indexOf('\n') + 1));

const failure = z.object({ code: z.string() });
const hasCode = (error: unknown, code: string): boolean => failure.safeParse(error).data?.code === code;

/** Another sandbox may remove the file at any moment. */
const unlessMissing = <T>(work: () => T): T | undefined => {
  try {
    return work();
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
};

/** More than a sandbox writes. */
const maxBytes = 10_000;

/** Whether the path is a file with an expected text. A link is somebody's own. */
const isFileWith = (path: string, isExpected: (text: string) => boolean): boolean =>
  unlessMissing(() => {
    const entry = lstatSync(path);
    return entry.isFile() && entry.size < maxBytes && isExpected(readFileSync(path, 'utf8'));
  }) ?? false;

/** Moves a file back, unless there is another one by now. */
const moveBack = (moved: string, file: string): void => {
  try {
    linkSync(moved, file);
  } catch {
    throw new UsageError(
      `${file} was changed at the same moment as the sandbox removed it. The changed file is ${moved}.`,
    );
  }
};

/** Removes the file if it has an expected text. Moves it first, so that a change at the same moment shows. */
const removeIf = (file: string, isExpected: (text: string) => boolean): void => {
  if (!isFileWith(file, isExpected)) return;
  const moved = `${file}-${randomUUID()}`;
  unlessMissing(() => {
    renameSync(file, moved);
    if (!isFileWith(moved, isExpected)) moveBack(moved, file);
    rmSync(moved);
  });
};

/** Saves `.env`. Replaces one of another sandbox. Throws `UsageError` when there is any other. */
export const saveEnv = (url: string, token: string, folder = project): void => {
  const file = join(folder, '.env');
  removeIf(file, isSealed);
  try {
    writeFileSync(file, format(url, token), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
    throw new UsageError(
      `${file} stays as it is, because you wrote or changed it. Rename it or leave out --env, then try again.`,
    );
  }
};

/**
 * Removes the `.env` that `saveEnv` saved with these values. Returns a sentence when it stays, because it was changed or
 * can't be removed. Keeps the one of another sandbox without a word.
 */
export const removeEnv = (url: string, token: string, folder = project): string | undefined => {
  const file = join(folder, '.env');
  try {
    removeIf(file, (text) => text === format(url, token));
  } catch (error) {
    return `${file} wasn't removed. ${errorMessage(error)}`;
  }
  const isOther = unlessMissing(() => lstatSync(file)) !== undefined && !isFileWith(file, isSealed);
  return isOther
    ? `${file} stays, because you wrote or changed it. If it has the address or token of this sandbox, remove those lines.`
    : undefined;
};

/** The `.env` file that the sandbox keeps while it runs. What anyone else writes there is never overwritten or removed. */
import { lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { formatEnv, project } from './environment';
import { errorMessage, UsageError } from './errors';

const isTaken = (error: unknown): boolean => z.object({ code: z.literal('EEXIST') }).safeParse(error).success;

/** Whether the path is a file with this text. A link or a pipe is somebody's own. */
const hasText = (file: string, text: string): boolean =>
  lstatSync(file, { throwIfNoEntry: false })?.isFile() === true && readFileSync(file, 'utf8') === text;

/** Saves `.env`. Throws `UsageError` when there is another one. One with the same text is of a sandbox that was killed. */
export const saveEnv = (url: string, token: string, folder = project): void => {
  const [file, text] = [join(folder, '.env'), `${formatEnv(url, token)}\n`];
  try {
    writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (!isTaken(error)) throw error;
    if (hasText(file, text)) return;
    throw new UsageError(`${file} already exists, so it stays as it is. Rename or delete it, or leave out --env.`);
  }
};

/** Removes the `.env` that `saveEnv` saved with these values. Returns a sentence when it stays. */
export const removeEnv = (url: string, token: string, folder = project): string | undefined => {
  const file = join(folder, '.env');
  try {
    if (hasText(file, `${formatEnv(url, token)}\n`)) rmSync(file);
    else if (lstatSync(file, { throwIfNoEntry: false }))
      return `${file} stays, because you changed it. If it has the address or token of this sandbox, remove those lines.`;
  } catch (error) {
    return `${file} wasn't removed. ${errorMessage(error)}`;
  }
  return undefined;
};

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { UsageError } from './errors';

const project = resolve(__dirname, '../..');

/** The service that commands connect to: `BASE_URL` and `API_TOKEN`. */
export type Environment = Record<string, string | undefined>;

/** Returns the environment, with `.env` for what it doesn't set. An empty variable hides the one in `.env`. */
export const readEnvironment = (folder = project): Environment => {
  const file = join(folder, '.env');
  return { ...(existsSync(file) && parseEnv(readFileSync(file, 'utf8'))), ...process.env };
};

const marker = '# Written by npm run sandbox';

/** Returns the text of a `.env` file. `zapier-platform invoke` requires other names for the same values. */
export const formatEnv = (baseUrl: string, token: string): string =>
  [
    `BASE_URL=${baseUrl}`,
    `API_TOKEN=${token}`,
    '# The same values for zapier-platform invoke',
    `authData_base_url=${baseUrl}`,
    `authData_api_token=${token}`,
  ].join('\n');

const formatFile = (baseUrl: string, token: string): string => `${marker}\n${formatEnv(baseUrl, token)}\n`;

/** Saves `.env`. Throws `UsageError` when a person has written that file. */
export const saveEnv = (baseUrl: string, token: string, folder = project): void => {
  const file = join(folder, '.env');
  if (existsSync(file) && !readFileSync(file, 'utf8').startsWith(marker)) {
    throw new UsageError(`${file} exists, and the sandbox didn't write it. Rename or remove it, then try again.`);
  }
  writeFileSync(file, formatFile(baseUrl, token), { mode: 0o600 });
};

/** Removes the `.env` that `saveEnv` saved with these values. Keeps any other. */
export const removeEnv = (baseUrl: string, token: string, folder = project): void => {
  const file = join(folder, '.env');
  if (existsSync(file) && readFileSync(file, 'utf8') === formatFile(baseUrl, token)) rmSync(file);
};

import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { connectionEntries } from '../../src/api/connection';

/** The folder of the project. */
export const project = resolve(__dirname, '../..');

/** The service that commands connect to: `BASE_URL` and `API_TOKEN`. */
export type Environment = Record<string, string | undefined>;

/** Returns the environment, with `.env` for what it doesn't set. An empty variable hides the one in `.env`. */
export const readEnvironment = (folder = project): Environment => {
  const file = join(folder, '.env');
  return { ...(existsSync(file) && parseEnv(readFileSync(file, 'utf8'))), ...process.env };
};

/** Returns where a command gets a variable from, in words: the environment, or `.env`. */
export const sourceOf = (name: string): string => (process.env[name] ? 'the environment' : '.env');

/** Returns the lines of a `.env` file. `zapier-platform invoke` requires other names for the same values. */
export const formatEnv = (baseUrl: string, token: string): string =>
  [
    `BASE_URL=${baseUrl}`,
    `API_TOKEN=${token}`,
    ...connectionEntries.map(([key, { example }]) => `${key.toUpperCase()}=${example}`),
    '# The same values for zapier-platform invoke',
    `authData_base_url=${baseUrl}`,
    `authData_api_token=${token}`,
    ...connectionEntries.map(([key, { example }]) => `authData_${key}=${example}`),
  ].join('\n');

import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { idempotencyKeyLength } from '../../../src/api/endpoints';
import type { EndpointName } from '../../../src/api/transport';
import { day } from '../../zapier/clock';
import type { Caller } from '../domain/workspaces';
import { ApiError, validationError } from '../engine/api-error';
import type { SandboxContext } from '../store/context';
import type { Database } from '../store/database';

const keyLifetimeMs = day;

/** An idempotency key of a workspace for one endpoint, and the request that it belongs to. */
interface KeyedRequest {
  caller: Caller;
  name: EndpointName;
  key: string;
  request: unknown;
}

const primaryKey = ({ caller, name, key }: KeyedRequest) => [caller.workspaceId, name, key] as const;
const hasPrimaryKey = 'workspace = ? AND endpoint = ? AND key = ?';

const row = z.object({ request: z.string(), response: z.nullable(z.string()) });

/** Claims the key, or returns the response that is stored for it. */
const claimKey = ({ database, clock }: SandboxContext, keyed: KeyedRequest): string | undefined => {
  const request = JSON.stringify(keyed.request);
  database.run('DELETE FROM idempotency_keys WHERE expires_at <= ?', clock.now());
  const sql = `SELECT request, response FROM idempotency_keys WHERE ${hasPrimaryKey}`;
  const known = database.first(row, sql, ...primaryKey(keyed));
  if (!known) {
    const insert = 'INSERT INTO idempotency_keys (workspace, endpoint, key, request, expires_at)';
    database.run(`${insert} VALUES (?, ?, ?, ?, ?)`, ...primaryKey(keyed), request, clock.now() + keyLifetimeMs);
    return undefined;
  }
  if (!isDeepStrictEqual(JSON.parse(known.request), JSON.parse(request))) {
    throw new ApiError('idempotency_mismatch', 'This Idempotency-Key was used for another request.');
  }
  if (known.response === null) {
    throw new ApiError('idempotency_in_flight', 'The first request with this Idempotency-Key is still running.');
  }
  return known.response;
};

/** The response that is kept for the key, if there is one. Throws as a repeat would. Claims nothing. */
export const readKept = ({ database, clock }: SandboxContext, keyed: KeyedRequest): string | undefined => {
  const sql = `SELECT request, response FROM idempotency_keys WHERE ${hasPrimaryKey} AND expires_at > ?`;
  const known = database.first(row, sql, ...primaryKey(keyed), clock.now());
  if (known && !isDeepStrictEqual(JSON.parse(known.request), JSON.parse(JSON.stringify(keyed.request)))) {
    throw new ApiError('idempotency_mismatch', 'This Idempotency-Key was used for another request.');
  }
  return known?.response ?? undefined;
};

/**
 * Does the work once for each key and returns the first response to every repeat. Throws a 409 while the first request
 * runs, and a 422 when the key belongs to another request. A refused request did nothing, so its key becomes free again.
 */
export const runIdempotently = async (
  context: SandboxContext,
  keyed: KeyedRequest,
  ready: () => Promise<void>,
  work: () => string,
): Promise<{ response: string; replayed: boolean }> => {
  const { database } = context;
  const { min, max } = idempotencyKeyLength;
  if (keyed.key.length < min || keyed.key.length > max) {
    throw validationError([{ field: 'Idempotency-Key', message: `must have ${min} to ${max} characters` }]);
  }
  const known = database.transaction(() => claimKey(context, keyed));
  if (known !== undefined) return { response: known, replayed: true };
  try {
    await ready();
    const response = database.transaction(() => {
      const result = work();
      database.run(`UPDATE idempotency_keys SET response = ? WHERE ${hasPrimaryKey}`, result, ...primaryKey(keyed));
      return result;
    });
    return { response, replayed: false };
  } catch (error) {
    database.run(`DELETE FROM idempotency_keys WHERE ${hasPrimaryKey}`, ...primaryKey(keyed));
    throw error;
  }
};

/** Frees the keys of requests that were running when the process ended. Their work was rolled back. */
export const releaseKeys = (database: Database): void => {
  database.run('DELETE FROM idempotency_keys WHERE response IS NULL');
};

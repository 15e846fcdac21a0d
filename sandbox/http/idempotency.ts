import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { EndpointName } from '../../src/api/endpoints';
import type { Caller } from '../domain/workspaces';
import type { Service } from '../engine/context';
import { Refusal, refuseFields } from '../refusal';
import type { Database } from '../store/database';

const kept = 24 * 60 * 60 * 1000;

/** One key of a workspace for one endpoint, and the request that it stands for. */
interface Claim {
  caller: Caller;
  name: EndpointName;
  key: string;
  request: unknown;
}

const sorted = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, sorted(inner)]));
};

/** The same for the same request, in whatever order its body has the fields. */
const fingerprint = (request: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(sorted(request)))
    .digest('hex');

const place = ({ caller, name, key }: Claim) => [caller.workspaceId, name, key] as const;
const here = 'workspace_id = ? AND endpoint = ? AND key = ?';

const row = z.object({ fingerprint: z.string(), answer: z.nullable(z.string()) });

/** Claims the key, or gives the answer that is kept for it. */
const claimKey = ({ database, clock }: Service, claim: Claim): string | undefined => {
  const expected = fingerprint(claim.request);
  database.run('DELETE FROM idempotency_keys WHERE expires_at <= ?', clock.now());
  const sql = `SELECT fingerprint, answer FROM idempotency_keys WHERE ${here}`;
  const known = database.first(row, sql, ...place(claim));
  if (!known) {
    const insert = 'INSERT INTO idempotency_keys (workspace_id, endpoint, key, fingerprint, expires_at)';
    database.run(`${insert} VALUES (?, ?, ?, ?, ?)`, ...place(claim), expected, clock.now() + kept);
    return undefined;
  }
  if (known.fingerprint !== expected) {
    throw new Refusal('idempotency_mismatch', 'This Idempotency-Key was used for another request.');
  }
  if (known.answer === null) {
    throw new Refusal('idempotency_in_flight', 'The first request with this Idempotency-Key is still running.');
  }
  return known.answer;
};

/**
 * Does the work once for each key and gives every repeat the first answer (contract §1): the key is claimed before
 * anything is done, and the answer is kept in the transaction that does the work. 409 while the first request runs,
 * 422 when the key stands for another request. A refusal did nothing, so it gives the key back.
 */
export const once = async (
  service: Service,
  claim: Claim,
  ready: () => Promise<void>,
  work: () => string,
): Promise<{ answer: string; replayed: boolean }> => {
  const { database } = service;
  if (claim.key === '' || claim.key.length > 255) {
    throw refuseFields([{ field: 'Idempotency-Key', message: 'must have 1 to 255 characters' }]);
  }
  const known = database.transaction(() => claimKey(service, claim));
  if (known !== undefined) return { answer: known, replayed: true };
  try {
    await ready();
    const answer = database.transaction(() => {
      const result = work();
      database.run(`UPDATE idempotency_keys SET answer = ? WHERE ${here}`, result, ...place(claim));
      return result;
    });
    return { answer, replayed: false };
  } catch (error) {
    database.run(`DELETE FROM idempotency_keys WHERE ${here}`, ...place(claim));
    throw error;
  }
};

/** Gives back the keys of requests that were running when the process ended: what they did was rolled back. */
export const releaseKeys = (database: Database): void => {
  database.run('DELETE FROM idempotency_keys WHERE answer IS NULL');
};

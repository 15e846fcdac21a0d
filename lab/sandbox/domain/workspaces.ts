import * as z from 'zod/mini';
import { capitalize } from '../../../src/api/labels';
import { type Plan, type Scope, vocabulary } from '../../../src/api/resources';
import { ApiError, validationError } from '../engine/api-error';
import type { SandboxContext, WorkspaceContext } from '../store/context';
import type { Database } from '../store/database';

/** The token of a call with its workspace, plan and scopes. */
export interface Caller {
  token: string;
  workspaceId: string;
  workspaceName: string;
  plan: Plan;
  scopes: Scope[];
}

const plan = z.enum(vocabulary.plan);
const scopeList = z.array(z.enum(vocabulary.scope));

const callerRow = z.object({ workspace: z.string(), name: z.string(), plan, scopes: z.string() });

/** Returns the caller that an `Authorization` header identifies. Throws a 401 when there is none. */
export const authenticate = (database: Database, authorization: string | undefined): Caller => {
  const token = authorization?.match(/^bearer +(\S+)$/i)?.[1];
  const found =
    token &&
    database.first(
      callerRow,
      `SELECT tokens.workspace, document ->> 'name' AS name, document ->> 'plan' AS plan, scopes
        FROM tokens JOIN records ON kind = 'workspace' AND records.id = tokens.workspace WHERE token = ?`,
      token,
    );
  if (!found) throw new ApiError('invalid_token', 'The API token is missing, wrong or no longer valid.');
  const scopes = scopeList.parse(JSON.parse(found.scopes));
  return { token, workspaceId: found.workspace, workspaceName: found.name, plan: found.plan, scopes };
};

/** Throws a 403 when the workspace's plan is below `needed`. */
export const requirePlan = (caller: Caller, needed: Plan): void => {
  if (vocabulary.plan.indexOf(caller.plan) >= vocabulary.plan.indexOf(needed)) return;
  throw new ApiError('plan_required', `This needs the ${capitalize(needed)} plan or above.`, { required_plan: needed });
};

/** Throws a 403 when the token doesn't have the scope. */
export const requireScope = (caller: Caller, needed: Scope): void => {
  if (caller.scopes.includes(needed)) return;
  throw new ApiError('insufficient_scope', `The token needs the scope ${needed}.`, { required_scope: needed });
};

/** Creates a token for the workspace, with all scopes by default. Returns the token. */
export const createToken = (
  { database, random, workspaceId }: WorkspaceContext,
  scopes: readonly Scope[] = vocabulary.scope,
): string => {
  const token = random.token();
  database.insert('tokens', { token, workspace: workspaceId, scopes: JSON.stringify(scopes) });
  return token;
};

/** Replaces the token and returns the new one. Throws a 422 when there is no such token. */
export const rotateToken = ({ database, random }: SandboxContext, old: string): string => {
  const token = random.token();
  const changed = database.run('UPDATE tokens SET token = ? WHERE token = ?', token, old);
  if (changed === 0) throw validationError([{ field: 'token', message: 'is not a token of this sandbox' }]);
  return token;
};

/** Returns the id of the first workspace on the plan. */
export const workspaceOnPlan = (database: Database, wanted: Plan): string => {
  const sql = "SELECT id FROM records WHERE kind = 'workspace' AND document ->> 'plan' = ? ORDER BY seq";
  const id = database.text(sql, wanted);
  if (!id) throw validationError([{ field: 'plan', message: 'has no workspace in this sandbox' }]);
  return id;
};

/** Returns the workspace's first token, which has all scopes. */
export const firstToken = (database: Database, workspaceId: string): string =>
  z.string().parse(database.text('SELECT token FROM tokens WHERE workspace = ? ORDER BY seq', workspaceId));

import * as z from 'zod/mini';
import { headers } from '../../src/api/endpoints';
import { type ErrorCode, errorAnswer, errorCodes, parseRefusal } from '../../src/api/errors';
import { fromWire } from '../../src/api/wire';
import { Differs, NotChecked, requireNone } from '../checks/check';
import type { Answer } from '../service';
import { compare } from './shape';

/** How many of the fields that the contract does not know are told. */
const mostShown = 5;

/** Throws when the service did not do what it was asked: `NotChecked` when this token or plan may not. */
export const requireSuccess = ({ status, body, endpoint }: Answer): void => {
  if (status >= 200 && status < 300) return;
  const { code, message, requiredScope = endpoint.scope, requiredPlan } = parseRefusal(status, body);
  if (code === 'insufficient_scope') throw new NotChecked(`the token does not have the scope ${requiredScope}`);
  if (code === 'plan_required') throw new NotChecked(`the workspace needs the plan ${requiredPlan}`);
  throw new Differs(`answers ${status} and not ${endpoint.status}${message ? `: ${message}` : ''}`);
};

/** Compares an answer with the contract and says what was seen; throws when it differs. */
export const requireShape = (answer: Answer): string => {
  requireSuccess(answer);
  if (answer.endpoint.status === 204) return `${answer.status}`;
  const { differences, unknown } = compare(answer.endpoint.answer, answer.body);
  requireNone([...differences]);
  const more = [...unknown].slice(0, mostShown).join(', ');
  return more ? `${answer.status}, with fields besides such as ${more}` : `${answer.status}`;
};

/** Throws unless the service refuses with this code, in the agreed shape. */
export const requireRefusal = ({ status, body }: Answer, code: ErrorCode): string => {
  const wanted = errorCodes[code].status;
  if (status !== wanted) throw new Differs(`answers ${status} and not ${wanted}`);
  requireNone([...compare(errorAnswer(), body).differences]);
  const told = parseRefusal(status, body).code;
  if (told !== code) throw new Differs(`the error code is "${told}" and not "${code}"`);
  return `${status} ${code}`;
};

const anyRecord = z.record(z.string(), z.unknown());
const anyPage = z.object({ data: z.array(anyRecord), next_cursor: z.optional(z.nullable(z.string())) });

/** Records in our names, as they came otherwise, and the cursor of the next page. */
export interface AnyPage {
  records: Record<string, unknown>[];
  cursor: string | null;
}

/** Reads a list answer, whatever its records are like; throws when it is no list answer. */
export const readPage = (answer: Answer): AnyPage => {
  requireSuccess(answer);
  const page = anyPage.safeParse(fromWire(answer.endpoint.answer, answer.body)).data;
  if (!page) throw new Differs('the answer is not a list of records and a cursor');
  return { records: page.data, cursor: page.next_cursor ?? null };
};

/** Reads a single thing in our names, whatever its fields are like. */
export const readRecord = (answer: Answer): Record<string, unknown> => {
  requireSuccess(answer);
  const record = anyRecord.safeParse(fromWire(answer.endpoint.answer, answer.body)).data;
  if (!record) throw new Differs('the answer is not an object');
  return record;
};

/** What tells a record from others of its kind. */
export const idOf = ({ id, name, key }: Record<string, unknown>): string => String(id ?? name ?? key);

/** The id of what a call has made, for the checks that go on with it. Throws `NotChecked` when nothing was made. */
export const requireMade = (answer: Answer): string => {
  const record = anyRecord.safeParse(fromWire(answer.endpoint.answer, answer.body)).data;
  if (answer.status < 300 && record && 'id' in record) return idOf(record);
  throw new NotChecked('there is nothing to go on with');
};

/** Throws unless the record has what was sent. */
export const requireSame = (sent: object, record: Record<string, unknown>): void => {
  const other = Object.entries(sent).filter(([key, value]) => JSON.stringify(record[key]) !== JSON.stringify(value));
  requireNone(other.map(([key]) => `\`${key}\` is not what was sent`));
};

/** Throws unless the answer is the first answer again, which made the record with this id. */
export const requireReplay = (answer: Answer, id: string): string => {
  if (idOf(readRecord(answer)) !== id) throw new Differs('a repeat with the same key does it again');
  const replayed = answer.headers.get(headers.idempotentReplayed);
  if (replayed === 'true') return 'the first answer again';
  throw new Differs(`\`${headers.idempotentReplayed}\` is ${replayed ?? 'missing'} on a repeat`);
};

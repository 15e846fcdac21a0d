import type * as z from 'zod/mini';
import { type ErrorCode, errorCodes } from '../src/api/errors';

/** An invalid field and why it's invalid. */
export interface Problem {
  field: string;
  message: string;
}

interface RefusalDetails {
  status?: number;
  field?: string;
  details?: Problem[];
  required_scope?: string;
  required_plan?: string;
  existing_id?: string;
  /** Seconds until the caller may retry. */
  retryAfter?: number;
}

/** An error response of the API. Any part of a request may throw it. */
export class Refusal extends Error {
  readonly status: number;
  readonly retryAfter: number | undefined;
  readonly error: object;

  /** Uses the status that the API defines for the code unless `status` is given. */
  constructor(code: ErrorCode, message: string, { status, retryAfter, ...shown }: RefusalDetails = {}) {
    super(message);
    this.status = status ?? errorCodes[code].status;
    this.retryAfter = retryAfter;
    this.error = { code, message, ...shown };
  }
}

/** A 422 that names every invalid field. Its `field` is the first of them. */
export const refuseFields = (problems: readonly Problem[], code: ErrorCode = 'validation_failed'): Refusal => {
  const [first] = problems;
  const message = problems.map((problem) => `${problem.field}: ${problem.message}`).join('; ');
  return new Refusal(code, message, { ...(first && { field: first.field }), details: [...problems] });
};

const issueMessage = (issue: z.core.$ZodIssue): string => {
  if (issue.code === 'invalid_type') return `must be ${issue.expected}`;
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`;
  return 'is not accepted';
};

const problemsOf = (issue: z.core.$ZodIssue): Problem[] => {
  if (issue.code !== 'unrecognized_keys')
    return [{ field: issue.path.join('.') || 'body', message: issueMessage(issue) }];
  return issue.keys.map((key) => ({ field: [...issue.path, key].join('.'), message: 'is not a field of this call' }));
};

/** Parses a value that a caller sent. Throws a 422 that names the invalid fields. */
export const decode = <S extends z.ZodMiniType>(schema: S, value: unknown): z.output<S> => {
  const { success, data, error } = schema.safeParse(value);
  if (!success) throw refuseFields(error.issues.flatMap(problemsOf));
  return data;
};

/** Parses JSON that a caller sent. Throws a 400 for anything else. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal('malformed_request', 'The body is not valid JSON.');
  }
};

/** Parses a JSON body. Throws a 400 when it isn't JSON, and a 422 that names the invalid fields. */
export const decodeJson = <S extends z.ZodMiniType>(schema: S, text: string): z.output<S> =>
  decode(schema, parseJson(text));

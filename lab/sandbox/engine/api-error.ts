import type * as z from 'zod/mini';
import { type ErrorCode, errorCodes } from '../../../src/api/errors';

/** An invalid field and why it's invalid. */
export interface FieldProblem {
  field: string;
  message: string;
}

interface ErrorDetails {
  status?: number;
  field?: string;
  details?: FieldProblem[];
  required_scope?: string;
  required_plan?: string;
  existing_id?: string;
  /** Seconds until the caller may retry. */
  retryAfter?: number;
}

/** An error response of the API. Any code that handles a request may throw it. */
export class ApiError extends Error {
  readonly status: number;
  readonly retryAfter: number | undefined;
  readonly error: object;

  /** Uses the status that the API defines for the code unless `status` is given. */
  constructor(code: ErrorCode, message: string, { status, retryAfter, ...shown }: ErrorDetails = {}) {
    super(message);
    this.status = status ?? errorCodes[code].status;
    this.retryAfter = retryAfter;
    this.error = { code, message, ...shown };
  }
}

/** Returns a 422 that names every invalid field. Its `field` is the first of them. */
export const validationError = (problems: readonly FieldProblem[], code: ErrorCode = 'validation_failed'): ApiError => {
  const [first] = problems;
  const message = problems.map((problem) => `${problem.field}: ${problem.message}`).join('; ');
  return new ApiError(code, message, { ...(first && { field: first.field }), details: [...problems] });
};

/** Throws a 422 that names the invalid fields, if there are any. */
export const requireNone = (problems: readonly FieldProblem[], code?: ErrorCode): void => {
  if (problems.length > 0) throw validationError(problems, code);
};

const issueMessage = (issue: z.core.$ZodIssue): string => {
  if (issue.code === 'invalid_type') return `must be ${issue.expected}`;
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`;
  return 'is not accepted';
};

const problemsOf = (issue: z.core.$ZodIssue): FieldProblem[] => {
  if (issue.code !== 'unrecognized_keys')
    return [{ field: issue.path.join('.') || 'body', message: issueMessage(issue) }];
  return issue.keys.map((key) => ({ field: [...issue.path, key].join('.'), message: 'is not a field of this call' }));
};

/** Parses a value that a caller sent. Throws a 422 that names the invalid fields. */
export const validate = <S extends z.ZodMiniType>(schema: S, value: unknown): z.output<S> => {
  const { success, data, error } = schema.safeParse(value);
  if (!success) throw validationError(error.issues.flatMap(problemsOf));
  return data;
};

/** Parses a JSON body. Throws a 400 when it isn't JSON. */
export const parseBody = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError('malformed_request', 'The body is not valid JSON.');
  }
};

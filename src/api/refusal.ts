import type { Refusal } from './errors';
import { asRecord } from './json';

// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
const unprintable = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/g;

/** HTML, or JSON of any kind. */
const markup = /<[a-z!/]|[{}]|\[\s*(["'[\d\]-]|true|false|null)/i;
/** A template variable, which may appear in a message. */
const placeholder = /\{\{\s*[\w.-]+\s*\}\}/g;
/** A line of a stack trace in JavaScript, Java, Python or PHP. */
const stackTrace = /\bat \S+:\d+:\d+|\bat [^\s(]+ ?\([^)]*:\d+\)|Traceback|Stack trace:|File ".+", line \d+/i;

/** The number of characters that are inspected. A message never shows more. */
const maxInspected = 1_000;

/** Returns a text as one line; undefined when it's HTML, JSON, a stack trace or empty. */
export const sanitize = (value: unknown): string | undefined => {
  if (typeof value !== 'string') return undefined;
  const start = value.slice(0, maxInspected);
  if (markup.test(start.replace(placeholder, '')) || stackTrace.test(start)) return undefined;
  return start.replace(unprintable, ' ').replace(/\s+/g, ' ').trim().slice(0, 160) || undefined;
};

/** Reads `variables.to` from `to`, or from a JSON pointer such as `#/body/to`. */
const readField = (value: unknown): string | undefined =>
  sanitize(value)
    ?.replace(/^#?\//, '')
    .replaceAll('/', '.')
    .replace(/^body\./, '') || undefined;

const firstPlain = (...values: unknown[]): string | undefined => values.map(sanitize).find(Boolean);

/** The maximum number of problems to read. A message has room for fewer. */
const maxProblems = 10;

const readProblems = (value: unknown): Refusal['problems'] => {
  const items = Array.isArray(value) ? value.slice(0, maxProblems).map(asRecord) : [];
  return items.map(({ field, pointer, message, detail }) => ({
    field: readField(field ?? pointer),
    message: firstPlain(message, detail),
  }));
};

/**
 * Reads why the service refused, in one of three formats: the documented one (docs/api.md), `{message}`, or problem details
 * (RFC 9457). Any other is a refusal without a reason. `body` is parsed JSON, or the text as it came. Never throws.
 */
export const parseRefusal = (status: number, body: unknown, requestId?: string): Refusal => {
  const outer = asRecord(body);
  const error = asRecord(outer.error);
  const message = firstPlain(error.message, outer.message, outer.detail, outer.title);
  const problems = readProblems(error.details ?? outer.errors);
  return {
    status,
    code: sanitize(typeof error.code === 'number' ? String(error.code) : error.code),
    message,
    problems: problems.length === 0 && error.field ? [{ field: readField(error.field), message }] : problems,
    requiredScope: sanitize(error.required_scope),
    requiredPlan: sanitize(error.required_plan),
    existingId: sanitize(typeof error.existing_id === 'number' ? String(error.existing_id) : error.existing_id),
    requestId: sanitize(outer.request_id) ?? requestId,
  };
};

import type { Refusal } from './errors';
import { fieldsOf } from './object';

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

/** Reads `variables.to` from `to`, `/body/to` (JSON pointer) or `['body', 'to']`. */
const readField = (value: unknown): string | undefined => {
  const steps = Array.isArray(value) ? value.filter((step) => /^(string|number)$/.test(typeof step)) : [value];
  const path = sanitize(steps.join('.'))?.replace(/^#?\//, '').replaceAll('/', '.');
  return path?.replace(/^(body|data)\.(attributes\.)?/, '') || undefined;
};

const firstPlain = (...values: unknown[]): string | undefined => values.map(sanitize).find(Boolean);

const readProblem = (value: unknown): Refusal['problems'][number] => {
  const item = fieldsOf(value);
  return {
    field: readField(
      item.field ?? item.param ?? item.loc ?? item.pointer ?? fieldsOf(item.source).pointer ?? item.name,
    ),
    message: firstPlain(value, item.message, item.detail, item.msg, item.reason, item.title),
  };
};

/** The maximum number of problems to read. A message has room for fewer. */
const maxProblems = 10;

/** Problems come as a list, or as an object of field names with one message or several each. */
const readProblems = (value: unknown): Refusal['problems'] => {
  if (Array.isArray(value)) return value.slice(0, maxProblems).map(readProblem);
  const entries = Object.entries(fieldsOf(value)).slice(0, maxProblems);
  return entries.map(([field, messages]) => ({
    field: readField(field),
    message: sanitize(Array.isArray(messages) ? messages[0] : messages),
  }));
};

/**
 * Reads why the service refused, in the documented format (docs/api.md) or any other: RFC 9457, `{message}`,
 * `{errors: […]}`, a string, HTML, nothing. `body` is parsed JSON, or the text as it came. Never throws.
 */
export const parseRefusal = (status: number, body: unknown, requestId?: string): Refusal => {
  const outer = fieldsOf(Array.isArray(body) ? body[0] : body);
  const inner = { ...outer, ...fieldsOf(outer.error) };
  const problems = [inner.details, inner.errors, inner.detail, inner['invalid-params']].flatMap(readProblems);
  const message = firstPlain(
    // Meta's message only names the kind of error (Graph API, "Handling errors").
    fieldsOf(inner.error_data).details,
    inner.message,
    inner.detail,
    inner.error_description,
    inner.msg,
    inner.reason,
    inner.title,
    outer.error,
    body,
  );
  return {
    status,
    code: firstPlain(typeof inner.code === 'number' ? String(inner.code) : inner.code, outer.error),
    message,
    problems: problems.length === 0 && inner.field ? [{ field: readField(inner.field), message }] : problems,
    requiredScope: sanitize(inner.required_scope),
    requiredPlan: sanitize(inner.required_plan),
    existingId: sanitize(typeof inner.existing_id === 'number' ? String(inner.existing_id) : inner.existing_id),
    requestId: sanitize(outer.request_id) ?? requestId,
  };
};

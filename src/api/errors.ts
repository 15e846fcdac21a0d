import * as z from 'zod/mini';
import { field, openEnum, optional } from './fields';
import { capitalize, type FieldLabels, fieldLabel } from './labels';
import { vocabulary } from './resources';

/**
 * What a Zap does about a refusal:
 * `halt` this run for its input, without blaming the Zap; `reconnect` with a new token; `refuse` until someone changes
 * the token's scopes or the plan; `wait` and try again by itself; `fail` because the service did.
 */
export type Reaction = 'halt' | 'reconnect' | 'refuse' | 'wait' | 'fail';

/** A refusal, from any format. Every text is one line without HTML, JSON or a stack trace. */
export interface Refusal {
  status: number;
  code?: string | undefined;
  /** Whether the code belongs to other calls, so it means nothing here. */
  isForeign?: boolean | undefined;
  message?: string | undefined;
  problems: { field?: string | undefined; message?: string | undefined }[];
  requiredScope?: string | undefined;
  requiredPlan?: string | undefined;
  existingId?: string | undefined;
  /** What to do after a failure of the service. */
  retryAdvice?: string | undefined;
  /** Whether the request may have succeeded and must not be repeated. */
  isUnsafeToRepeat?: boolean | undefined;
  /** The form's label for the record in the path, such as "Contact". */
  record?: string | undefined;
  /** The form's labels for fields of the request. */
  labels?: FieldLabels | undefined;
  requestId?: string | undefined;
}

interface ErrorSpec {
  status: number;
  reaction: Reaction;
  /** One or two sentences for a person: what happened, which field, what to do next. */
  message: (refusal: Refusal) => string;
}

/** Returns a text that ends like a sentence. */
export const sentence = (text: string): string => (/[.!?\u2026]$/.test(text) ? text : `${text}.`);

/** How an explanation begins that says something of its field, such as "must be an email address". */
const predicate =
  /^(?:is|isn't|are|aren't|was|has|hasn't|must|mustn't|can|can't|cannot|may|should|does|doesn't|needs|already)\b/;

const withLabel = (label: string, explanation = "isn't accepted"): string =>
  `${label}${predicate.test(explanation) ? '' : ':'} ${explanation}`;

/** Returns the service's own explanation, by field where it names fields. */
const reasons = ({ problems, message, record, labels }: Refusal): string => {
  const explanations = problems.map((problem) => {
    const label = problem.field && fieldLabel(problem.field, record, labels);
    return label ? withLabel(label, problem.message) : (problem.message ?? '');
  });
  const text = explanations.filter(Boolean).join('; ') || message || '';
  // Cut short, so that the advice after it fits.
  return text ? sentence(text.length > 110 ? `${text.slice(0, 109)}…` : text) : '';
};

/** Returns the service's own explanation of why a message wasn't sent. */
const reasonsNotSent = (refusal: Refusal): string => {
  const text = reasons(refusal);
  return text.endsWith('.') ? `${text.slice(0, -1)}, so nothing was sent.` : `${text} Nothing was sent.`;
};

/** Whether `reasons` starts with the label of a field. A service may send anything as the name of one. */
const namesField = ({ problems: [first], record, labels }: Refusal): boolean =>
  /^[A-Z]/.test((first?.field && fieldLabel(first.field, record, labels)) ?? '');

const invalid = (refusal: Refusal): string => {
  const start = namesField(refusal) ? '' : "The messaging service didn't accept the input. ";
  return `${start}${reasons(refusal)} Correct the fields of this step and try again.`;
};

const recipientLabel = ({ labels }: Refusal): string => labels?.to ?? 'Phone Number';

const tokenHelp = 'Create a new API token in the messaging service, then reconnect this account.';

/** Every error code of the API, with its status, what a Zap does about it and its message. */
export const errorCodes = {
  malformed_request: { status: 400, reaction: 'halt', message: invalid },
  validation_failed: { status: 422, reaction: 'halt', message: invalid },
  invalid_token: {
    status: 401,
    reaction: 'reconnect',
    message: () => `The API token is missing, invalid or expired. ${tokenHelp}`,
  },
  insufficient_scope: {
    status: 403,
    reaction: 'refuse',
    message: ({ requiredScope }) =>
      `The API token doesn't have the scope ${requiredScope ? `"${requiredScope}"` : 'that this step needs'}. Add it to the token in the messaging service, or create a token that has it and reconnect this account.`,
  },
  plan_required: {
    status: 403,
    reaction: 'refuse',
    message: ({ requiredPlan }) =>
      requiredPlan === 'advanced'
        ? 'Instant triggers and Send Message and Wait for Reply need the Advanced plan. Upgrade the workspace, or use the other actions, searches and the New Contact trigger, which work on the Growth plan.'
        : `The API needs the ${capitalize(requiredPlan ?? 'growth')} plan or above. Upgrade the workspace in the messaging service, then try again.`,
  },
  not_found: {
    status: 404,
    reaction: 'halt',
    message: ({ record }) =>
      `${record ? `${record}: the` : 'The'} messaging service doesn't have this record, perhaps because it was deleted. Choose another one, or check the value from an earlier step.`,
  },
  contact_exists: {
    status: 409,
    reaction: 'halt',
    message: ({ existingId, record }) => {
      const start = `Another contact${existingId ? ` (${existingId})` : ''} already has this phone number or email, so`;
      if (record) return `${start} nothing was changed. Leave that field empty, or change the other contact first.`;
      // Create or Update Contact needs the ID.
      const steps = existingId ? 'use Create or Update Contact, or choose it in Update Contact' : 'use Update Contact';
      return `${start} no contact was created. To change the existing one, ${steps}.`;
    },
  },
  idempotency_in_flight: {
    status: 409,
    reaction: 'wait',
    message: () =>
      'The same request is still being processed. Zapier retries this step in a moment, and nothing is sent twice.',
  },
  idempotency_mismatch: {
    status: 422,
    reaction: 'halt',
    message: () =>
      'Send Once for Each: this value was used in the last 24 hours with different details, so nothing was sent this time. To send again, enter another value.',
  },
  recipient_opted_out: {
    status: 422,
    reaction: 'halt',
    message: (refusal) =>
      `${recipientLabel(refusal)}: this person has opted out of messages, so nothing was sent. They must opt in before you can message them.`,
  },
  recipient_unreachable: {
    status: 422,
    reaction: 'halt',
    message: (refusal) =>
      `${recipientLabel(refusal)}: this number can't be reached on this channel, so nothing was sent. Check it, or choose another Channel.`,
  },
  template_not_found: {
    status: 422,
    reaction: 'halt',
    message: () =>
      'Template: this channel has no template with this name, so nothing was sent. Check capital letters, or choose another Template or Channel.',
  },
  template_variables_missing: {
    status: 422,
    reaction: 'halt',
    message: (refusal) => {
      const start = 'The template needs variables that are empty in this step, so nothing was sent.';
      const what = namesField(refusal) ? reasonsNotSent(refusal) : `${start} ${reasons(refusal)}`;
      return `${what} Fill in every variable of the template.`;
    },
  },
  template_not_approved: {
    status: 422,
    reaction: 'halt',
    message: () =>
      "Template: this template isn't approved yet, so nothing was sent. Wait until it's approved, or choose another one.",
  },
  rate_limited: {
    status: 429,
    reaction: 'wait',
    message: () => 'The messaging service is receiving too many requests. Zapier retries this step after a pause.',
  },
} satisfies Record<string, ErrorSpec>;

export type ErrorCode = keyof typeof errorCodes;

/** The documented format of a refusal (docs/api.md). `parseRefusal` also reads other formats. */
export const errorResponse = z.looseObject({
  error: z.looseObject({
    code: openEnum(Object.keys(errorCodes)),
    message: field.text,
    field: optional.text,
    details: z.optional(z.array(z.looseObject({ field: field.text, message: field.text }))),
    required_scope: optional.text,
    required_plan: z.optional(openEnum(vocabulary.plan)),
    existing_id: optional.text,
  }),
  request_id: field.text,
});

/** Whether the contract has this error code. */
export const isErrorCode = (code: string | undefined): code is ErrorCode =>
  code !== undefined && Object.hasOwn(errorCodes, code);

const isKnown = (refusal: Refusal): refusal is Refusal & { code: ErrorCode } =>
  !refusal.isForeign && isErrorCode(refusal.code);

const statusCodes: Record<number, ErrorCode> = {
  400: 'malformed_request',
  401: 'invalid_token',
  404: 'not_found',
  422: 'validation_failed',
  429: 'rate_limited',
};

/** Returns the code that a status stands for when a refusal has no code; undefined for any other status. */
export const codeOf = (status: number): ErrorCode | undefined => statusCodes[status];

/** Whether a status says that the service failed, and not the request. */
export const isTransientStatus = (status: number): boolean => status >= 500 || status === 408 || status === 425;

/** Whether a refusal judges the request itself: its code is one of the contract, and stops the run. */
export const isVerdict = (refusal: Refusal): boolean =>
  isKnown(refusal) && errorCodes[refusal.code].reaction === 'halt';

/** A refusal with a code of the service's own, such as Meta's 131049: it may have nothing to do with the form. */
const unknownCode = (refusal: Refusal): string => {
  const where = 'Look this code up in the documentation of the messaging service, or ask its support.';
  return `The messaging service refused this step with the code ${refusal.code}. ${reasons(refusal)} ${where}`;
};

/** A code is a word or a number, and not a sentence. */
const isOwnCode = (code: string | undefined): boolean => code !== undefined && /^[\w.-]{1,40}$/.test(code);

const specOfKnown = (given: Refusal): Pick<ErrorSpec, 'reaction' | 'message'> => {
  const { status, isUnsafeToRepeat } = given;
  // The body of a rate limit or a server error may hold an unrelated code.
  if (status !== 429 && !isTransientStatus(status) && isKnown(given)) return errorCodes[given.code];
  const statusCode = codeOf(status);
  if (statusCode) return errorCodes[statusCode];
  if (status >= 400 && !isTransientStatus(status)) {
    return {
      reaction: status === 403 ? 'refuse' : 'halt',
      message: (refusal) =>
        `The messaging service refused this step (status ${status}). ${reasons(refusal)} Check the fields of this step and the scopes of the API token.`,
    };
  }
  return {
    reaction: isUnsafeToRepeat ? 'halt' : 'fail',
    message: ({ retryAdvice }) =>
      `The messaging service failed (status ${status}). This isn't caused by your Zap. ${retryAdvice ?? "Try again later. If it keeps happening, contact the messaging service's support."}`,
  };
};

const specOf = (given: Refusal): Pick<ErrorSpec, 'reaction' | 'message'> => {
  const { status, code } = given;
  const isAboutInput = status === 400 || status === 422;
  if (isAboutInput && isOwnCode(code) && !isKnown(given) && !namesField(given)) {
    return { reaction: 'halt', message: unknownCode };
  }
  return specOfKnown(given);
};

/** The maximum length of a message that Zapier shows in full. */
const maxLength = 249;

/** Shortens a message to the length that Zapier shows, and adds the request ID for the support team. */
export const shorten = (message: string, requestId?: string): string => {
  const end = requestId && /^[\w.:-]{1,64}$/.test(requestId) ? ` (Request ID: ${requestId})` : '';
  const line = message.replace(/\s+/g, ' ').trim();
  const room = maxLength - end.length;
  return (line.length > room ? `${line.slice(0, room - 1)}…` : line) + end;
};

/** Returns what a Zap does about a refusal, and the message for the user, under 250 characters. */
export const explainRefusal = (refusal: Refusal): { reaction: Reaction; message: string } => {
  const { reaction, message } = specOf(refusal);
  const unexpected = reaction === 'fail' || isTransientStatus(refusal.status) || !isKnown(refusal);
  return { reaction, message: shorten(message(refusal), unexpected ? refusal.requestId : undefined) };
};

import { errors } from 'zapier-platform-core';
import { explain, type Refusal, sanitize, shorten } from '../api/errors';

/**
 * Core adds its log of the run, with addresses and pieces of answers, to the message of any error that does not carry
 * this mark (zapier-platform-core, `middleware.js`). What a person reads is to be our sentence alone.
 */
const plainly = (error: Error): Error => Object.assign(error, { doNotContextify: true });

/** Whether an error has its sentence already. Core sets the mark on some of the classes itself. */
export const isOwnError = (error: unknown): boolean => error instanceof Error && 'doNotContextify' in error;

/** What a person put into a field, for a message: one short line, or only dots where it is HTML or JSON. */
export const quote = (text: string): string => `"${sanitize(text)?.slice(0, 40) ?? '…'}"`;

/** An error that stops this run for its input and does not count against the Zap. Takes a sentence for a person. */
export const halt = (message: string): Error => plainly(new errors.HaltedError(shorten(message)));

/** An error that holds the Zap's runs and asks the person to connect the account again. */
export const reconnect = (message: string): Error => plainly(new errors.ExpiredAuthError(shorten(message)));

/** An error that is not the input's fault: the service failed, or the token or plan does not allow the step. */
export const fail = (message: string, code: string, status?: number, requestId?: string): Error =>
  new errors.Error(shorten(message, requestId), code, status);

/** An error that makes Zapier try the step again after a pause. `seconds` is what the service asked for. */
const wait = (message: string, seconds: number): Error => new errors.ThrottledError(message, seconds);

/** The delay when the service asks to wait but does not say how long, in seconds. */
const defaultRetryAfter = 30;

/**
 * The error of the right class for a refusal. `retryAfter` is in seconds. `scrub` removes the token from what is put
 * together of its parts: the name of a field, and the message.
 */
export const explainRefusal = (
  refusal: Refusal,
  retryAfter = defaultRetryAfter,
  scrub = (text: string): string => text,
): Error => {
  const problems = refusal.problems.map(({ field, message }) => ({ field: field && scrub(field), message }));
  const { outcome, message: explained } = explain({ ...refusal, problems });
  const message = scrub(explained);
  switch (outcome) {
    case 'halt':
      return halt(message);
    case 'reconnect':
      return reconnect(message);
    case 'wait':
      return wait(message, retryAfter);
    default:
      return fail(message, refusal.code ?? `status_${refusal.status}`, refusal.status);
  }
};

import { errors } from 'zapier-platform-core';
import { explainRefusal, type Refusal, shorten } from '../api/errors';
import { sanitize } from '../api/refusal';

/**
 * Marks an error so that core leaves its message as it is. To other errors, core adds its log of the run, with
 * addresses and parts of responses (zapier-platform-core, `middleware.js`).
 */
const withoutLog = (error: Error): Error => Object.assign(error, { doNotContextify: true });

/** Whether an error already has a message for the user. Core marks some of its error classes itself. */
export const isOwnError = (error: unknown): boolean => error instanceof Error && 'doNotContextify' in error;

/** Returns a field's value for an error message: one short line in quotes, or `…` for HTML and JSON. */
export const quote = (text: string): string => {
  const shown = [...(sanitize(text) ?? '…')].slice(0, 40).join('');
  return `"${shown.replaceAll('"', "'")}"`;
};

/** Returns an error that stops this run without a replay by Zapier. It doesn't count as a failure of the Zap. */
export const halt = (message: string, requestId?: string): Error =>
  withoutLog(new errors.HaltedError(shorten(message, requestId)));

/** Whether an error stops the run without a replay by Zapier. */
export const isHalt = (error: unknown): boolean => error instanceof errors.HaltedError;

/** Returns an error that holds the Zap's runs and asks the user to reconnect the account. */
export const reconnect = (message: string): Error => withoutLog(new errors.ExpiredAuthError(shorten(message)));

/** Whether an error holds the Zap's runs until the user reconnects the account. */
export const isReconnect = (error: unknown): boolean => error instanceof errors.ExpiredAuthError;

/** Returns an error that the input didn't cause: the service failed, or the token or plan doesn't allow the step. */
export const fail = (message: string, code: string, status?: number, requestId?: string): Error =>
  new errors.Error(shorten(message, requestId), code, status);

const wait = (message: string, seconds: number): Error => new errors.ThrottledError(message, seconds);

/** The delay in seconds when the service doesn't say how long to wait. */
const defaultRetryAfter = 30;

/**
 * Returns the error for a refusal, of the class that Zapier needs. `retryAfter` is in seconds. `scrub` removes the
 * token from the message, which may put parts of it together.
 */
export const refusalError = (
  refusal: Refusal,
  retryAfter = defaultRetryAfter,
  scrub = (text: string): string => text,
): Error => {
  const { reaction, message: explained } = explainRefusal(refusal);
  const message = scrub(explained);
  switch (reaction) {
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

import { type ErrorCode, errorCodes, explainRefusal, type Refusal } from '../../src/api/errors';
import { contact } from '../../src/api/resources';
import { freeFormVariablesField } from '../../src/message/template-fields';
import { renderPage } from './page';

const message = (refusal: Omit<Refusal, 'problems'> & Partial<Refusal>): string =>
  explainRefusal({ problems: [], labels: { variables: freeFormVariablesField.label }, ...refusal }).message;

/** What the service adds to a reason, as examples. */
const details: { [Code in ErrorCode]?: Partial<Refusal>[] } = {
  validation_failed: [{ problems: [{ field: 'email', message: 'must be an email address' }] }],
  insufficient_scope: [{ requiredScope: 'messages:write' }],
  plan_required: [{ requiredPlan: 'advanced' }, { requiredPlan: 'growth' }],
  not_found: [{ record: 'Contact' }],
  contact_exists: [{ existingId: contact.sample.id }, { existingId: contact.sample.id, record: 'Contact' }, {}],
  template_variables_missing: [{ problems: [{ field: 'variables.arrival_time', message: 'is required' }] }],
};

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorCodes, code);

/** Lists the messages for each reason that the service gives, by its code. */
export const refusalMessages = (): [code: ErrorCode, messages: string[]][] =>
  Object.keys(errorCodes)
    .filter(isErrorCode)
    .map((code) => [
      code,
      (details[code] ?? [{}]).map((added) => message({ status: errorCodes[code].status, code, ...added })),
    ]);

const failureMessages = [
  undefined,
  'Nothing was sent or changed, so you can try again later.',
  'The request may have succeeded, so check before you try again.',
  'The request may have succeeded, but you can replay the run safely within 24 hours of the first try.',
].map((retryAdvice) => message({ status: 500, retryAdvice, requestId: 'req_5Tn8Lw' }));

/** Returns the messages as items of a quoted list, without the mark of the first. */
const quote = (messages: string[]): string => messages.join('\n> - ');

/** Renders every error message with its cause and what to do, and the problems that show no message. */
export const renderTroubleshooting = (): string =>
  renderPage('troubleshooting', {
    ...Object.fromEntries(refusalMessages().map(([code, messages]) => [`messages ${code}`, quote(messages)])),
    'messages status 405': message({ status: 405, message: 'This method is not allowed.' }),
    'messages status 500': quote(failureMessages),
    'example variable': '{{first_name}}',
  });

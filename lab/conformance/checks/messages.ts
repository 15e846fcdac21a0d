import { randomUUID } from 'node:crypto';
import { endpoints } from '../../../src/api/endpoints';
import { exists } from '../../../src/api/missing';
import { fieldsOf } from '../../../src/api/object';
import { parseRefusal } from '../../../src/api/refusal';
import { createdId, requireShape, requireSuccess } from '../compare/response';
import type { MessageOptions } from '../options';
import type { ServiceClient, ServiceResponse } from '../service-client';
import { type Check, NotChecked } from './check';
import { type Creation, replayChecks } from './creation';
import { memoize } from './memoize';
import { type ComposedMessage, composeMessage } from './message-body';
import type { Records } from './records';

const { sendMessage, getMessage, listTemplates } = endpoints;

/** One message, which is sent when a check first reads its response. */
export interface TestMessage extends Creation {
  composed: () => Promise<ComposedMessage>;
}

/** Prepares a message to the number without sending it. */
export const prepareMessage = (
  service: ServiceClient,
  records: Records,
  to: string,
  options: MessageOptions,
): TestMessage => {
  const idempotencyKey = randomUUID();
  const composed = memoize(async () => {
    const templates = exists('listTemplates') ? await records.read(listTemplates) : undefined;
    return composeMessage(templates, to, options);
  });
  const send = async () => service.request(sendMessage, { ...(await composed()), idempotencyKey });
  return { composed, response: memoize(send), repeat: send };
};

/** Throws `NotChecked` when the service refuses the person, since that says nothing about the API. */
const requireRecipient = ({ status, body }: ServiceResponse): void => {
  const { code } = parseRefusal(status, body);
  if (code === 'recipient_opted_out' || code === 'recipient_unreachable') {
    throw new NotChecked(`the service refuses this person (${code}): choose another number with --to`);
  }
};

const checkSend = async ({ response }: TestMessage): Promise<string> => {
  const sent = await response();
  requireRecipient(sent);
  requireSuccess(sent);
  return `${sent.status}`;
};

const checkResponse = async ({ composed, response }: TestMessage): Promise<string> => {
  const sent = await response();
  if (sent.status >= 300) throw new NotChecked('nothing was sent');
  const record = fieldsOf(sent.body);
  const known = Object.entries({ direction: 'outbound', source: 'api' }).filter(([name]) => name in record);
  return requireShape(sent, { ...(await composed()).body, ...Object.fromEntries(known) });
};

const checkGet = async (service: ServiceClient, { composed, response }: TestMessage): Promise<string> => {
  const id = createdId(await response());
  const found = await service.request(getMessage, { id });
  const sent = await composed();
  return requireShape(found, { id, ...sent.body });
};

/** Checks that a message is sent as asked, and only once. */
export const messageChecks = (service: ServiceClient, message: TestMessage): Check[] => [
  { name: 'sendMessage', run: () => checkSend(message) },
  { name: 'sendMessage, its response', run: () => checkResponse(message) },
  ...replayChecks(sendMessage, message),
  { name: 'getMessage, of what was sent', run: () => checkGet(service, message) },
];

import { randomUUID } from 'node:crypto';
import { endpoints } from '../../src/api/endpoints';
import {
  readRecord,
  requireMade,
  requireReplay,
  requireSame,
  requireShape,
  requireSuccess,
} from '../contract/response';
import type { Answer, Service } from '../service';
import type { Check } from './check';
import { once } from './memoize';
import { composeMessage } from './message-body';
import type { Records } from './records';

const { sendMessage, getMessage, listTemplates } = endpoints;

/** One message, sent at the first look at it. */
export interface Sending {
  answer: () => Promise<Answer>;
  repeat: () => Promise<Answer>;
}

/** Prepares a message to the number; nothing is sent yet. */
export const prepareMessage = (service: Service, records: Records, to: string): Sending => {
  const idempotencyKey = randomUUID();
  const send = async () => {
    const body = composeMessage(await records.answer(listTemplates), to);
    return service.ask(sendMessage, { body, idempotencyKey });
  };
  return { answer: once(send), repeat: send };
};

const checkSend = async ({ answer }: Sending): Promise<string> => {
  const sent = await answer();
  requireSuccess(sent);
  return `${sent.status}`;
};

const checkAnswer = async ({ answer }: Sending, to: string): Promise<string> => {
  const sent = await answer();
  requireMade(sent);
  requireSame({ to, direction: 'outbound', source: 'api' }, readRecord(sent));
  return requireShape(sent);
};

const checkRepeat = async ({ answer, repeat }: Sending): Promise<string> => {
  const id = requireMade(await answer());
  return requireReplay(await repeat(), id);
};

const checkGet = async (service: Service, { answer }: Sending, to: string): Promise<string> => {
  const id = requireMade(await answer());
  const found = await service.ask(getMessage, { id });
  requireSame({ id, to }, readRecord(found));
  return requireShape(found);
};

/** Whether a message can be sent, and is not sent twice. */
export const messageChecks = (service: Service, sending: Sending, to: string): Check[] => [
  { name: 'sendMessage', basis: sendMessage.basis, run: () => checkSend(sending) },
  { name: 'sendMessage, its answer', basis: 'assumed', run: () => checkAnswer(sending, to) },
  { name: 'sendMessage, repeated with its key', basis: 'assumed', run: () => checkRepeat(sending) },
  { name: 'getMessage, of what was sent', basis: getMessage.basis, run: () => checkGet(service, sending, to) },
];

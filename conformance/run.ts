import { endpoints } from '../src/api/endpoints';
import { type Check, makeCheck, NotAsked, type Row, unasked } from './checks/check';
import { contactChecks } from './checks/contacts';
import { deliveryChecks } from './checks/deliveries';
import { filterChecks } from './checks/filters';
import { messageChecks, prepareMessage } from './checks/messages';
import { pagingChecks } from './checks/paging';
import { readingChecks } from './checks/reading';
import { openReceiver, type Received, type Receiver } from './checks/receiver';
import { Records } from './checks/records';
import { refusalChecks } from './checks/refusals';
import { trafficChecks } from './checks/traffic';
import { prepareWebhook, removalChecks, webhookChecks } from './checks/webhooks';
import { type Options, WrongUse } from './options';
import { type Answer, Service } from './service';

/** What came of all checks, and everything that the service sent meanwhile. */
export interface Outcome {
  rows: Row[];
  answers: readonly Answer[];
  received: readonly Received[];
}

/** Only this machine may be asked without TLS (`src/connection.ts`), and only it reaches the local port by itself. */
const isHere = ({ connection }: Options): boolean => connection.baseUrl.startsWith('http:');

/** Everyone in its audience would get a message. */
const triggering: Check = {
  name: 'triggerCampaign',
  basis: endpoints.triggerCampaign.basis,
  run: () => Promise.reject(new NotAsked('try it by hand: it sends a whole campaign')),
};

const writingChecks = (service: Service, records: Records, receiver: Receiver, options: Options): Check[] => {
  const { write, to, callbackUrl } = options;
  const allowed = (checks: Check[]): Check[] => (write ? checks : unasked(checks, 'add --write'));
  const isReachable = callbackUrl !== undefined || isHere(options);
  const reaching = (checks: Check[]): Check[] => (isReachable ? checks : unasked(checks, 'add --callback-url'));
  const sending = (checks: Check[]): Check[] => (to ? checks : unasked(checks, 'add --to'));
  const subscription = prepareWebhook(service, callbackUrl ?? receiver.url);
  const message = prepareMessage(service, records, to ?? '');
  return allowed([
    ...contactChecks(service),
    ...reaching(webhookChecks(service, subscription)),
    ...sending(messageChecks(service, message, to ?? '')),
    ...reaching(sending(deliveryChecks(receiver, subscription, message))),
    ...reaching(removalChecks(service, subscription)),
  ]);
};

const allChecks = (service: Service, records: Records, receiver: Receiver, options: Options): Check[] => [
  ...readingChecks(records),
  ...pagingChecks(service, records),
  ...filterChecks(service, records),
  ...refusalChecks(service),
  ...writingChecks(service, records, receiver, options),
  triggering,
  ...trafficChecks(service, options.rateLimit),
];

const openPort = async (port: number): Promise<Receiver> => {
  try {
    return await openReceiver(port);
  } catch {
    throw new WrongUse(`--port: ${port} cannot be opened. Choose another one.`);
  }
};

/**
 * Makes all checks, one after the other; `report` hears of each before it begins. Rejects with a sentence when the
 * service does not answer at all.
 */
export const checkService = async (
  options: Options,
  report: (name: string, number: number, count: number) => void,
): Promise<Outcome> => {
  const service = new Service(options.connection);
  const records = new Records(service);
  const receiver = await openPort(options.port);
  try {
    await records.answer(endpoints.getWorkspace);
    const checks = allChecks(service, records, receiver, options);
    const rows: Row[] = [];
    for (const [index, check] of checks.entries()) {
      report(check.name, index + 1, checks.length);
      rows.push(await makeCheck(check));
    }
    return { rows, answers: service.answers, received: receiver.received };
  } finally {
    await receiver.stop();
  }
};

import { UsageError } from '../scripts/cli/errors';
import { type EndpointName, endpoints, exists } from '../src/api/endpoints';
import { type Check, type CheckResult, NotAsked, notAsked, runCheck } from './checks/check';
import { testConnection } from './checks/connection';
import { contactChecks } from './checks/contacts';
import { deliveryChecks } from './checks/deliveries';
import { filterChecks } from './checks/filters';
import { messageChecks, prepareMessage } from './checks/messages';
import { missingChecks } from './checks/missing';
import { pagingChecks } from './checks/paging';
import { readingChecks } from './checks/reading';
import { openReceiver, type Received, type Receiver } from './checks/receiver';
import { Records } from './checks/records';
import { refusalChecks } from './checks/refusals';
import { trafficChecks } from './checks/traffic';
import { prepareWebhooks, removalChecks, webhookChecks } from './checks/webhooks';
import type { Options } from './options';
import { ServiceClient, type ServiceResponse } from './service-client';

/** The results of all checks, and everything that the service sent. */
export interface Results {
  rows: CheckResult[];
  responses: readonly ServiceResponse[];
  received: readonly Received[];
}

/** Called before each check. `number` counts from 1. */
type Progress = (name: string, number: number, count: number) => void;

/** A service without TLS runs on this machine (`parseBaseUrl`), so it reaches the local port by itself. */
const isLocal = ({ connection }: Options): boolean => connection.baseUrl.startsWith('http:');

const campaignCheck: Check = {
  name: 'triggerCampaign',
  basis: endpoints.triggerCampaign.basis,
  run: () => Promise.reject(new NotAsked('try it by hand: it messages a whole audience')),
};

const writingChecks = (service: ServiceClient, records: Records, receiver: Receiver, options: Options): Check[] => {
  const { write, to, callbackUrl } = options;
  const isReachable = callbackUrl !== undefined || isLocal(options);
  const needCallback = (checks: Check[]) => (isReachable ? checks : notAsked(checks, 'add --callback-url'));
  const needTo = (checks: Check[]) => (to ? checks : notAsked(checks, 'add --to'));
  // Otherwise the run would leave a record behind.
  const needCall = (name: EndpointName, checks: Check[]) =>
    exists(name) ? checks : notAsked(checks, `nothing would remove it without ${name}`);
  const message = prepareMessage(service, records, to ?? '', options.message);
  const webhooks = prepareWebhooks(service, records, callbackUrl ?? receiver.url, message);
  const checks = [
    ...needCall('deleteContact', contactChecks(service)),
    ...needCallback(needCall('deleteWebhook', webhookChecks(service, records, webhooks))),
    ...needTo(messageChecks(service, message)),
    ...needCallback(needTo(deliveryChecks(receiver, webhooks, message))),
    ...needCallback(removalChecks(service, webhooks)),
  ];
  return write ? checks : notAsked(checks, 'add --write');
};

const allChecks = (service: ServiceClient, receiver: Receiver, options: Options): Check[] => {
  const records = new Records(service);
  return [
    ...readingChecks(records),
    ...pagingChecks(service, records),
    ...filterChecks(service, records),
    ...refusalChecks(service),
    ...missingChecks(service, records, options.write),
    ...writingChecks(service, records, receiver, options),
    campaignCheck,
    ...trafficChecks(service, options.rateLimit),
  ];
};

const openPort = async (port: number): Promise<Receiver> => {
  try {
    return await openReceiver(port);
  } catch {
    throw new UsageError(`--port: ${port} can't be opened. Choose another one.`);
  }
};

/**
 * Tests the connection and runs all checks, one after another. Rejects with `UsageError` when the port is taken and with
 * `CheckAborted` when the service can't be checked.
 */
export const checkService = async (options: Options, onProgress: Progress = () => undefined): Promise<Results> => {
  const service = new ServiceClient(options.connection);
  const receiver = await openPort(options.port);
  try {
    await testConnection(service);
    const checks = allChecks(service, receiver, options);
    const rows: CheckResult[] = [];
    for (const [index, check] of checks.entries()) {
      onProgress(check.name, index + 1, checks.length);
      rows.push(await runCheck(check));
    }
    return { rows, responses: service.responses, received: receiver.received };
  } finally {
    await receiver.stop();
  }
};

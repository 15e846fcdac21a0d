import { exists } from '../../src/api/missing';
import type { EndpointName } from '../../src/api/transport';
import { UsageError } from '../cli/errors';
import { accept, unused } from './checks/accepted';
import { campaignChecks } from './checks/campaigns';
import { type Check, CheckAborted, type CheckResult, runCheck, Skipped, skip } from './checks/check';
import { testConnection } from './checks/connection';
import { contactChecks } from './checks/contacts';
import { deliveryChecks } from './checks/deliveries';
import { filterChecks } from './checks/filters';
import { messageChecks, prepareMessage } from './checks/messages';
import { missingChecks } from './checks/missing';
import { noteChecks } from './checks/notes';
import { pagingChecks } from './checks/paging';
import { readingChecks } from './checks/reading';
import { openReceiver, type Received, type Receiver } from './checks/receiver';
import { Records } from './checks/records';
import { refusalChecks } from './checks/refusals';
import { trafficChecks } from './checks/traffic';
import { settleWords } from './checks/unknown-words';
import { prepareWebhooks, webhookChecks, webhookRemovalChecks } from './checks/webhooks';
import { formatLeft, removeCreated } from './clean-up';
import type { Options } from './options';
import { type ClientOptions, ServiceClient, type ServiceResponse } from './service-client';

/** The results of all checks, and everything that the service sent. */
export interface Results {
  rows: CheckResult[];
  responses: readonly ServiceResponse[];
  received: readonly Received[];
  /** What the run created and couldn't remove. */
  left: string[];
  /** What the contract accepts that no check has found. */
  unused: string[];
}

interface RunOptions extends ClientOptions {
  /** Called before each check. `number` counts from 1. */
  onProgress?: (name: string, number: number, count: number) => void;
  /** Resolves when the service has nothing more to deliver. By default when nothing has arrived for two seconds. */
  settle?: () => Promise<void>;
}

/** A service without TLS runs on this machine (`parseBaseUrl`), so it reaches the local port by itself. */
const isLocal = ({ connection }: Options): boolean => connection.baseUrl.startsWith('http:');

const writingChecks = (service: ServiceClient, records: Records, receiver: Receiver, options: Options): Check[] => {
  const { write, to, callbackUrl } = options;
  const isReachable = callbackUrl !== undefined || isLocal(options);
  const needCallback = (checks: Check[]) => (isReachable ? checks : skip(checks, 'add --callback-url'));
  const needTo = (checks: Check[]) => (to ? checks : skip(checks, 'add --to'));
  // A record of another shape couldn't be found again.
  const after = (names: EndpointName[], checks: Check[]) => checks.map((check) => ({ ...check, after: names }));
  // Otherwise the run would leave a record behind.
  const needCall = (name: EndpointName, checks: Check[]) =>
    exists(name) ? checks : skip(checks, `nothing would remove it without ${name}`);
  const withWebhooks = (checks: Check[]) => after(['listWebhooks'], needCallback(needCall('deleteWebhook', checks)));
  const message = prepareMessage(service, records, to ?? '', options.message);
  const webhooks = prepareWebhooks(service, records, callbackUrl ?? receiver.url, message);
  const checks = [
    ...needCall('deleteContact', after(['listContacts', 'getContact'], contactChecks(service))),
    ...withWebhooks(webhookChecks(service, records, webhooks)),
    ...needTo(messageChecks(service, message)),
    ...withWebhooks(needTo(deliveryChecks(receiver, webhooks, message))),
    ...withWebhooks(webhookRemovalChecks(service, webhooks)),
  ];
  return write ? checks : skip(checks, 'add --write');
};

const allChecks = (service: ServiceClient, receiver: Receiver, options: Options): Check[] => {
  const records = new Records(service);
  return [
    ...readingChecks(records, options.write),
    ...noteChecks(records),
    ...pagingChecks(service, records),
    ...filterChecks(service, records),
    ...refusalChecks(service),
    ...missingChecks(service, records),
    ...writingChecks(service, records, receiver, options),
    ...campaignChecks(service, options),
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

const runAll = async (
  checks: readonly Check[],
  { responses }: ServiceClient,
  onProgress: RunOptions['onProgress'],
): Promise<CheckResult[]> => {
  const rows: CheckResult[] = [];
  for (const [index, check] of checks.entries()) {
    onProgress?.(check.name, index + 1, checks.length);
    const blocking = check.after?.find((name) => rows.some((row) => row.check === name && row.outcome === 'differs'));
    const run = blocking ? () => Promise.reject(new Skipped(`first adapt ${blocking}`)) : check.run;
    rows.push(settleWords(await runCheck({ ...check, run }), responses));
  }
  return rows;
};

const rejectWhenAborted = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));

/**
 * Tests the connection, runs all checks, one after another, and removes what they created, also once `signal` is aborted.
 * Rejects with `UsageError` when the port is taken, with `CheckAborted` when the service can't be checked, and with the
 * reason of `signal`.
 */
export const checkService = async (
  options: Options,
  { onProgress, signal, send, settle }: RunOptions = {},
): Promise<Results> => {
  const service = new ServiceClient(options.connection, { signal, send });
  // The client of the checks may have given up.
  const cleanUp = () => removeCreated(service.requests, new ServiceClient(options.connection, { send }));
  const receiver = await openPort(options.port);
  try {
    const run = async () => {
      await testConnection(service);
      return runAll(allChecks(service, { ...receiver, ...(settle && { settle }) }, options), service, onProgress);
    };
    const rows = await Promise.race([run(), rejectWhenAborted(signal)]);
    const left = await cleanUp();
    const { responses } = service;
    return { rows: rows.map((row) => accept(row)), responses, received: receiver.received, left, unused: unused(rows) };
  } catch (error) {
    const left = await cleanUp();
    throw error instanceof CheckAborted && left.length > 0
      ? new CheckAborted(`${error.message} ${formatLeft(left)}`)
      : error;
  } finally {
    await receiver.stop();
  }
};

import { exists } from '../../src/api/missing';
import type { EndpointName } from '../../src/api/transport';
import { UsageError } from '../cli/errors';
import { type Check, CheckAborted, type CheckResult, runCheck, Skipped, skip } from './check';
import { contactChecks } from './checks/contacts';
import { filterChecks } from './checks/filters';
import { campaignChecks, messageChecks, optOutChecks, prepareMessage } from './checks/messages';
import { noteChecks } from './checks/notes';
import { readingChecks } from './checks/reading';
import { webhookChecks } from './checks/webhooks';
import { formatLeft, removeCreated } from './clean-up';
import { testConnection } from './connection';
import type { Options } from './options';
import { openReceiver, type Received, type Receiver } from './receiver';
import { Records } from './records';
import { type ClientOptions, ServiceClient, type ServiceResponse } from './service-client';
import { Words } from './shape';

/** The results of all checks, and everything that the service sent. */
export interface Results {
  rows: CheckResult[];
  responses: readonly ServiceResponse[];
  received: readonly Received[];
  /** What the run created and couldn't remove. */
  left: string[];
}

interface RunOptions extends ClientOptions {
  /** Called before each check. `number` counts from 1. */
  onProgress?: (name: string, number: number, count: number) => void;
  /** Resolves when the service has nothing more to deliver. By default when nothing has arrived for two seconds. */
  settle?: () => Promise<void>;
}

/** The calls that a check of a group is about, and needs so that it leaves nothing behind. */
const needs: Record<'contacts' | 'webhooks' | 'messages' | 'campaigns', readonly EndpointName[]> = {
  contacts: ['createContact', 'listContacts', 'deleteContact'],
  webhooks: ['createWebhook', 'listWebhooks', 'deleteWebhook'],
  messages: ['sendMessage'],
  campaigns: ['triggerCampaign'],
};

/** Returns every check, in the order in which they run. Options and missing calls skip some. */
export const checksOf = (service: ServiceClient, receiver: Receiver, options: Options): Check[] => {
  const { write, to, optedOut, callbackUrl, campaign, connection } = options;
  const [records, words] = [new Records(service), new Words()];
  const message = prepareMessage(service, records, options);
  // A service without TLS runs on this machine, so it reaches the local port by itself.
  const isReachable = callbackUrl !== undefined || connection.baseUrl.startsWith('http:');
  const webhooks = { message, to, records };
  const only = (group: keyof typeof needs, wants: string | undefined, checks: Check[]): Check[] => {
    const [call = 'sendMessage'] = needs[group];
    if (!exists(call)) return [];
    const lacking = needs[group].find((name) => !exists(name));
    if (lacking) return skip(checks, `nothing could be found or removed without ${lacking}`);
    const advice = write ? wants : `add --write${group === 'messages' ? ' --to' : ''}`;
    if (advice) return skip(checks, advice);
    // A record of another shape couldn't be found again.
    return checks.map((check) => ({ ...check, after: [...needs[group], 'getContact'] }));
  };
  const contact = contactChecks(service, words);
  const hook = webhookChecks(service, receiver, callbackUrl ?? receiver.url, webhooks, words);
  return [
    ...readingChecks(service, records, words),
    ...filterChecks(service, records),
    ...noteChecks(service, records),
    ...only('contacts', undefined, contact),
    ...only('webhooks', isReachable ? undefined : 'add --callback-url', hook),
    ...only('messages', to ? undefined : 'add --to', messageChecks(service, message, words)),
    ...only(
      'messages',
      to && optedOut ? undefined : 'add --to and --opted-out',
      optOutChecks(service, message, optedOut ?? ''),
    ),
    ...only(
      'campaigns',
      campaign === undefined ? 'add --campaign: it messages a whole audience' : undefined,
      campaignChecks(service, campaign ?? '', words),
    ),
    { name: 'known words', run: async (found) => words.judge(found) },
  ];
};

const openPort = async (port: number): Promise<Receiver> => {
  try {
    return await openReceiver(port);
  } catch {
    throw new UsageError(`--port: ${port} can't be opened. Choose another one.`);
  }
};

/** Runs checks one after another. */
export const runChecks = async (
  checks: readonly Check[],
  onProgress?: RunOptions['onProgress'],
): Promise<CheckResult[]> => {
  const rows: CheckResult[] = [];
  for (const [index, check] of checks.entries()) {
    onProgress?.(check.name, index + 1, checks.length);
    const blocking = check.after?.find((name) =>
      rows.some((row) => row.check === name && row.check !== check.name && row.outcome === 'differs'),
    );
    const run = blocking ? () => Promise.reject(new Skipped(`first adapt ${blocking}`)) : check.run;
    rows.push(await runCheck({ ...check, run }));
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
      return runChecks(checksOf(service, { ...receiver, ...(settle && { settle }) }, options), onProgress);
    };
    const rows = await Promise.race([run(), rejectWhenAborted(signal)]);
    const left = await cleanUp();
    return { rows, responses: service.responses, received: receiver.received, left };
  } catch (error) {
    const left = await cleanUp();
    throw error instanceof CheckAborted && left.length > 0
      ? new CheckAborted(`${error.message} ${formatLeft(left)}`)
      : error;
  } finally {
    await receiver.stop();
  }
};

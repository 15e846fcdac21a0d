/**
 * How the service differs from the contract in what travels. Everything here is only between the app and the service: the
 * sandbox, the documents and the tests speak the contract.
 */
import { bearer } from './presets';
import type { Answer, Authorize, Call, Hmac, Hooks, ParsedDelivery, Signature } from './transport';
import { isSandboxed } from './wire';

/** The start of every path. */
export const prefix: string = '/v1';

/** Every request, and every download of a file from the service, has this. */
export const authorize: Authorize = bearer;

/** The calls that differ, by name. */
export const hooks: Hooks = {};

/** Returns any request as the service takes it, after the hook of its call. */
export const request = (call: Call): Call => call;

/** Returns any response as the contract has it, such as a refusal, before the hook of its call. */
export const response = (answer: Answer, _call: Call): Answer => answer;

/** Returns the event of a delivery, or a list of events. */
export const delivery = ({ body }: ParsedDelivery): unknown => body;

/** The headers of a delivery, as in https://www.standardwebhooks.com. */
export const deliveryHeaders = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
} as const;

/** Signatures as in https://www.standardwebhooks.com. */
export const standardWebhooks: Signature & Hmac = {
  key: 'base64',
  encoding: 'base64',
  verify: ({ headers, content }) => {
    const { id, timestamp, signature: name } = deliveryHeaders;
    // A dot would make it unclear where the parts begin.
    if (!/^\d{1,15}$/.test(headers[timestamp] ?? '')) return undefined;
    const signatures = (headers[name] ?? '').split(' ').flatMap((each) => /^v1,(.*)$/.exec(each)?.slice(1) ?? []);
    return { text: `${headers[id] ?? ''}.${headers[timestamp]}.${content}`, signatures };
  },
};

/** How each delivery is signed; null for a service that doesn't sign. */
export const signature: Signature | null = standardWebhooks;

/** Returns how a delivery to this process is signed. */
export const signatureInUse = (): Signature | null => (isSandboxed() ? standardWebhooks : signature);

/**
 * Everything in which the service differs from the contract (docs/api.md), and what it lacks. The sandbox, the documents and
 * the tests speak the contract.
 */
import type { Missing } from './endpoints';
import { bearer, standardWebhooks } from './presets';
import type { Authorize, Call, Hooks, HttpResponse, ParsedDelivery, Signature } from './transport';

/**
 * What the service lacks, by name: calls such as `listTemplates`, events such as `message.read`, filters of lists such as
 * `listContacts.query` and of webhooks such as `webhook.after`, and fields of records such as `contact.consent`. The app
 * leaves out the steps and fields that can't do without.
 */
export const missing: Missing = { calls: [], events: [], filters: [], fields: [] };

/**
 * Whether the service keeps idempotency keys, so that it does nothing twice for the same key. The contract assumes it, and
 * conformance doesn't end well before it has seen it. If not, no POST is repeated. A call may differ, by `keepsKeys`.
 */
export const keepsIdempotencyKeys: boolean = true;

/** The start of every path. */
export const prefix: string = '/v1';

/** Every request, and every download of a file from the service, has this. */
export const authorize: Authorize = bearer;

/** The calls that differ, by name. */
export const hooks: Hooks = {};

/** Returns any request as the service takes it, after the hook of its call. */
export const request = (call: Call): Call => call;

/** Returns any response as the contract has it, such as a refusal, before the hook of its call. */
export const response = (given: HttpResponse, _call: Call): HttpResponse => given;

/** Returns the event of a delivery as the contract has it, with the whole record. */
export const delivery = ({ body }: ParsedDelivery): unknown => body;

/** How each delivery is signed. */
export const signature: Signature = standardWebhooks;

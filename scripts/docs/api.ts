import * as z from 'zod/mini';
import { apiPlan, calls, endpoints, headers, pageSize, pathPrefix, webhookDays } from '../../src/api/endpoints';
import { errorCodes, errorResponse, type Reaction } from '../../src/api/errors';
import { events } from '../../src/api/events';
import { itemOf } from '../../src/api/fields';
import { toLabel } from '../../src/api/labels';
import { deliveryHeaders } from '../../src/api/presets';
import * as resources from '../../src/api/resources';
import { keepsIdempotencyKeys } from '../../src/api/service';
import type { EndpointName } from '../../src/api/transport';
import { attemptTimeoutMs } from '../../src/call/call';
import { stepTimeoutMs } from '../../src/step/run';
import { namedResources } from '../openapi/named-schemas';
import { type Access, nameSteps } from './access';
import { bullets, code, codes, table } from './markdown';
import { renderPage } from './page';
import type { StepRequests } from './requests';

const { sendMessage } = endpoints;
const { id, created_at } = resources.contact.sample;

const fieldNames = (schema: z.ZodMiniObject): string =>
  Object.entries(schema.def.shape)
    .map(([name, field]) => {
      const inner = itemOf(field);
      const hasFields = inner instanceof z.ZodMiniObject && Object.keys(inner.def.shape).length > 0;
      return code(name) + (hasFields ? ` (${fieldNames(inner)})` : '');
    })
    .join(', ');

const resourceLines = (): string =>
  bullets(namedResources.map(({ noun, schema }) => `**${noun}**: ${fieldNames(schema)}`).toSorted());

const maxNamedUsers = 8;

const usersOf = (name: EndpointName, accesses: Access[]): string => {
  if (name === 'getWorkspace') return 'the connection test';
  const isUser = ({ endpoints: called }: Access): boolean => called.has(name);
  const names = nameSteps(accesses, isUser);
  if (names.split(', ').length <= maxNamedUsers) return names || 'conformance checks only';
  return `the ${name.replace(/^list/, '').toLowerCase()} dropdown of ${accesses.filter(isUser).length} steps`;
};

const callTable = (accesses: Access[]): string => {
  const rows = calls.map(([name, { method, path, query, scope, status }]) => [
    name,
    code(`${method} ${path}`),
    codes(Object.keys(query?.shape ?? {})),
    scope ? code(scope) : 'none',
    String(status),
    usersOf(name, accesses),
  ]);
  return table(['Call', 'Request', 'Parameters', 'Scope', 'Status', 'Used by'], rows);
};

const vocabularyRows = (): string[][] =>
  Object.entries(resources.vocabulary).map(([name, words]) => [
    name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
    codes(words),
  ]);

const eventRows = (): string[][] => {
  const byRecord = Map.groupBy(Object.entries(events), ([, { noun }]) => noun);
  return [...byRecord].map(([noun, all]) => [noun, codes(all.map(([name]) => name))]);
};

const reactions: Record<Reaction, string> = {
  halt: 'stops this run; the Zap stays on',
  reconnect: 'asks to reconnect the account',
  refuse: 'fails, and says which scope or plan is missing',
  wait: 'retries the step later',
  fail: 'fails, and says that the service failed',
};

const errorRows = (): string[][] => {
  const byReaction = Map.groupBy(Object.entries(errorCodes), ([, { reaction }]) => reaction);
  return [...byReaction].map(([reaction, all]) => [
    reactions[reaction],
    all.map(([name, { status }]) => `${status} ${code(name)}`).join(', '),
  ]);
};

const describeDelivery = (): string => {
  const event = {
    id: 'evt_8Yw3Pk',
    type: 'message.read',
    created_at,
    workspace_id: resources.workspace.sample.id,
    data: { id: resources.message.sample.id, status: 'read' },
  };
  return [
    `Each event is a POST to the webhook, such as ${code(JSON.stringify(event))}.`,
    'Its record has every field, as a GET returns it, so a Zap needs no further request.',
  ].join(' ');
};

const describeSignature = (): string =>
  [
    'The service signs events by [Standard Webhooks](https://www.standardwebhooks.com), because libraries for it exist in most languages.',
    `The headers are ${codes(Object.values(deliveryHeaders))}.`,
    `The signature is ${code('v1,')} and the base64 HMAC-SHA256 of ${code('id.timestamp.body')}.`,
    'While a secret is rotated, there are several, separated by spaces.',
  ].join(' ');

const idempotencyRow = (): string =>
  keepsIdempotencyKeys
    ? `| Idempotency | Every POST has \`${headers.idempotencyKey}\`: the value of Send Once for Each with the channel, the template and the recipient, as a hash, or a random one for this run. For 24 hours, the same key and body return the first response with \`${headers.idempotentReplayed}: true\` and do nothing. While the first request runs, a repeat is an error. So is the same key with another body. | A response can get lost after the work is done, and Zapier replays runs. With a key, the app can ask for the response again. Without one, customers would get messages twice. |`
    : '| Idempotency | The service keeps no idempotency keys, so the app repeats no POST. | Otherwise, customers could get messages twice. |';

const exampleValues = (): Record<string, string> => ({
  'header requestId': headers.requestId,
  'header retryAfter': headers.retryAfter,
  'path prefix': code(pathPrefix),
  'request sendMessage': code(`${sendMessage.method} ${sendMessage.path}`),
  'example names': code(JSON.stringify({ id, created_at })),
  'example record': code(JSON.stringify({ id })),
  'example list': code(JSON.stringify({ data: [{ id }], next_cursor: null })),
  'page size, at most': String(pageSize.max),
  'page size, by default': String(pageSize.default),
  'webhook days': String(webhookDays),
  'plan of the API': toLabel(apiPlan),
  'plan of webhooks': toLabel(endpoints.createWebhook.plan),
});

/** Returns the requests of one situation, such as `GET /v1/templates` twice. */
const countRequests = (names: readonly EndpointName[]): string =>
  [...Map.groupBy(names, (name) => code(`${endpoints[name].method} ${endpoints[name].path}`))]
    .map(([request, all]) => (all.length > 1 ? `${all.length} × ${request}` : request))
    .join(', ') || 'none';

/** Returns the situations of all steps. Those in which the same steps make the same requests are in one row. */
const requestRows = (accesses: Access[], all: StepRequests[]): string[][] => {
  const alike = Map.groupBy(all, ({ when, requests }) => `${when} ${countRequests(requests)}`);
  const rows = [...alike.values()].flatMap((same) => {
    const steps = nameSteps(accesses, ({ step }) => same.some(({ key }) => key === step.key));
    return same.slice(0, 1).map(({ when, requests }) => ({ steps, when, made: countRequests(requests) }));
  });
  return [...Map.groupBy(rows, ({ steps, made }) => `${steps} ${made}`).values()].flatMap((same) =>
    same.slice(0, 1).flatMap(({ steps, made }) => {
      return steps ? [[same.map(({ when }) => when).join('; '), made, steps]] : [];
    }),
  );
};

/** Renders what the app takes the API to be: what is specified, what is assumed, and why. */
export const renderApi = (accesses: Access[], requests: StepRequests[], curl: string): string =>
  renderPage('api', {
    'curl of each call': curl,
    ...exampleValues(),
    'row idempotency': idempotencyRow(),
    'table calls': callTable(accesses),
    'fields of filters': fieldNames(resources.webhookFilters),
    'list of resources': resourceLines(),
    'table known values': table(['Field', 'Values'], vocabularyRows()),
    'about deliveries': describeDelivery(),
    'table events': table(['Record', 'Events that carry it'], eventRows()),
    'about signatures': describeSignature(),
    'fields of an error': fieldNames(errorResponse),
    'seconds of an attempt': String(attemptTimeoutMs / 1000),
    'seconds of a step': String(stepTimeoutMs / 1000),
    'table requests': table(['When', 'Requests', 'Step'], requestRows(accesses, requests)),
    'table errors': table(['The Zap', 'Status and code'], errorRows()),
  });

/** A service that refuses a webhook because of its events. */

import { refusedEvents } from '../../conformance/compare/refused-events';
import { readOptions } from '../../conformance/options';
import { checkService } from '../../conformance/run';
import type { ServiceResponse } from '../../conformance/service-client';
import { endpoints } from '../../src/api/endpoints';
import { errorResponse } from '../../src/api/errors';
import { vocabulary } from '../../src/api/resources';
import { toWire } from '../../src/api/translate';
import { Running } from '../support/running';
import { withFaultyProxy } from './faulty-proxy';

const running = new Running({ isSmall: true });

const refusalWith = (message: string): unknown => {
  const error = { code: 'validation_failed', message: 'Invalid webhook', field: 'events', details: [] };
  const body = { error: { ...error, details: [{ field: 'events', message }] }, request_id: 'req_1' };
  return toWire(errorResponse, body);
};

/** Returns what conformance says about createWebhook when the service refuses it with these words. */
const detailFor = (message: string): Promise<string | undefined> => {
  const createWebhook = () => Response.json(refusalWith(message), { status: 422 });
  return withFaultyProxy(running.url, { instead: { createWebhook } }, async (url) => {
    const options = readOptions(['--base-url', url, '--write'], { API_TOKEN: running.sandbox.tokens.advanced });
    return (await checkService(options)).rows.find(({ check }) => check === 'createWebhook')?.detail;
  });
};

test('points to the list of what is missing when the service refuses an event', async () => {
  expect(await detailFor('does not know conversation.reopened')).toBe(
    'responds 422 instead of 201 and refuses `conversation.reopened`: Invalid webhook (`conversation.reopened` in `missing`, src/api/endpoints.ts)',
  );
});

test('points to the field when no event is certain', async () => {
  expect(await detailFor('is too long')).toMatch(/ and refuses `events`: .*\(`events` in `createWebhook`, \S+\)$/);
});

test.each([
  ['Unknown event "conversation.reopened".', ['conversation.reopened']],
  ['must be one of message.sent, message.failed', []],
  [`does not know ${vocabulary.event.join(', ')}`, []],
  ['does not know conversation.reopened_again', []],
])('a refusal with %j names the events %j', (message, events) => {
  const response: ServiceResponse = {
    endpoint: endpoints.createWebhook,
    status: 422,
    headers: new Headers(),
    body: refusalWith(message),
    sent: { query: {}, body: { events: vocabulary.event } },
    retryAfter: undefined,
    hasScope: true,
    failure: undefined,
    raw: undefined,
  };
  expect(refusedEvents(response)).toEqual(events);
});

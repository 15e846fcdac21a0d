/** A service that refuses a webhook because of its events. */
import { readOptions } from '../../conformance/options';
import { checkService } from '../../conformance/run';
import { errorResponse } from '../../src/api/errors';
import { vocabulary } from '../../src/api/resources';
import { toWire } from '../../src/api/translate';
import { Running } from '../support/running';
import { withFaultyProxy } from './faulty-proxy';

const running = new Running();

/** Returns what conformance says about createWebhook when the service refuses it with these words. */
const detailFor = (message: string): Promise<string | undefined> => {
  const error = { code: 'validation_failed', message: 'Invalid webhook', field: 'events', details: [] };
  const body = { error: { ...error, details: [{ field: 'events', message }] }, request_id: 'req_1' };
  const createWebhook = () => Response.json(toWire(errorResponse, body), { status: 422 });
  return withFaultyProxy(running.url, { instead: { createWebhook } }, async (url) => {
    const options = readOptions(['--base-url', url, '--write'], { API_TOKEN: running.sandbox.tokens.advanced });
    return (await checkService(options)).rows.find(({ check }) => check === 'createWebhook')?.detail;
  });
};

test.each(['does not know conversation.reopened', 'Unknown event "conversation.reopened".'])(
  'points to the list of what is missing when the service refuses an event: %s',
  async (message) => {
    expect(await detailFor(message)).toBe(
      'responds 422 instead of 201 and refuses `conversation.reopened`: Invalid webhook (`conversation.reopened` in `missing`, src/api/endpoints.ts)',
    );
  },
);

const vague = [
  'must be one of message.sent, message.failed',
  `does not know ${vocabulary.event.join(', ')}`,
  'does not know conversation.reopened_again',
  'is too long',
];

for (const message of vague) {
  test(`points to the field when no event is certain: ${message}`, async () => {
    expect(await detailFor(message)).toMatch(/ and refuses `events`: .*\(`events` in `createWebhook`, \S+\)$/);
  });
}

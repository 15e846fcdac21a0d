/** How long the app waits for a service, and what it still begins. */

import { EventEmitter, once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import nock from 'nock';
import * as z from 'zod/mini';
import { type LocalServer, listen } from '../../lab/zapier/listen';
import { contact, message, webhook, workspace } from '../../src/api/resources';
import { someone } from '../support/answered';
import { pathOf } from '../support/calls';
import { deadlineMs } from '../support/deadline';
import { authData, testedAccount, toResponse } from '../support/service';
import { reachable } from '../support/triggered';
import { runStep } from '../support/zapier';

describe('a slow service', () => {
  let asked: string[];
  let requests: { request: IncomingMessage; response: ServerResponse }[];
  const arrivals = new EventEmitter();
  let server: LocalServer;
  const respond = (request: IncomingMessage, response: ServerResponse): void => {
    asked.push(`${request.url}`);
    requests.push({ request, response });
    arrivals.emit('request');
  };

  /** The next request. Rejects after two minutes of the real clock with what was asked so far. */
  const nextRequest = async () => {
    if (requests.length === 0) {
      await once(arrivals, 'request', { signal: AbortSignal.timeout(deadlineMs) }).catch(() => {
        throw new Error(`No request came after these: ${JSON.stringify(asked)}`);
      });
    }
    const [next] = requests.splice(0, 1);
    if (!next) throw new Error('A request came, and is gone.');
    return next;
  };

  beforeAll(async () => {
    nock.enableNetConnect('127.0.0.1');
    server = await listen(respond);
  });

  beforeEach(() => {
    [asked, requests] = [[], []];
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] });
  });

  afterEach(() => jest.useRealTimers());

  afterAll(async () => {
    await server.stop();
    nock.disableNetConnect();
  });

  const connection = () => ({ ...authData, base_url: server.url });
  const testAccount = () => runStep('authentication.test', { authData: connection() });
  const send = (more: Record<string, unknown> = {}) =>
    runStep('creates.send_message.operation.perform', { authData: connection(), inputData: { ...someone, ...more } });

  /** Responds to the read of the template, which comes before a send. */
  const respondWithTemplate = async () => {
    const { response } = await nextRequest();
    response.end(toResponse({ data: [{ name: 'parcel_out_for_delivery', status: 'approved' }] }));
  };

  /** Lets each of the next requests hang for as long as its attempt lasts. Returns the time that they took together. */
  const hang = async (...limits: number[]) => {
    for (const limit of limits) {
      await nextRequest();
      jest.advanceTimersByTime(limit);
    }
  };

  test('ends a read with a sentence after 23 s, before Zapier would end it', async () => {
    const start = Date.now();
    const failed = expect(testAccount()).rejects.toThrow(
      "The messaging service didn't respond in time. Try again later.",
    );
    await hang(10_000, 10_000, 3_000);
    await failed;
    expect(asked).toHaveLength(3);
    expect(Date.now() - start).toBeLessThan(25_000);
  });

  test.each([
    ['nothing', () => undefined],
    [
      'half of a response of a known length',
      (response: ServerResponse) => {
        response.writeHead(200, { 'content-length': 500 }).write('{"id":', () => response.destroy());
      },
    ],
    [
      'half of a response of an unknown length',
      (response: ServerResponse) => {
        response.writeHead(200).write('{"id":', () => response.destroy());
      },
    ],
  ])('that sends %s is asked again after 10 s', async (_what, respond) => {
    const step = testAccount();
    respond((await nextRequest()).response);
    jest.advanceTimersByTime(10_000);
    (await nextRequest()).response.end(toResponse(workspace.sample));
    await expect(step).resolves.toEqual(testedAccount);
  });

  test("that doesn't respond to a send is asked again under its key, and then the step halts", async () => {
    const halted = expect(send()).rejects.toMatchObject({
      name: 'HaltedError',
      message:
        "The messaging service didn't respond in time. The request may have succeeded, so check before you try again.",
    });
    await respondWithTemplate();
    await hang(10_000, 10_000, 3_000);
    await halted;
    expect(asked.slice(1)).toEqual(Array(3).fill(pathOf('sendMessage')));
  });

  test('gives a change, which is sent once, the whole time of the step', async () => {
    const inputData = { contact: '101', first_name: 'X' };
    const step = runStep('creates.update_contact.operation.perform', { authData: connection(), inputData });
    const { response } = await nextRequest();
    jest.advanceTimersByTime(20_000);
    response.writeHead(200).end(toResponse(contact.sample));
    await expect(step).resolves.toEqual(reachable(contact.sample));
    expect(asked).toHaveLength(1);
  });

  test('begins no send without 5 s left', async () => {
    const step = send({ variable_time: '2:30 pm' });
    const failed = expect(step).rejects.toThrow(
      'The messaging service is too slow for this step to finish, so nothing was sent',
    );
    await hang(10_000);
    const { response } = await nextRequest();
    jest.advanceTimersByTime(9_000);
    response.end(toResponse({ data: [{ name: 'parcel_out_for_delivery' }] }));
    await failed;
    expect(asked).toEqual(
      Array(2).fill(`${pathOf('listTemplates')}?name=parcel_out_for_delivery&channel=whatsapp&limit=100`),
    );
  });

  test('that takes seconds to say 503 is not asked again with too little time left to know the outcome', async () => {
    const failed = expect(send()).rejects.toThrow('Nothing was sent or changed, so you can try again later.');
    await respondWithTemplate();
    for (let request = 0; request < 2; request += 1) {
      const { response } = await nextRequest();
      jest.advanceTimersByTime(9_000);
      response.writeHead(503, { 'retry-after': '1' }).end();
    }
    await failed;
    expect(asked).toHaveLength(3);
  });

  test('has 5 s in all to clean up after a send, however many requests that takes', async () => {
    const path = 'creates.send_message_and_wait.operation.perform';
    const halted = expect(runStep(path, { authData: connection(), inputData: someone })).rejects.toThrow(
      "The message was sent, but the Zap can't wait for the reply",
    );
    const none = toResponse({ data: [], next_cursor: null });
    await respondWithTemplate();
    (await nextRequest()).response.end(none);
    (await nextRequest()).response.end(toResponse(message.sample));
    const { request } = await nextRequest();
    const created = z.object({ url: z.string() }).parse(await json(request));
    jest.advanceTimersByTime(10_000);
    await hang(10_000, 3_000);
    const { response } = await nextRequest();
    jest.advanceTimersByTime(4_000);
    const own = { ...webhook.sample, ...created, secret: undefined, created_at: new Date().toISOString() };
    response.end(toResponse({ data: [own], next_cursor: null }));
    await hang(1_000);
    await halted;
    expect(asked.at(-1)).toBe(pathOf('deleteWebhook', { id: own.id }));
  });

  test('that says 503 is asked again after pauses that grow from 0.2 to 8 s and are random', async () => {
    const times: number[] = [];
    const refuse = () => {
      times.push(Date.now());
      requests.at(-1)?.response.writeHead(503).end();
    };
    arrivals.on('request', refuse);
    await expect(testAccount()).rejects.toThrow('failed (status 503)');
    arrivals.off('request', refuse);
    const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    const longest = [400, 800, 1_600, 3_200, 6_400, 8_000, 8_000];
    expect(pauses.length).toBeGreaterThanOrEqual(6);
    pauses.forEach((pause, index) => {
      expect(pause).toBeGreaterThanOrEqual((longest[index] ?? 0) / 2 - 1);
      expect(pause).toBeLessThanOrEqual(longest[index] ?? 0);
    });
    expect(pauses).not.toEqual(longest.slice(0, pauses.length));
    expect(pauses).not.toEqual(longest.slice(0, pauses.length).map((each) => each / 2));
  });
});

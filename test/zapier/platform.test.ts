/** What Zapier does around a step: searches, callbacks, renewals, and what its servers receive. */
import { createZapier } from '../../zapier';
import { kindOf, type WrittenStep } from '../../zapier/kinds';
import { type OpenQuestions, platform } from '../../zapier/platform';
import { MemoryStore } from '../../zapier/zap/store';

const labeled = (label: string) => ({ label, description: `Does what ${label} says.` });

/** An app whose action asks for a callback. `during` happens while it still runs. */
const createApp = () => {
  const log: string[] = [];
  const state = {
    during: async (_url: string): Promise<unknown> => undefined,
    input: {} as object,
    webhooks: 0,
    refuses: false,
    throttledFor: 0,
  };
  const app = {
    version: '1.0.0',
    platformVersion: '19.1.0',
    // Otherwise core wraps Node's HTTP clients for good, also for the next test file of this worker.
    flags: { skipHttpPatch: true },
    triggers: {
      came: {
        key: 'came',
        noun: 'Thing',
        display: labeled('Came'),
        operation: {
          type: 'hook',
          perform: (
            { errors }: { errors: { ThrottledError: new (message: string, delay: number) => Error } },
            { cleanedRequest }: { cleanedRequest: unknown },
          ) => {
            if (state.throttledFor > 0) throw new errors.ThrottledError('The service is busy.', state.throttledFor);
            return [cleanedRequest];
          },
          performList: () => [],
          performSubscribe: () => {
            if (state.refuses) throw new Error('The service refuses.');
            log.push('subscribed');
            state.webhooks += 1;
            return { id: `webhook-${state.webhooks}`, expiration_date: '1970-01-01T01:00:00Z' };
          },
          performUnsubscribe: () => {
            log.push('unsubscribed');
            return {};
          },
        },
      },
    },
    creates: {
      ask: {
        key: 'ask',
        noun: 'Thing',
        display: labeled('Ask'),
        operation: {
          perform: async (z: { generateCallbackUrl: () => string }) => {
            log.push('asks');
            await state.during(z.generateCallbackUrl());
            log.push('asked');
            return { question: 1 };
          },
          performResume: (
            _z: unknown,
            { outputData, cleanedRequest }: { outputData?: object; cleanedRequest: { querystring?: object } },
          ) => {
            log.push('resumes');
            const { querystring = {}, ...body } = cleanedRequest;
            return { ...outputData, ...body, ...(Object.keys(querystring).length > 0 && { query: querystring }) };
          },
        },
      },
    },
    searches: {
      find: {
        key: 'find',
        noun: 'Thing',
        display: labeled('Find'),
        operation: {
          inputFields: [{ key: 'text', label: 'Text' }],
          perform: (_z: unknown, { inputData }: { inputData: { text?: string } }) => {
            state.input = inputData;
            return (inputData.text ?? '')
              .split(' ')
              .filter(Boolean)
              .map((id) => ({ id, at: { place: `place of ${id}` } }));
          },
        },
      },
    },
  };
  return { app, log, state };
};

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const start = async (answers: Partial<OpenQuestions> = {}, ...steps: WrittenStep[]) => {
  const { app, log, state } = createApp();
  const store = new MemoryStore();
  const time = { now: 0, due: [] as { at: number; run: () => Promise<unknown> }[] };
  const clock = {
    now: () => time.now,
    at: (at: number, run: () => Promise<unknown>) => void time.due.push({ at, run }),
  };
  const zapier = await createZapier(app).startZapier({ answers, clock, store });
  stops.push(zapier.stop);
  const zap = zapier.addZap([{ type: 'app', operation: 'triggers.came' }, ...steps]);
  /** Runs the Zap to its end. Returns what each step came to. */
  const run = async () => {
    await zapier.runner.startWith(zap, 'live', { id: 1 });
    await zapier.settled();
    return (zapier.runs.list()[0]?.steps ?? []).slice(1).map(({ status, output }) => [status, output]);
  };
  const pass = async (milliseconds: number) => {
    time.now += milliseconds;
    for (const { run: work } of time.due.splice(0)) await work();
  };
  /** Starts it again at the same address, with what the store has. */
  const again = async () => {
    await zapier.stop();
    const next = await createZapier(app).startZapier({ answers, clock, store });
    stops.push(next.stop);
    return next;
  };
  return { ...zapier, zap, log, state, time, run, pass, again };
};

const find = (text: string, search: object = {}): WrittenStep => ({
  type: 'app',
  operation: 'searches.find',
  values: { text },
  search,
});
const ask: WrittenStep = { type: 'app', operation: 'creates.ask' };
const last: WrittenStep = { type: 'filter', rules: [{ value: '1', condition: 'Exists', text: '' }] };

test.each([
  [{}, { id: 'a', at: { place: 'place of a' }, _zap_search_was_found_status: true }],
  [{ results: 'first' }, { id: 'a', at: { place: 'place of a' }, _zap_search_was_found_status: true }],
  [
    { results: 'all' },
    {
      id: ['a', 'b'],
      at: { place: ['place of a', 'place of b'] },
      _zap_search_was_found_status: true,
    },
  ],
])('a search set to %j gives its first result, or all as line items', async (search, output) => {
  const { run, state } = await start({}, find('a b', search));
  expect(await run()).toEqual([['success', output]]);
  expect(state.input).toEqual({ text: 'a b' });
});

test('a filter after a search sees whether it was found, also when later steps get all results', async () => {
  const isFound: WrittenStep = {
    type: 'filter',
    rules: [{ value: `{{2.${platform.searchFound.is}}}`, condition: '(Boolean) Is true', text: '' }],
  };
  const { run } = await start({}, find('a b', { results: 'all' }), isFound);
  expect((await run()).map(([status]) => status)).toEqual(['success', 'success']);
});

test('a search that finds nothing stops the run, or continues and says so', async () => {
  const { run } = await start({}, find('none of these', { whenNone: 'continue' }), find('{{2.nothing}}'), last);
  expect((await run()).map(([status]) => status)).toEqual(['success', 'halted']);
  const { run: runOn } = await start({}, find('', { whenNone: 'continue' }), last);
  expect(await runOn()).toEqual([
    ['success', { _zap_search_was_found_status: false }],
    ['success', undefined],
  ]);
});

test("the form of a search has the editor's own settings, which the app doesn't get", async () => {
  const { editor, zap } = await start({}, find('a'));
  await editor.open(zap, 1);
  const [, step] = zap.steps;
  if (!step) throw new Error('The Zap has no search.');
  const kind = kindOf(step);
  expect(kind.entered(step)).toEqual({ text: 'a', 'zapier-results': 'first', 'zapier-whenNone': 'stop' });
  expect(kind.enter(step, { text: 'b', 'zapier-results': 'all', 'zapier-whenNone': 'junk' }, {})).toMatchObject({
    values: { text: 'b' },
    search: { results: 'all' },
  });
});

const callBack = async (url: string) => (await fetch(url, { method: 'POST', body: '{"answer":"yes"}' })).status;

test.each([
  ['hold', 200, ['asks', 'asked', 'resumes'], [['success', { question: 1, answer: 'yes' }]]],
  ['run', 200, ['asks', 'resumes', 'asked'], [['success', { answer: 'yes' }]]],
  ['refuse', 410, ['asks', 'asked'], [['waiting', { question: 1 }]]],
] as const)('a callback before its step returned: %s', async (early, status, order, steps) => {
  const { run, state, log } = await start({ early }, ask);
  let responded = 0;
  state.during = async (url) => {
    responded = await callBack(url);
    // With `run`, the rest goes on by itself meanwhile.
    while (early === 'run' && !log.includes('resumes')) await new Promise(setImmediate);
  };
  expect(await run()).toEqual(steps);
  expect([responded, log]).toEqual([status, order]);
});

test.each([410, 200] as const)(
  'a callback whose address is used up gets %d, and resumes nothing',
  async (usedCallback) => {
    const { run, state, log, settled } = await start({ usedCallback }, ask);
    let url = '';
    state.during = async (given) => {
      url = given;
    };
    await run();
    expect([await callBack(url), await callBack(url)]).toEqual([200, usedCallback]);
    await settled();
    expect(log).toEqual(['asks', 'asked', 'resumes']);
  },
);

test.each([
  ['passed', { a: '1', b: 'ü & x' }],
  ['dropped', undefined],
] as const)('the query of a callback: %s', async (callbackQuery, query) => {
  const { run, state, settled, runs } = await start({ callbackQuery }, ask);
  let url = '';
  state.during = async (given) => {
    url = given;
  };
  await run();
  await callBack(`${url}?${new URLSearchParams({ a: '1', b: 'ü & x' })}`);
  await settled();
  expect(runs.list()[0]?.steps[1]?.output).toEqual({ question: 1, answer: 'yes', ...(query && { query }) });
});

test.each([
  ['new first', ['subscribed', 'subscribed', 'unsubscribed']],
  ['old first', ['subscribed', 'unsubscribed', 'subscribed']],
] as const)('a renewal: %s', async (renewal, order) => {
  const { log, subscriptions, zap, pass } = await start({ renewal }, last);
  await subscriptions.turnOn(zap);
  await pass(3_600_000);
  expect(log).toEqual(order);
  expect(zap.subscription?.id).toBe('webhook-2');
});

test.each([
  ['retry', 2, 'webhook-2'],
  ['stop', 1, 'webhook-1'],
] as const)('a renewal that the service refuses: %s', async (refusedRenewal, subscribed, id) => {
  const { log, subscriptions, zap, state, pass } = await start({ refusedRenewal }, last);
  await subscriptions.turnOn(zap);
  state.refuses = true;
  await pass(3_600_000);
  expect(zap.problem).toContain("The subscription wasn't renewed. The service refuses.");
  state.refuses = false;
  await pass(60_000);
  expect([log.filter((line) => line === 'subscribed').length, zap.subscription?.id]).toEqual([subscribed, id]);
});

test('a callback that comes more than 30 days later resumes nothing', async () => {
  const { run, state, log, time } = await start({}, ask);
  let url = '';
  state.during = async (given) => {
    url = given;
  };
  await run();
  time.now += platform.callbackSeconds.is * 1000 + 1;
  expect([await callBack(url), log]).toEqual([410, ['asks', 'asked']]);
});

test('an instant trigger that is throttled waits five minutes at most', async () => {
  const { subscriptions, zap, state, settled, runs } = await start({}, last);
  await subscriptions.turnOn(zap);
  state.throttledFor = 4000;
  await fetch(zap.subscription?.targetUrl ?? '', { method: 'POST', body: '{"id":1}' });
  await settled();
  expect(runs.list()[0]?.steps[0]?.failure?.retryAfterSeconds).toBe(platform.hookThrottleSeconds.is);
});

test('what waits in the store goes on after a restart, and each subscription is renewed', async () => {
  const { run, log, subscriptions, zap, again } = await start({}, ask);
  await subscriptions.turnOn(zap);
  await run();
  const { restore, runs, runner, settled } = await again();
  await restore();
  const [waiting] = runs.list();
  expect(runner.receiveCallback(`${waiting?.id}-1`, { answer: 'yes' })).toBe(true);
  await settled();
  expect(log).toEqual(['subscribed', 'asks', 'asked', 'subscribed', 'unsubscribed', 'resumes']);
});

test.each(['/hooks/none', '/callbacks/none', '/rpc'])('%s takes 10 MB at most, however they are sent', async (path) => {
  const { url } = await start({}, last);
  const piece = new Uint8Array(platform.deliveryBytes.is / 4);
  const pieces = [piece, piece, piece, piece, piece];
  const body = new ReadableStream({
    pull: (to) => {
      const next = pieces.pop();
      if (next) to.enqueue(next);
      else to.close();
    },
  });
  const init = { method: 'POST', body, duplex: 'half' as const };
  expect((await fetch(url + path, init)).status).toBe(413);
});

test('its servers respond to junk without failing', async () => {
  const { url, subscriptions, zap, settled, runs } = await start({}, last);
  await subscriptions.turnOn(zap);
  const post = async (path: string, body: string) => (await fetch(url + path, { method: 'POST', body })).status;
  const target = new URL(zap.subscription?.targetUrl ?? '').pathname;
  expect([await post('/callbacks/none', '{'), await post('/callbacks/none', '{}')]).toEqual([400, 410]);
  expect([await post('/rpc', 'junk'), await post('/rpc', '{"id":1,"method":"drop","params":[]}')]).toEqual([400, 400]);
  expect([await post('/hooks/none', '{}'), await post('/elsewhere', '{}')]).toEqual([410, 404]);
  expect(await post(target, '{ not json')).toBe(200);
  await settled();
  expect(runs.list()).toHaveLength(1);
});

test('a Zap of a single trigger gives the records of each delivery', async () => {
  const { turnOn } = await start();
  const live = await turnOn('came');
  await fetch(live.targetUrl, { method: 'POST', body: '{"id":7}' });
  expect(await live.nextRun()).toEqual([{ id: 7 }]);
  await live.turnOff();
  expect((await fetch(live.targetUrl, { method: 'POST', body: '{}' })).status).toBe(410);
});

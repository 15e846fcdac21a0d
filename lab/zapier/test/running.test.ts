/** Zaps that run: starts, runs, and what the platform does. */

import { globSync, readFileSync } from 'node:fs';
import type { AppStep, Step } from '../kinds';
import { platform } from '../platform';
import { hasEnded, type Run } from '../runs/run';
import { RpcStore } from '../starts/rpc';
import { MemoryStore } from '../zap/store';
import { newService, note, startSmall, step, stopAll, trigger } from './small-app';

afterEach(stopAll);

/** A promise, and what fulfills it. */
const gate = () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { promise, open: () => resolve() };
};

/** Returns the run that started last. */
const newestOf = (runs: { list: () => readonly Run[] }): Run => {
  const [newest] = runs.list();
  if (!newest) throw new Error('No run started.');
  return newest;
};

/** Lets the work of this process go on until something is so. */
const until = async (isSo: () => boolean) => {
  while (!isSo()) await new Promise(setImmediate);
};

describe('runs', () => {
  const record = { id: 1, person: { name: 'Noor' } };

  const wait = { type: 'delay', id: 'delay', value: '1', unit: 'hours' } as const;
  const untilTime = { ...wait, value: '', event: 'until', until: '{{1.at}}' } as const;

  test('a replay runs again with the record that started the run, also after the Zap was changed', async () => {
    const { zapOn, deliver, zaps, runner, runs, settled, service } = await startSmall();
    const zap = await zapOn(note('{{1.person.name}}'));
    await deliver(zap, record);
    const first = newestOf(runs);
    zaps.change(zap, { steps: [...zap.steps.slice(0, 1), note('draft')] });
    await runner.replay(first);
    await settled();
    expect(service.ran).toEqual(['Noor', 'Noor']);
    expect(runs.list()[0]).toMatchObject({ type: 'replay', status: 'success', trigger: record, cause: first.id });
  });

  test('a throttled run is on hold, and tried again after the delay that its error names', async () => {
    const { zapOn, deliver, pass, service, runs, statuses } = await startSmall();
    const zap = await zapOn(step('creates.throttle', 'first'), note('second'));
    service.isBusy = true;
    await deliver(zap);
    expect(runs.list()[0]?.steps[1]).toMatchObject({
      status: 'held',
      failure: {
        message: 'Too many.',
        effect: 'Zapier holds this run (On hold) and tries again in 60 s.',
        retryAfterSeconds: 60,
      },
    });
    // It is still busy after a minute, and waits another one.
    await pass(60);
    expect(statuses()).toEqual(['held']);
    service.isBusy = false;
    await pass(59);
    expect(statuses()).toEqual(['held']);
    await pass(1);
    expect(statuses()).toEqual(['success']);
    expect(service.ran).toEqual(['first', 'first', 'first', 'second']);
  });

  test('a throttled trigger is tried again with its delivery, and starts a run for each record', async () => {
    const { zapOn, deliver, pass, service, statuses } = await startSmall();
    const zap = await zapOn(note('{{1.id}}'));
    service.isBusy = true;
    await deliver(zap, { isEarly: true, records: [{ id: 7 }, { id: 8 }] });
    expect([statuses(), service.ran]).toEqual([['held'], []]);
    service.isBusy = false;
    await pass(60);
    expect([statuses(), service.ran]).toEqual([
      ['success', 'success'],
      ['7', '8'],
    ]);
  });

  test('a delivery that the trigger refuses is a run that was halted at its trigger', async () => {
    const { zapOn, deliver, runs, service } = await startSmall();
    await deliver(await zapOn(note('first')), { isBad: true });
    expect(runs.list()).toMatchObject([
      { status: 'halted', steps: [{ title: 'came', failure: { message: 'It may not come from the service.' } }] },
    ]);
    expect(service.ran).toEqual([]);
  });

  const daySeconds = 24 * 60 * 60;

  test.each([
    [2, ' -1d', daySeconds],
    [1, ' + 90m -1h', daySeconds + 30 * 60],
    [1, '', daySeconds],
  ])('a run waits until %d days ahead with "%s"', async (days, modifiers, seconds) => {
    const { zapOn, deliver, pass, service, statuses } = await startSmall();
    const at = new Date(service.now() + days * daySeconds * 1000).toISOString();
    await deliver(await zapOn(untilTime, note('{{1.at}}')), { at: at + modifiers });
    await pass(seconds - 1);
    expect(statuses()).toEqual(['delayed']);
    await pass(1);
    expect(statuses()).toEqual(['success']);
  });

  const looped = { type: 'loop', id: 'loop', values: { phone: '{{1.phones}}', name: '{{1.names}}' } } as const;

  test.each<[what: string, step: Step, reason: string]>([
    [
      'a delay until over 31 days ahead',
      { ...untilTime, until: '2999-01-01' },
      'must be within 31 days, not "2999-01-01"',
    ],
    ['a delay until no time', { ...untilTime, until: 'soon' }, `"soon" isn't a date and time`],
    ['a delay for less than nothing', { ...wait, value: '-1' }, 'must be a number from 1 to 744, not "-1"'],
    ['a delay for over 31 days', { ...wait, value: '745' }, 'must be a number from 1 to 744, not "745"'],
    ['a loop of over 500 items', looped, 'A loop runs for 500 items at most, not 501'],
  ])('a run stops at %s, and says why', async (_what, step, reason) => {
    const { zapOn, deliver, service, runs } = await startSmall();
    await deliver(await zapOn(step, note('after')), { phones: Array(501).fill('one') });
    expect(newestOf(runs).steps[1]).toMatchObject({
      status: 'error',
      failure: { message: expect.stringContaining(reason) },
    });
    expect(service.ran).toEqual([]);
  });

  test('the steps after a loop run once for each item, in order, and a failure of one stops no other', async () => {
    const { zapOn, deliver, service, statuses, runs } = await startSmall();
    const halt = step('creates.halt', 'halt');
    const rules = [{ value: '{{2.phone}}', condition: '(Text) Exactly matches', text: 'two' }] as const;
    const paths: Step[] = [
      { type: 'path', id: 'path', name: 'Two', rules: [...rules] },
      halt,
      { type: 'path', id: 'others', name: 'All', rules: [{ ...rules[0], condition: 'Exists' }] },
      note('{{2.loop_iteration}} {{2.phone}} {{2.name}} {{2.loop_iteration_is_last}}'),
    ];
    const zap = await zapOn(looped, ...paths);
    await deliver(zap, { phones: ['one', 'two', 'three'], names: ['Noor', null] });
    expect(service.ran.filter((name) => name !== 'halt')).toEqual(['1 one Noor false', '3 three  true']);
    expect(statuses()).toEqual(['success', 'halted', 'success']);
    expect(runs.list().map(({ trigger: given }) => given)).toHaveLength(3);
  });

  test('a run that waits has not ended, and goes on with what its callback brings', async () => {
    const { zapOn, deliver, runs, settled, service } = await startSmall();
    await deliver(await zapOn(step('creates.ask', 'first'), note('{{2.reply}} {{2.id}}')));
    const waiting = newestOf(runs);
    expect([waiting.status, hasEnded(waiting), service.ran]).toEqual(['waiting', false, ['first']]);
    const { callback } = Object(waiting.steps[1]?.output);
    expect((await fetch(callback, { method: 'POST', body: '{"reply":"PX-1"}' })).status).toBe(200);
    await settled();
    expect([waiting.status, hasEnded(waiting), service.ran]).toEqual(['success', true, ['first', 'PX-1 1']]);
  });

  const never: Step = { type: 'filter', id: 'filter', rules: [{ value: 'a', condition: 'Does not exist', text: '' }] };

  test.each([
    ['halted', step('creates.halt', 'first'), ['first']],
    ['error', step('creates.fail', 'first'), ['first']],
    ['held', step('creates.throttle', 'first'), ['first']],
    ['waiting', step('creates.ask', 'first'), ['first']],
    ['halted', step('searches.find', 'none'), []],
    ['filtered', never, []],
  ])('no step runs after one that is %s: %#', async (status, first, ran) => {
    const { zapOn, deliver, service, statuses } = await startSmall();
    const zap = await zapOn(first, note('second'));
    Object.assign(service, { isBusy: true, isDown: true });
    await deliver(zap);
    expect([statuses(), service.ran]).toEqual([[status], ran]);
  });

  test('an Autoreplay goes on once, at the step that failed', async () => {
    const { zapOn, deliver, runs, runner, settled, service } = await startSmall();
    const zap = await zapOn(note('first'), step('creates.fail', 'second'), note('third'));
    service.isDown = true;
    await deliver(zap);
    service.isDown = false;
    const failed = newestOf(runs);
    await runner.autoreplay(failed);
    await runner.autoreplay(failed);
    await settled();
    expect([service.ran, runs.list().length]).toEqual([['first', 'second', 'second', 'third'], 1]);
  });

  test('a refused account holds its run and every later one, which call nothing, until it is connected again', async () => {
    const { zapOn, deliver, runs, runner, settled, service, connection, statuses } = await startSmall();
    const zap = await zapOn(step('creates.sign', '{{1.id}}'), note('after {{1.id}}'));
    service.token = 'rotated';
    await deliver(zap, { id: 1 });
    await deliver(zap, { id: 2 });
    expect([statuses(), service.ran]).toEqual([['held', 'held'], ['1']]);
    const failures = runs.list().map(({ steps }) => steps[1]?.failure);
    expect(failures).toEqual([
      {
        message: "The account isn't connected.",
        effect: 'Zapier holds this run (On hold) until you reconnect the account.',
      },
      {
        message: 'The token is no longer valid.',
        effect: 'Zapier asks you to reconnect the account and holds its runs (On hold) until then.',
      },
    ]);
    // As long as it isn't connected, nothing goes on.
    await runner.paused.releaseHeld();
    await settled();
    expect(service.ran).toEqual(['1']);
    connection.reconnect({ token: 'rotated' });
    await runner.paused.releaseHeld();
    await settled();
    expect([statuses(), service.ran]).toEqual([
      ['success', 'success'],
      ['1', '1', 'after 1', '2', 'after 2'],
    ]);
  });

  test('a held run goes on once when the account is connected again twice, however slow its step is', async () => {
    const { zapOn, deliver, runner, settled, service, connection, statuses } = await startSmall();
    const zap = await zapOn(step('creates.ask', '{{1.id}}'));
    connection.holdsRuns = true;
    for (const id of [1, 2]) await deliver(zap, { id });
    expect([statuses(), service.ran]).toEqual([['held', 'held'], []]);
    connection.holdsRuns = false;
    const { promise, open } = gate();
    service.during = () => promise;
    // The first release waits for its step, and the second one overtakes it.
    const first = runner.paused.releaseHeld();
    const second = runner.paused.releaseHeld();
    open();
    await Promise.all([first, second]);
    await settled();
    expect(statuses()).toEqual(['waiting', 'waiting']);
    expect(service.ran.toSorted()).toEqual(['1', '2']);
  });

  test('an earlier process leaves runs that wait as they are, and fails the one that it stopped in a step', async () => {
    const [store, service] = [new MemoryStore(), newService()];
    const before = await startSmall({ store, service });
    const zap = await before.zapOn(note('first'), wait, note('{{1.id}}'));
    await before.deliver(zap, { id: 'waits' });
    const { promise, open } = gate();
    service.during = () => promise;
    void before.runner.startWith(zap, 'live', { id: 'stopped' });
    await until(() => service.ran.length === 2);

    const copy = new MemoryStore();
    for (const each of before.zaps.list()) copy.put('zap', each.id, structuredClone(each));
    for (const each of before.runs.list().toReversed()) copy.put('run', each.id, structuredClone(each));
    open();
    await before.settled();
    service.during = async () => undefined;
    service.ran.length = 0;

    const { runs, runner, pass, statuses } = await startSmall({ store: copy, service });
    runner.paused.restore();
    expect(statuses()).toEqual(['error', 'delayed']);
    expect(runs.list()[0]?.steps[1]).toMatchObject({
      title: 'Act note',
      failure: { message: 'The process stopped during this step.', effect: 'Replay the run.' },
    });
    await pass(3600);
    expect([statuses(), service.ran]).toEqual([['error', 'success'], ['waits']]);
  });
});

describe('throttle and lock', () => {
  const mapped = (operation: string) => step(operation, '{{1.name}}');

  test('a run over the limit of its value is held until its window ends, and nothing is lost', async () => {
    const { zapOn, deliver, pass, service, runs, statuses } = await startSmall();
    const zap = await zapOn(mapped('creates.limited'));
    for (let id = 0; id < 3; id += 1) await deliver(zap, { id, name: 'Noor' });
    expect(service.ran).toEqual(['Noor', 'Noor']);
    expect(runs.list()[0]?.steps[1]).toMatchObject({
      status: 'held',
      failure: {
        message: 'The app lets this action run 2 times in 600 s for the same value.',
        effect: 'Zapier holds this run (On hold) and tries again in 600 s.',
      },
    });
    await deliver(zap, { id: 3, name: 'Sam' });
    expect(service.ran).toEqual(['Noor', 'Noor', 'Sam']);
    await pass(599);
    expect(service.ran).toHaveLength(3);
    await pass(1);
    expect([service.ran.length, ...statuses()]).toEqual([4, ...Array(4).fill('success')]);
  });

  test('a run whose lock another one has goes on after it, and one with another text at once', async () => {
    const { zapOn, deliver, pass, service, zaps, runner, settled, statuses } = await startSmall();
    const zap = await zapOn(mapped('creates.alone'));
    const { promise, open } = gate();
    service.during = () => promise;
    const first = runner.startWith(zap, 'live', { id: 1, name: 'Noor' });
    await until(() => service.ran.length > 0);
    service.during = async () => undefined;
    await Promise.all([
      runner.startWith(zap, 'live', { id: 2, name: 'Noor' }),
      runner.startWith(zap, 'live', { id: 3, name: 'Sam' }),
    ]);
    expect(service.ran).toEqual(['Noor', 'Sam']);
    open();
    await first;
    await settled();
    expect(statuses()).toContain('held');
    await pass(30);
    expect([service.ran, statuses()]).toEqual([
      ['Noor', 'Sam', 'Noor'],
      ['success', 'success', 'success'],
    ]);
    await deliver(zap, { id: 4, name: 'Noor' });
    expect(zaps.list()).toHaveLength(1);
    expect(service.ran).toHaveLength(4);
  });
});

describe('the cache', () => {
  const start = () => {
    const time = { now: 0 };
    const store = new RpcStore(new MemoryStore(), { now: () => time.now, at: () => undefined });
    const call = (method: string, ...params: unknown[]) => store.answer({ id: 1, method, params })?.result;
    return { time, call };
  };

  test('a value is there until its time is over, and may then be set by whoever sets it only if there is none', () => {
    const { time, call } = start();
    const takeFor = (seconds: number, value: string) => call('zcache_set', 'key', value, seconds, null, true);
    expect(takeFor(60, 'first')).toBe(true);
    time.now = 59_999;
    expect([takeFor(60, 'second'), call('zcache_get', 'key')]).toEqual([false, 'first']);
    time.now = 60_000;
    expect(call('zcache_get', 'key')).toBeNull();
    expect([takeFor(60, 'third'), call('zcache_get', 'key')]).toEqual([true, 'third']);
  });
});

describe('polling', () => {
  beforeEach(() => {
    jest.useFakeTimers({
      doNotFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'nextTick', 'Date', 'performance'],
    });
  });
  afterEach(() => void jest.useRealTimers());

  const startPolled = async (operation = 'triggers.found') => {
    const zapier = await startSmall();
    const zap = zapier.zaps.add([trigger(operation), note('{{1.id}}')]);
    await zapier.subscriptions.turnOn(zap);
    const poll = async (found: number) => {
      zapier.service.found = found;
      jest.runOnlyPendingTimers();
      await zapier.settled();
      return zapier.service.ran.splice(0);
    };
    return { ...zapier, zap, poll };
  };

  test('each new record starts one run, oldest first, and one that came while the Zap was off none', async () => {
    const { poll, subscriptions, zap, service, polling } = await startPolled();
    expect([await poll(1), await poll(4), await poll(4), await poll(5)]).toEqual([[], ['1', '2', '3'], [], ['4']]);
    await subscriptions.turnOff(zap);
    service.isDown = true;
    // The service isn't even asked.
    expect([await poll(6), polling.checks()]).toEqual([[], []]);
    service.isDown = false;
    await subscriptions.turnOn(zap);
    expect([await poll(6), await poll(7)]).toEqual([[], ['6']]);
  });

  test('a poll that fails loses nothing, and its reason is told', async () => {
    const { poll, service, polling, zap } = await startPolled();
    service.isDown = true;
    expect(await poll(3)).toEqual([]);
    expect(await poll(3)).toEqual([]);
    expect(polling.checks()).toEqual([{ zapId: zap.id, count: 2, since: 0, problem: 'The service is down.' }]);
    service.isDown = false;
    expect(await poll(3)).toEqual(['1', '2']);
    expect(polling.checks()).toEqual([]);
  });
});

describe('subscriptions', () => {
  const day = 86_400;

  /** A Zap that is on, and whose webhook exists for 30 days. */
  const startRenewed = async () => {
    const service = newService();
    service.lifetime = 30 * day;
    const zapier = await startSmall({ service });
    return { ...zapier, zap: await zapier.zapOn(note('{{1.id}}')) };
  };

  test('a Zap that two tabs turn on at once subscribes once', async () => {
    const { zapOf, subscriptions, service } = await startSmall();
    const zap = zapOf();
    await Promise.all([subscriptions.turnOn(zap), subscriptions.turnOn(zap)]);
    await subscriptions.turnOn(zap);
    expect([zap.isOn, service.subscriptions]).toEqual([true, 1]);
  });

  test('a webhook is renewed each time it expires, keeps its address, and goes on starting runs', async () => {
    const { zap, pass, deliver, service } = await startRenewed();
    const { targetUrl } = zap.subscription ?? {};
    for (const id of [2, 3, 4]) {
      await pass(30 * day);
      expect([...service.webhooks]).toEqual([[`webhook-${id}`, { targetUrl, of: undefined }]]);
      expect(zap.subscription).toMatchObject({ id: `webhook-${id}`, targetUrl });
    }
    await pass(365 * day);
    expect([...service.webhooks.keys()]).toEqual([zap.subscription?.id]);
    await deliver(zap, { id: 'renewed' });
    expect(service.ran).toEqual(['renewed']);
  });

  test('a renewal that the service refuses is named, and tried again every minute until it succeeds', async () => {
    const { zap, pass, service } = await startRenewed();
    service.isDown = true;
    await pass(30 * day);
    expect(zap).toMatchObject({ problem: "The subscription wasn't renewed. The service is down.", isOn: true });
    await pass(59);
    expect(service.subscriptions).toBe(2);
    await pass(61);
    expect(service.subscriptions).toBe(4);
    service.isDown = false;
    await pass(60);
    expect([zap.problem, zap.subscription?.id, service.subscriptions]).toEqual([undefined, 'webhook-5', 5]);
    await pass(600);
    expect(service.subscriptions).toBe(5);
  });

  test('a Zap that is turned off while its webhook is renewed leaves none', async () => {
    const { zap, pass, subscriptions, service } = await startRenewed();
    const { promise, open } = gate();
    service.subscribing = () => promise;
    const renewed = pass(30 * day);
    await until(() => service.subscriptions === 2);
    await subscriptions.turnOff(zap);
    open();
    await renewed;
    expect([zap.isOn, zap.subscription, service.webhooks.size]).toEqual([false, undefined, 0]);
  });

  test('a Zap whose webhook the service keeps is off and says so, and the address starts no run', async () => {
    const { zapOn, subscriptions, deliver, service, runs } = await startSmall();
    const zap = await zapOn(note('first'));
    const { targetUrl = '' } = zap.subscription ?? {};
    service.isDown = true;
    expect(await subscriptions.turnOff(zap)).toBe(
      "The service didn't remove the webhook webhook-1: The service is down. The webhook starts no runs while the Zap is off, and the service deletes it after its next event.",
    );
    service.isDown = false;
    expect(await deliver(zap, { id: 1 }, targetUrl)).toBe(410);
    await subscriptions.turnOn(zap);
    expect(zap.subscription?.targetUrl).not.toBe(targetUrl);
    expect(await deliver(zap, { id: 2 }, targetUrl)).toBe(410);
    expect(runs.list()).toEqual([]);
  });

  /** A Zap that is on, and whose editor has other steps. `before` is the address of its webhook. */
  const startChanged = async (...steps: Step[]) => {
    const zapier = await startSmall();
    const zap = await zapier.zapOn(note('old {{1.id}}'));
    const { targetUrl: before = '' } = zap.subscription ?? {};
    zapier.zaps.change(zap, { steps });
    return { ...zapier, zap, before };
  };

  const another = trigger('triggers.came', { of: 'another' });

  test('a Zap that is on listens for its published trigger until another one is published', async () => {
    const { zap, before, subscriptions, deliver, service } = await startChanged(another, note('new {{1.id}}'));
    await deliver(zap, { id: 1 });
    expect(service.ran.splice(0)).toEqual(['old 1']);
    await subscriptions.publish(zap);
    expect([...service.webhooks.values()]).toEqual([{ targetUrl: zap.subscription?.targetUrl, of: 'another' }]);
    expect([await deliver(zap, { id: 2 }, before), await deliver(zap, { id: 3 })]).toEqual([410, 200]);
    expect(service.ran).toEqual(['new 3']);
  });

  test('a new process renews a webhook that the service lost or that leads elsewhere, and keeps the others', async () => {
    const service = newService();
    const store = new MemoryStore();
    const before = await startSmall({ store, service });
    const zap = await before.zapOn(note('{{1.id}}'));
    const isOff = before.zapOf();
    await before.stop();

    const after = await startSmall({ store, service });
    await after.subscriptions.restore(new Set(service.webhooks.keys()));
    const [restored] = after.zaps.list();
    // The address of another process leads nowhere.
    expect(restored?.subscription?.targetUrl).toContain(`${after.url}/hooks/`);
    expect([...service.webhooks.keys()]).toEqual([restored?.subscription?.id]);
    expect(restored?.subscription?.id).not.toBe(zap.subscription?.id);
    const { subscriptions } = service;
    await after.subscriptions.restore(new Set(service.webhooks.keys()));
    expect(service.subscriptions).toBe(subscriptions);
    service.webhooks.clear();
    await after.subscriptions.restore(new Set());
    expect(service.subscriptions).toBe(subscriptions + 1);
    expect(after.zaps.find(isOff.id)?.isOn).toBe(false);
  });
});

describe('the platform', () => {
  const ask = step('creates.ask', 'question');
  const last: Step = { type: 'filter', id: 'last', rules: [{ value: '1', condition: 'Exists', text: '' }] };
  const find = (name: string, search: AppStep['search'] = {}): Step => ({ ...step('searches.find', name), search });

  const start = async (...steps: Step[]) => {
    const zapier = await startSmall();
    const { runner, runs, settled, url } = zapier;
    const zap = zapier.zapOf(...steps);
    /** Runs the Zap to its end. Returns what each step came to. */
    const run = async () => {
      await runner.startWith(zap, 'live', { id: 1 });
      await settled();
      return (runs.list()[0]?.steps ?? []).slice(1).map(({ status, output }) => [status, output]);
    };
    /** Answers the question of the newest run. */
    const callBack = async (query = '') => {
      const address = `${url}/callbacks/${runs.list()[0]?.id}-1${query}`;
      return (await fetch(address, { method: 'POST', body: '{"answer":"yes"}' })).status;
    };
    return { ...zapier, log: zapier.service.log, zap, run, callBack };
  };

  const found = { [platform.searchFound.is]: true };

  test.each([
    [{}, { id: 'a', at: { place: 'place of a' }, ...found }],
    [{ results: 'first' }, { id: 'a', at: { place: 'place of a' }, ...found }],
    [{ results: 'all' }, { id: ['a', 'b'], at: { place: ['place of a', 'place of b'] }, ...found }],
  ] as const)('a search set to %j gives its first result, or all as line items', async (search, output) => {
    const { run, log } = await start(find('a b', search));
    expect(await run()).toEqual([['success', output]]);
    expect(log).toEqual(['finds {"name":"a b"}']);
  });

  test('a filter after a search sees whether it was found, also when later steps get all results', async () => {
    const rule = { value: `{{2.${platform.searchFound.is}}}`, condition: '(Boolean) Is true', text: '' } as const;
    const { run } = await start(find('a b', { results: 'all' }), { ...last, rules: [rule] });
    expect((await run()).map(([status]) => status)).toEqual(['success', 'success']);
  });

  test('a search that finds nothing stops the run, or continues and says so', async () => {
    const { run } = await start(find('a', { whenNone: 'continue' }), find('{{2.nothing}}'), last);
    expect((await run()).map(([status]) => status)).toEqual(['success', 'halted']);
    const { run: runOn } = await start(find('', { whenNone: 'continue' }), last);
    expect(await runOn()).toEqual([
      ['success', { [platform.searchFound.is]: false }],
      ['success', undefined],
    ]);
  });

  test('of two callbacks before their step returned, one is taken when it has', async () => {
    const { run, service, log, callBack } = await start(ask);
    const responded: number[] = [];
    service.during = async () => void responded.push(await callBack(), await callBack());
    expect(await run()).toMatchObject([['success', { id: 1, answer: 'yes' }]]);
    expect([responded, log]).toEqual([
      [200, 410],
      ['ask begins', 'ask ends', 'ask resumes'],
    ]);
  });

  test('a callback whose address is used up goes on with nothing', async () => {
    const { run, log, settled, callBack } = await start(ask, note('after'));
    await run();
    expect([await callBack(), await callBack()]).toEqual([200, 410]);
    await settled();
    expect(log).toEqual(['ask begins', 'ask ends', 'ask resumes', 'note begins', 'note ends']);
  });

  test('a resumed step sees the query of its callback', async () => {
    const { run, settled, runs, callBack } = await start(ask);
    const querystring = { a: '1', b: 'ü & x' };
    await run();
    await callBack(`?${new URLSearchParams(querystring)}`);
    await settled();
    expect(runs.list()[0]?.steps[1]?.output).toMatchObject({ id: 1, answer: 'yes', querystring });
  });

  test('a callback that comes more than 30 days later resumes nothing', async () => {
    const { run, log, callBack, pass } = await start(ask);
    await run();
    await pass(platform.callbackSeconds.is + 1);
    expect([await callBack(), log]).toEqual([410, ['ask begins', 'ask ends']]);
  });

  test.each(['/hooks/none', '/callbacks/none', '/rpc'])(
    '%s takes 10 MB at most, however they are sent',
    async (path) => {
      const { url } = await start(last);
      const piece = new Uint8Array(platform.deliveryBytes.is / 4);
      const body = ReadableStream.from([piece, piece, piece, piece, piece]);
      const init = { method: 'POST', body, duplex: 'half' as const };
      expect((await fetch(url + path, init)).status).toBe(413);
    },
  );

  test.each([
    ['/callbacks/none', '{', 400],
    ['/callbacks/none', '{}', 410],
    ['/rpc', 'junk', 400],
    ['/rpc', '{"id":1,"method":"drop","params":[]}', 400],
    ['/hooks/none', '{}', 410],
    ['/elsewhere', '{}', 404],
  ])('%s responds to %s with %d', async (path, body, status) => {
    const { url } = await start(last);
    expect((await fetch(url + path, { method: 'POST', body })).status).toBe(status);
  });
});

test('only four files have timers, so nothing can start after everything has settled', () => {
  const timers = /\b(?:setTimeout|setInterval|setImmediate|nextTick|queueMicrotask)\b/;
  const files = globSync('lab/zapier/{*,!(test)/**/*}.ts').filter((path) => timers.test(readFileSync(path, 'utf8')));
  expect(files.map((path) => path.replaceAll('\\', '/')).toSorted()).toEqual([
    'lab/zapier/clock.ts',
    'lab/zapier/core/work.ts',
    // The end of a step that takes too long.
    'lab/zapier/kinds/app-runner.ts',
    // The polls, a minute apart.
    'lab/zapier/starts/polling.ts',
  ]);
});

test('a page with much memory goes on after hundreds of runs, unlike a server of Zapier', () => {
  const checkMemory = jest.requireActual<() => void>('zapier-platform-core/src/tools/memory-checker');
  const large = { ...process.memoryUsage(), rss: 2 ** 40 };
  const usage = jest.spyOn(process, 'memoryUsage').mockImplementation(Object.assign(() => large, { rss: () => 0 }));
  const exit = jest.spyOn(process, 'exit').mockImplementation();
  for (let run = 0; run < 260; run += 1) checkMemory();
  expect([usage.mock.calls.length, exit.mock.calls]).toEqual([260, []]);
  usage.mockRestore();
  exit.mockRestore();
});

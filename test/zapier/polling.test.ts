/** Triggers without a webhook: what a poll finds starts one run each, oldest first, and nothing else does. */
import { note, startSmall, stopAll, trigger } from './small-app';

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'nextTick', 'Date', 'performance'] });
});
afterEach(async () => {
  jest.useRealTimers();
  await stopAll();
});

const startPolled = async () => {
  const zapier = await startSmall();
  const zap = zapier.zaps.add([trigger('triggers.found'), note('{{1.id}}')]);
  await zapier.subscriptions.turnOn(zap);
  const poll = async (found: number) => {
    zapier.service.found = found;
    jest.runOnlyPendingTimers();
    await zapier.settled();
    return zapier.service.ran.splice(0);
  };
  return { ...zapier, zap, poll };
};

test('each new record starts one run, oldest first', async () => {
  const { poll } = await startPolled();
  expect([await poll(1), await poll(4), await poll(4), await poll(5)]).toEqual([[], ['1', '2', '3'], [], ['4']]);
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

test('what another account has starts no run, and what is new there does', async () => {
  const { poll, connection } = await startPolled();
  Object.assign(connection, { account: 'another' });
  expect([await poll(9), await poll(10)]).toEqual([[], ['9']]);
});

test('an account that has to be connected again is not polled', async () => {
  const { poll, connection } = await startPolled();
  connection.refuse();
  expect(await poll(3)).toEqual([]);
  connection.reconnect({ token: 'secret' });
  expect(await poll(3)).toEqual(['1', '2']);
});

test.each([
  ['off', ['turnOff']],
  ['off and on', ['turnOff', 'turnOn']],
] as const)('a Zap that is turned %s starts no further run of the records that it found', async (_, turns) => {
  const { poll, service, subscriptions, zap, settled, runs } = await startPolled();
  const { promise, resolve } = Promise.withResolvers<void>();
  service.during = () => promise;
  const polled = poll(3);
  while (service.ran.length === 0) await new Promise(setImmediate);
  for (const turn of turns) await subscriptions[turn](zap);
  resolve();
  await polled;
  await settled();
  expect(runs.list().map((run) => run.trigger)).toEqual([{ id: 1 }]);
});

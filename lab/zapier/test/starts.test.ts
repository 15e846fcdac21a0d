/** What starts a Zap: polls, and webhooks that are created, renewed and deleted. */
import type { Step } from '../kinds';
import { MemoryStore } from '../zap/store';
import { gate, newService, note, startSmall, stopAll, trigger, until } from './small-app';

afterEach(stopAll);

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

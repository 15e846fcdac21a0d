/** Webhooks of Zaps: they begin, are renewed, are replaced and end, and each Zap has one. */
import { MemoryStore } from '../../zapier/zap/store';
import { newService, note, startSmall, stopAll, trigger } from './small-app';

afterEach(stopAll);

const day = 86_400;

/** A promise, and what fulfills it. */
const gate = () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { promise, open: () => resolve() };
};

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

test('a Zap that the service refuses stays off, and can be turned on later', async () => {
  const { zapOf, subscriptions, service } = await startSmall();
  const zap = zapOf();
  service.isDown = true;
  await expect(subscriptions.turnOn(zap)).rejects.toThrow('The service is down.');
  expect([zap.isOn, zap.subscription]).toEqual([false, undefined]);
  service.isDown = false;
  await subscriptions.turnOn(zap);
  expect([zap.isOn, zap.subscription?.id]).toEqual([true, 'webhook-2']);
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

test('a refused renewal is not tried again for a Zap that was turned off and on', async () => {
  const { zap, pass, subscriptions, service } = await startRenewed();
  service.isDown = true;
  await pass(30 * day);
  service.isDown = false;
  await subscriptions.turnOff(zap);
  await subscriptions.turnOn(zap);
  const { id } = zap.subscription ?? {};
  await pass(3600);
  expect([zap.subscription?.id, service.subscriptions, [...service.webhooks.keys()]]).toEqual([id, 3, [id]]);
});

test('a Zap that is turned off while its webhook is renewed leaves none', async () => {
  const { zap, pass, subscriptions, service } = await startRenewed();
  const { promise, open } = gate();
  service.subscribing = () => promise;
  const renewed = pass(30 * day);
  while (service.subscriptions < 2) await new Promise(setImmediate);
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

test('a Zap that is on listens for its published trigger until another one is published', async () => {
  const { zapOn, zaps, subscriptions, deliver, service } = await startSmall();
  const zap = await zapOn(note('{{1.id}}'));
  const { targetUrl: before = '' } = zap.subscription ?? {};
  zaps.change(zap, { steps: [trigger('triggers.came', { of: 'another' }), note('new {{1.id}}')] });
  await deliver(zap, { id: 1 });
  expect(service.ran.splice(0)).toEqual(['1']);
  await subscriptions.publish(zap);
  expect([...service.webhooks.values()]).toEqual([{ targetUrl: zap.subscription?.targetUrl, of: 'another' }]);
  expect(await deliver(zap, { id: 2 }, before)).toBe(410);
  expect(await deliver(zap, { id: 3 })).toBe(200);
  expect(service.ran).toEqual(['new 3']);
});

test('a change after the trigger is published without another webhook', async () => {
  const { zapOn, zaps, subscriptions, deliver, service } = await startSmall();
  const zap = await zapOn(note('old'));
  zaps.change(zap, { steps: [trigger('triggers.came', { of: '' }), note('new')] });
  await subscriptions.publish(zap);
  await deliver(zap);
  expect([service.ran, service.subscriptions]).toEqual([['new'], 1]);
});

test('a Zap whose new trigger the service refuses runs as before', async () => {
  const { zapOn, zaps, subscriptions, deliver, service } = await startSmall();
  const zap = await zapOn(note('old'));
  zaps.change(zap, { steps: [trigger('triggers.came', { of: 'another' }), note('new')] });
  service.isDown = true;
  await expect(subscriptions.publish(zap)).rejects.toThrow('The service is down.');
  service.isDown = false;
  await deliver(zap);
  expect([service.ran, [...service.webhooks.keys()]]).toEqual([['old'], ['webhook-1']]);
});

test('a Zap whose trigger becomes that of another app listens no longer for the one before', async () => {
  const { zapOn, zaps, subscriptions, deliver, service, runner } = await startSmall();
  const zap = await zapOn(note('old'));
  const { targetUrl } = zap.subscription ?? {};
  zaps.change(zap, { steps: [{ type: 'delay', id: 'delay', value: '1', unit: 'hours' }, note('new')] });
  await subscriptions.publish(zap);
  expect([zap.subscription, service.webhooks.size, await deliver(zap, { id: 1 }, targetUrl)]).toEqual([
    undefined,
    0,
    410,
  ]);
  await runner.startWith(zap, 'live', {});
  expect(service.ran).toEqual(['new']);
});

test('a Zap that another app starts is turned on and off without a webhook', async () => {
  const { zaps, subscriptions, service } = await startSmall();
  const zap = zaps.add([{ type: 'delay', id: 'delay', value: '1', unit: 'hours' }, note('sent')]);
  await subscriptions.turnOn(zap);
  expect([zap.isOn, zap.published?.length, service.subscriptions]).toEqual([true, 2, 0]);
  expect(await subscriptions.turnOff(zap)).toBeUndefined();
  expect([zap.isOn, zap.published]).toEqual([false, undefined]);
});

test('a Zap that is turned off while its new trigger is published leaves no webhook', async () => {
  const { zapOn, zaps, subscriptions, service } = await startSmall();
  const zap = await zapOn(note('old'));
  zaps.change(zap, { steps: [trigger('triggers.came', { of: 'another' }), note('new')] });
  const { promise, open } = gate();
  service.subscribing = () => promise;
  const published = subscriptions.publish(zap);
  while (service.subscriptions < 2) await new Promise(setImmediate);
  await subscriptions.turnOff(zap);
  open();
  await published;
  expect([zap.isOn, zap.subscription, service.webhooks.size]).toEqual([false, undefined, 0]);
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

/** The brake against loops, as the stand-in for Zapier applies it to this app. */
import app from '../../src';
import { message } from '../../src/api/resources';
import { authData, expectCall } from '../support/service';
import { startZapier, type Zapier } from '../support/zapier';

const variables = { parcel_id: 'PX-1', arrival_time: '14:30' };
const send = { channel: 'whatsapp', template: 'parcel_out_for_delivery', to: '{{1.to}}', variables };

/** Starts a Zap that sends what its trigger says, by a clock that a test moves. */
const start = async () => {
  const time = { now: 0, due: [] as { at: number; run: () => Promise<unknown> }[] };
  const clock = {
    now: () => time.now,
    at: (at: number, run: () => Promise<unknown>) => void time.due.push({ at, run }),
  };
  const zapier: Zapier = await startZapier({ authData, clock });
  const zap = zapier.addZap([
    { type: 'other', app: 'Shop', event: 'New Order', json: '{}' },
    { type: 'app', operation: 'creates.send_message', values: send },
  ]);
  const run = (to: string) => zapier.runner.startWith(zap, 'live', { to });
  const pass = async (seconds: number) => {
    time.now += seconds * 1000;
    for (const { run: continueRun } of time.due.splice(0).filter(({ at }) => at <= time.now)) await continueRun();
    await zapier.settled();
  };
  return { ...zapier, run, pass };
};

const expectSends = (count: number) => {
  for (let sent = 0; sent < count; sent += 1)
    expectCall('sendMessage').reply(202, { ...message.sample, id: `${sent}` });
};

test('the 21st message to a number within ten minutes waits, and is then sent', async () => {
  const { run, pass, runs, stop } = await start();
  expectSends(20);
  for (let sent = 0; sent < 21; sent += 1) await run('+12025550123');
  expect(runs.list().map(({ status }) => status)).toEqual(['held', ...Array.from({ length: 20 }, () => 'success')]);
  expectSends(1);
  await pass(600);
  expect(runs.list()[0]?.status).toBe('success');
  await stop();
});

test('the brake sees the number as it was entered, so another spelling counts as another person', async () => {
  const { run, runs, stop } = await start();
  expectSends(22);
  for (const to of ['+12025550123', '+1 202 555 0123']) for (let sent = 0; sent < 11; sent += 1) await run(to);
  expect(new Set(runs.list().map(({ status }) => status))).toEqual(new Set(['success']));
  await stop();
});

test('what sends has one brake for all, and what two runs at once would both do has a lock', () => {
  const { send_message, send_message_and_wait, start_campaign, create_or_update_contact } = app.creates;
  const brakes = [send_message, send_message_and_wait, start_campaign].map((step) => step?.operation);
  expect(brakes).toMatchObject(
    Array.from({ length: 3 }, () => ({
      throttle: { window: 600, limit: 20, key: 'recipient-{{bundle.inputData.to}}', scope: ['auth'] },
    })),
  );
  expect([start_campaign?.operation, create_or_update_contact?.operation]).toMatchObject([
    { lock: { key: 'campaign-{{bundle.inputData.campaign}}-{{bundle.inputData.to}}', scope: ['auth'] } },
    { lock: { key: 'contact-{{bundle.inputData.phone}}-{{bundle.inputData.email}}', scope: ['auth'] } },
  ]);
});

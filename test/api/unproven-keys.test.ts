/** A service that nobody has tried may ignore idempotency keys. Then a repeat would send twice. */
import nock from 'nock';
import { message } from '../../src/api/resources';
import { asService } from '../support/as-service';
import { authData, expectCall, listAnyTemplate } from '../support/service';
import { runStep } from '../support/zapier';

const inputData = {
  channel: 'whatsapp',
  template: 'parcel_out_for_delivery',
  to: '+12025550123',
  deduplication_key: 'A-1',
};

/** Sends while the service accepts each message, and loses its first response. Returns what the step says, and what was sent. */
const sendThroughLoss = async () => {
  listAnyTemplate();
  let sends = 0;
  expectCall('sendMessage')
    .interceptor.times(2)
    .reply(() => {
      sends += 1;
      return sends === 1 ? [502, ''] : [202, message.sample];
    });
  const run = runStep('creates.send_message.operation.perform', { authData, inputData });
  const said = await run.then(() => 'ok', String);
  nock.cleanAll();
  return { said, sends };
};

test('sends once and halts when nobody has shown that the service keeps keys', async () => {
  const { said, sends } = await asService(sendThroughLoss);
  expect(sends).toBe(1);
  expect(said).toMatch(/^HaltedError: .*The request may have succeeded, so check before you try again\.$/);
});

test('repeats the request to the sandbox, which keeps keys', async () => {
  expect(await sendThroughLoss()).toEqual({ said: 'ok', sends: 2 });
});

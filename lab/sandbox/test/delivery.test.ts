/** A delivery just as it is on the wire. */
import { Webhook } from 'standardwebhooks';
import * as z from 'zod/mini';
import { Receiver } from '../../../test/support/receiver';
import { newNumber, Running } from '../../../test/support/running';

const service = new Running();

test('an event is delivered with its whole record, signed as Standard Webhooks says', async () => {
  const receiver = await Receiver.start();
  const { secret } = await service.read('createWebhook', { body: { url: receiver.url, events: ['message.received'] } });
  const { body } = await service.control('POST', '/messages', { from: newNumber(), text: 'Hello' });
  const [first] = await receiver.wait(1);
  await receiver.stop();
  const headers = z.record(z.string(), z.string()).parse(first?.headers);
  expect(new Webhook(secret ?? '').verify(first?.raw ?? '', headers)).toEqual({
    id: headers['webhook-id'],
    type: 'message.received',
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    workspace_id: expect.stringMatching(/^ws_/),
    data: body,
  });
});

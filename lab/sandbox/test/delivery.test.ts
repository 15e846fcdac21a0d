/** A delivery just as it is on the wire. */
import { Webhook } from 'standardwebhooks';
import * as z from 'zod/mini';
import { Receiver } from '../../../test/support/receiver';
import { newNumber, Running, withId } from '../../../test/support/running';

const service = new Running({ speed: 1 });

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

test('for a day after a rotation the old secret signs along with the new one', async () => {
  const receiver = await Receiver.start();
  const body = { url: receiver.url, events: ['message.received'] };
  const { id, secret } = await service.read('createWebhook', { body });
  const { body: rotated } = await service.control('POST', `/webhooks/${id}/rotate-secret`);
  const secrets = [secret, withId.parse(rotated).secret].map(String);
  await service.control('POST', '/messages', { from: newNumber(), text: 'Hello' });
  await receiver.wait(1);
  await service.advance(86_400);
  await service.control('POST', '/messages', { from: newNumber(), text: 'Hello again' });
  const received = await receiver.wait(2);
  await receiver.stop();
  const accepts = received.map(({ raw, headers }) =>
    secrets.map((each) => {
      try {
        return Boolean(new Webhook(each).verify(raw, z.record(z.string(), z.string()).parse(headers)));
      } catch {
        return false;
      }
    }),
  );
  expect(accepts).toEqual([
    [true, true],
    [false, true],
  ]);
});

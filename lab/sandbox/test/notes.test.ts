/** What the app makes of the notes that colleagues write between the messages, through Zapier and a whole service. */
import * as z from 'zod/mini';
import { controlOf, newNumber, Running, withId } from '../../../test/support/running';
import { runStep, startZapier } from '../../../test/support/zapier';

const service = new Running({ isSmall: true });
const control = controlOf(service);

test('an internal note is in no trigger, list, transcript, digest or dropdown', async () => {
  const authData = { base_url: service.url, api_token: service.sandbox.tokens.advanced, ai_agents: 'everything' };
  const zapier = await startZapier({ authData });
  const search = (key: string, inputData: Record<string, unknown> = {}) =>
    zapier.run(`searches.${key}.operation.perform`, { inputData });
  const choicesOf = (key: string) => runStep(`searches.${key}.operation.inputFields.0.choices.perform`, { authData });
  const hooks = {
    message_received: {},
    message_sent: { sources: ['colleague', 'automation', 'api'] },
    message_status_updated: { statuses: ['sent', 'delivered', 'read', 'failed'] },
    conversation_closed: {},
  };
  const zaps = await Promise.all(Object.entries(hooks).map(([key, input]) => zapier.turnOn(key, input)));
  const written = await control('/messages', { from: newNumber(), text: 'Hello' });
  const { conversation_id: conversation } = z.looseObject({ conversation_id: z.string() }).parse(written);
  const note = await control(`/conversations/${conversation}/notes`, { text: 'SECRET NOTE' });
  await control(`/conversations/${conversation}/close`);
  const started = await Promise.all(zaps.map((zap) => zap.nextRun()));
  expect(started).toMatchObject([[{ text: 'Hello' }], [], [], [{ last_message: null }]]);
  const told = await Promise.all([
    ...Object.entries(hooks).map(([key, inputData]) =>
      zapier.run(`triggers.${key}.operation.performList`, { inputData }),
    ),
    ...[search('find_messages'), search('find_conversations', { awaiting_reply: 'true' })],
    ...[search('find_conversation_history', { conversation }), search('find_message_status', { message: note.id })],
    ...[choicesOf('find_message_status'), choicesOf('find_conversation_history')],
  ]);
  const conversations = await search('find_conversations');
  expect(JSON.stringify([told, conversations])).not.toMatch(new RegExp(`SECRET NOTE|${note.id}`));
  expect(told).toContainEqual([]);
  await expect(search('find_reply', { message: note.id })).rejects.toThrow('no message with this ID');
  const found = z
    .array(withId)
    .parse(conversations)
    .find(({ id }) => id === conversation);
  expect(found).toMatchObject({ awaiting_reply: null });
  await Promise.all(zaps.map((zap) => zap.turnOff()));
  await zapier.stop();
});

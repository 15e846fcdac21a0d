/** What the stories say of events, runs and messages, however many there are. */
import type { Parts } from '../../playground/service/assemble';
import { messageLine } from '../../playground/service/observer';
import { Store } from '../../playground/service/store';
import { listStories } from '../../playground/service/stories';
import type { Run } from '../../zapier/runs/run';
import { type Assembled, startParts } from '../support/playground-parts';
import { fictionalNumber } from '../support/running';

let opened: Assembled | undefined;
afterEach(async () => {
  await opened?.stop();
  opened = undefined;
});

/** The playground after these events, which it saw in this order. */
const openAfter = async (events: readonly { id: string }[]): Promise<Parts> => {
  const store = new Store(':memory:');
  for (const [at, event] of events.entries()) {
    store.put('event', event.id, event);
    store.put('number', event.id, { id: event.id, number: at + 1 });
  }
  opened = await startParts({}, store);
  return opened.parts;
};

const at = (minute: number): string => new Date(Date.UTC(2026, 10, 24) + minute * 60_000).toISOString();

/** What a customer wrote. */
const asked = (minute: number, text = 'Where is my parcel?') => {
  const data = { id: `msg_${minute}`, direction: 'inbound', from: fictionalNumber(820, minute), text };
  return {
    id: `evt_asked_${minute}`,
    line: `evt_asked_${minute}`,
    type: 'message.received',
    at: at(minute),
    phone: data.from,
    data,
  };
};

/** What became of the answer. */
const answered = (minute: number) =>
  ['message.sent', 'message.delivered', 'message.read'].map((type) => ({
    id: `evt_${type}_${minute}`,
    line: messageLine(`answer_${minute}`),
    type,
    at: at(minute),
    phone: fictionalNumber(820, minute),
  }));

/** A run that a customer's message started, which sent the answer. */
const runOf = (minute: number): Omit<Run, 'id' | 'startedAt'> => {
  const message = { id: `answer_${minute}`, direction: 'outbound', to: fictionalNumber(820, minute), status: 'read' };
  const requests = [{ method: 'POST', path: '/messages', headers: {}, status: 202 }];
  return {
    zapId: 'zap-1',
    title: 'Answer',
    type: 'live',
    status: 'success',
    cause: `evt_asked_${minute}`,
    steps: [
      { title: 'Send', status: 'success', output: { ...message, text: 'Today.', created_at: at(minute) }, requests },
    ],
  };
};

const minutes = Array.from({ length: 200 }, (_, minute) => minute);

test('stories have their beginning after 200 messages and their answers', async () => {
  const parts = await openAfter(minutes.flatMap((minute) => [asked(minute), ...answered(minute)]));
  for (const minute of minutes) parts.runs.add(runOf(minute));
  const stories = await listStories(parts, { customer: '', count: 20 }, []);
  expect(stories).toHaveLength(21);
  for (const { headline } of stories) {
    expect(headline).toEqual([
      expect.stringMatching(/ asked$/),
      'Answer ran',
      expect.stringMatching(/^answered, read/),
    ]);
  }
});

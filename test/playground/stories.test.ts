/** What the stories say of events, runs and messages, however many there are. */
import type { Parts } from '../../playground/service/assemble';
import { startingSteps } from '../../playground/service/new-zaps';
import { messageLine } from '../../playground/service/observer';
import { Store } from '../../playground/service/store';
import { listActivity, listStories } from '../../playground/service/stories';
import type { StepResult } from '../../zapier/core/result';
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

const sending = {
  title: 'Send',
  requests: [{ method: 'POST', path: '/messages', headers: {}, status: 202 }],
};

/** A run that a customer's message started, which sent the answer unless `last` says otherwise. */
const runOf = (minute: number, last: Partial<StepResult> = {}): Omit<Run, 'id' | 'startedAt'> => {
  const message = { id: `answer_${minute}`, direction: 'outbound', to: fictionalNumber(820, minute), status: 'read' };
  const output = { ...message, text: 'Today.', created_at: at(minute) };
  const result: StepResult = last.status
    ? { title: 'Send', status: 'error', requests: [], ...last }
    : { ...sending, status: 'success', output };
  return {
    zapId: 'zap-1',
    title: 'Answer',
    type: 'live',
    status: result.status,
    cause: `evt_asked_${minute}`,
    stepIds: ['trigger', 'send'],
    steps: [{ title: 'Message Received', status: 'success', output: { id: `msg_${minute}` }, requests: [] }, result],
  };
};

const minutes = Array.from({ length: 200 }, (_, minute) => minute);

const list = async (parts: Parts, count = 20) =>
  (await listStories(parts, { customer: '', count, open: [] })).map((story) => ({
    ...story,
    headline: story.headline.map(({ text }) => text),
  }));

test('stories have their beginning after 200 messages and their answers', async () => {
  const parts = await openAfter(minutes.flatMap((minute) => [asked(minute), ...answered(minute)]));
  for (const minute of minutes) parts.runs.add(runOf(minute));
  const stories = await list(parts);
  expect(stories).toHaveLength(21);
  for (const { headline } of stories) {
    expect(headline).toEqual([
      expect.stringMatching(/ asked$/),
      'Answer ran',
      expect.stringMatching(/^answered, read/),
    ]);
  }
});

test.each(['event', 'run'] as const)('the list of one kind has the lines of the stories: %s', async (kind) => {
  const parts = await openAfter(minutes.slice(0, 3).flatMap((minute) => [asked(minute), ...answered(minute)]));
  for (const minute of minutes.slice(0, 3)) parts.runs.add(runOf(minute));
  const all = { customer: '', count: 20, open: ['run-2'] };
  const inStories = (await listStories(parts, all)).flatMap(({ lines }) => lines.filter((line) => line.kind === kind));
  const lines = await listActivity(parts, kind, all);
  expect(lines).toEqual(inStories.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at)));
  expect(lines.length).toBeGreaterThanOrEqual(3);
});

/** The page's Zap with the steps of `runOf`. */
const addZap = ({ zaps }: Parts): string => {
  const [trigger, send] = startingSteps();
  if (!trigger || !send) throw new Error('The first Zap has two steps.');
  return zaps.add([
    { ...trigger, id: 'trigger' },
    { ...send, id: 'send' },
  ]).id;
};

const refused = {
  message: 'Phone Number: "12" isn\'t a complete phone number. Enter it with its country code.',
  effect: 'Zapier stops this run.',
};

test('a run that stopped says where and why, and leads to its step', async () => {
  const parts = await openAfter([asked(1)]);
  const zapId = addZap(parts);
  const run = parts.runs.add({ ...runOf(1, { status: 'halted', failure: refused }), zapId });
  const [story] = await list(parts);
  const reason = 'Safely halted at step 2, and nothing was sent: Phone Number: "12" isn\'t a complete phone number';
  expect(story?.headline).toEqual([expect.stringMatching(/ asked$/), reason]);
  expect(story?.lines.at(-1)).toMatchObject({ isProblem: true, step: { zap: zapId, at: 1, run: run.id } });
});

test('a run on hold waits, which is no problem', async () => {
  const parts = await openAfter([asked(1)]);
  const failure = { message: "The account isn't connected.", effect: 'Zapier holds this run.' };
  parts.runs.add({ ...runOf(1, { status: 'held', failure }), zapId: addZap(parts) });
  const [story] = await list(parts);
  expect(story?.headline.at(-1)).toBe("On hold at step 2, and nothing was sent: The account isn't connected");
  expect(story?.lines.at(-1)).toMatchObject({ isProblem: false, isHeld: true });
});

test('a run that Autoreplay continued still says when it failed', async () => {
  const parts = await openAfter([asked(1)]);
  parts.runs.add({ ...runOf(1), failedAt: at(2) });
  const [story] = await list(parts);
  expect(story?.headline[1]).toMatch(/^failed at \d\d:\d\d, repeated by Zapier, sent 1 message$/);
});

test('a reply that a search found is in the story of its run', async () => {
  const reply = { id: 'msg_9', direction: 'inbound', from: fictionalNumber(820, 1), text: 'Yes' };
  const later = new Date(Date.now() + 60_000).toISOString();
  const event = { id: 'evt_9', line: 'evt_9', type: 'message.received', at: later, phone: reply.from, data: reply };
  const parts = await openAfter([asked(1), event]);
  const run = parts.runs.add(runOf(1));
  run.steps.push({ title: 'Find Reply', status: 'success', output: { ...reply, created_at: later }, requests: [] });
  const [story, ...others] = await list(parts);
  expect(story?.headline).toContainEqual(expect.stringMatching(/ replied$/));
  expect(others).toEqual([]);
});

/** What the page says that a step would send, beside what the same step then sends. */
import fc from 'fast-check';
import { requestActivity } from '../../playground/service/activity';
import { previewStep, type StepPreview } from '../../playground/service/message-preview';
import { messagesIn } from '../../playground/service/sent-messages';
import { readParts } from '../../playground/service/whole-message';
import { definition } from '../../playground/service/zapier';
import { recipes } from '../../recipes';
import { type Recipe, stepsOf } from '../../recipes/recipe';
import { stateOf } from '../../zapier/editor/step-state';
import { type AppStep, toStep } from '../../zapier/kinds';
import { asApp } from '../../zapier/zap/steps';
import { type Assembled, startParts } from '../support/playground-parts';

let assembled: Assembled;
beforeAll(async () => {
  assembled = await startParts();
});
afterAll(() => assembled.stop());

const sends = ({ operation }: AppStep): boolean => operation.startsWith('creates.send_message');

/** Every step of a recipe that sends a message. */
const sending = recipes.flatMap((recipe) =>
  stepsOf(recipe).flatMap((step, index) => {
    const own = asApp(step);
    return own && sends(own) ? [{ recipe, index }] : [];
  }),
);

const texts = fc.oneof(
  fc.constantFrom('26 November', '12', '2026-06-12', '2:30 pm', '14.30', '1.250,50', 'https://example.com/1'),
  fc.constantFrom('a'.repeat(1300), 'a'.repeat(1024), '<b>1</b>', '{{1.nothing}}', 'null', ' ', '{{parcel_id}}'),
  fc.constantFrom('+12025550123', '020 123 4567', '(202) 555-0143', '1'),
  fc.string({ maxLength: 40 }),
);

interface Change {
  key: number;
  text: string;
  isMapped: boolean;
}

const change: fc.Arbitrary<Change> = fc.record({ key: fc.nat(), text: texts, isMapped: fc.boolean() });

const channels = ['whatsapp', 'sms', 'messenger'];

/** Adds a Zap of the recipe with the step changed. A mapped text comes from the first step. */
const addZap = ({ parts }: Assembled, recipe: Recipe, index: number, changes: readonly Change[]) => {
  const steps = stepsOf(recipe);
  const step = asApp(steps[index]);
  if (!step) throw new Error('The step sends nothing.');
  const keys = Object.keys(step.values).filter((key) => key !== 'deduplication_key' && key !== 'template');
  // The same key would send nothing new.
  step.values.deduplication_key = crypto.randomUUID();
  const mapped: Record<string, string> = {};
  for (const { key: at, text, isMapped } of changes) {
    const key = keys[at % keys.length] ?? 'to';
    mapped[key] = text;
    if (key === 'channel') step.values[key] = channels[at % channels.length] ?? 'sms';
    else step.values[key] = isMapped ? `{{1.${key}}}` : text;
  }
  const trigger = asApp(steps[0]);
  const sample = trigger ? definition.find(trigger.operation)?.sample : undefined;
  const [first] = steps;
  const record = first?.type === 'other' ? JSON.parse(first.json) : sample;
  steps[0] = toStep({ type: 'other', app: 'Sheets', event: 'New Row', json: JSON.stringify({ ...record, ...mapped }) });
  return parts.zaps.add(steps);
};

/** Whether the page shows anything in red. */
const hasRed = ({ fields, message }: StepPreview): boolean =>
  message?.problem !== undefined || Object.values(fields).some(({ problem }) => problem !== undefined);

test('a bubble without red is exactly what arrives, and nothing arrives of one with red', async () => {
  const { parts } = assembled;
  const seen = { sent: 0, refused: 0 };
  const steps = fc.constantFrom(...sending);
  const property = fc.asyncProperty(steps, fc.array(change, { maxLength: 2 }), async ({ recipe, index }, changes) => {
    const zap = addZap(assembled, recipe, index, changes);
    await parts.editor.open(zap, index);
    const preview = await previewStep(parts, zap, index);
    const { message } = preview;
    const waits = asApp(zap.steps[index])?.operation === 'creates.send_message_and_wait';
    const run = await parts.editor.run(zap, index, waits);
    const sent = messagesIn(run?.steps[0]?.output).map(({ to, channel, text }) => ({ to, channel, text }));
    expect(sent.length > 0).toBe(message?.isSent);
    if (!message?.isSent) {
      seen.refused += 1;
      return;
    }
    seen.sent += 1;
    expect(hasRed(preview)).toBe(false);
    const shown = message.versions.map(({ body }) => ({
      to: message.phone,
      channel: message.channel,
      text: readParts(body),
    }));
    expect(shown).toContainEqual(sent[0]);
  });
  await fc.assert(property, { numRuns: 150 });
  expect(Math.min(seen.sent, seen.refused)).toBeGreaterThan(3);
});

/** A Zap of a row and a message whose variables are these. */
const addRow = async (values: Record<string, string>, row: object = {}) => {
  const { parts } = assembled;
  const json = JSON.stringify({ phone: '+12025550123', ...row });
  const zap = parts.zaps.add([
    toStep({ type: 'other', app: 'Sheets', event: 'New Row', json }),
    toStep({
      type: 'app',
      operation: 'creates.send_message',
      values: { channel: 'whatsapp', template: 'delivery_rescheduled', to: '{{1.phone}}', ...values },
    }),
  ]);
  await parts.editor.open(zap, 1);
  return zap;
};

const filledIn = { variable_parcel_id: 'PX-7', variable_new_date: '2026-06-12' };

test.each([
  [
    'a typed date',
    { ...filledIn, variable_new_date: '26 November' },
    {},
    'variable_new_date',
    'is an invalid or ambiguous date',
  ],
  [
    'a mapped date',
    { ...filledIn, variable_new_date: '{{1.date}}' },
    { date: '12' },
    'variable_new_date',
    'ambiguous date',
  ],
  ['a long text', { ...filledIn, variable_parcel_id: 'a'.repeat(1300) }, {}, 'variable_parcel_id', '1024'],
  ['another channel', { ...filledIn, channel: 'sms' }, {}, 'template', 'has no template'],
  ['a phone number', { ...filledIn, to: '12' }, {}, 'to', "isn't a phone number"],
])(
  '%s that a run would refuse shows at its field, in the message, on the card, and keeps the Zap from running',
  async (_, values, row, key, sentence) => {
    const { editor } = assembled.parts;
    const zap = await addRow(values, row);
    const { fields, message } = await previewStep(assembled.parts, zap, 1);
    expect(fields[key]?.problem).toContain(sentence);
    expect(message?.problem).toContain(sentence);
    const refusals = await editor.findRefusals(zap);
    const state = stateOf(definition, zap.steps, 1, [], refusals[1]);
    expect(state).toEqual({ status: 'incomplete', problems: { [key]: expect.stringContaining(sentence) } });
    expect((await editor.findZapProblem(zap))?.sentence).toContain(sentence);
  },
);

test('a number that is invalid and a variable that is empty both show', async () => {
  const zap = await addRow({ variable_new_date: '26 November', to: '12' });
  const { fields, message } = await previewStep(assembled.parts, zap, 1);
  expect(Object.keys(fields).toSorted()).toEqual(['to', 'variable_new_date']);
  expect(message).toMatchObject({ isSent: false, problem: expect.stringContaining('ambiguous date') });
});

test('a step that nobody filled in shows no problem', async () => {
  const zap = await addRow({ to: '', template: '', channel: '' });
  expect(await previewStep(assembled.parts, zap, 1)).toMatchObject({ fields: {}, message: { problem: undefined } });
});

test("what only the service refuses of another app's data shows, and doesn't keep the Zap from running", async () => {
  const zap = await addRow({ ...filledIn, variable_parcel_id: '{{1.id}}' }, { id: 'a'.repeat(1300) });
  const { fields, message } = await previewStep(assembled.parts, zap, 1);
  expect([fields.variable_parcel_id?.problem, message?.problem]).toEqual(
    Array(2).fill(expect.stringContaining('1024')),
  );
  expect(await assembled.parts.editor.findZapProblem(zap)).toBeUndefined();
});

test.each(recipes.map((recipe) => [recipe.name, recipe] as const))('nothing of "%s" is refused', async (_, recipe) => {
  const { parts } = assembled;
  const zap = parts.zaps.add(stepsOf(recipe));
  expect(await parts.editor.findZapProblem(zap)).toBeUndefined();
  expect((await parts.editor.findRefusals(zap)).flatMap((each) => Object.values(each))).toEqual([]);
});

test('a preview changes nothing in the service, and Activity shows no request of it', async () => {
  const { parts } = assembled;
  const zap = await addRow(filledIn);
  const read = async () => {
    const messages = await parts.service.listMessages();
    return [messages.map(({ id }) => id), (await requestActivity(parts, 1000)).map(({ id }) => id)];
  };
  const before = await read();
  expect((await previewStep(parts, zap, 1)).message?.isSent).toBe(true);
  expect(await read()).toEqual(before);
});

import fc from 'fast-check';
import { endpoints } from '../../../src/api/endpoints';
import { fictionalNumber } from '../../../test/support/running';
import { recipes } from '../../recipes';
import { type Recipe, stepsOf } from '../../recipes/recipe';
import { callApi } from '../../sandbox/client';
import { stateOf } from '../../zapier/editor/step-state';
import { type AppStep, toStep } from '../../zapier/kinds';
import { asApp } from '../../zapier/zap/steps';
import type { Zap } from '../../zapier/zap/zap';
import { PreviewBubble } from '../page/phone/preview-bubble';
import { setConsent } from '../service/events';
import { previewStep, type StepPreview } from '../service/message-preview';
import { messagesIn } from '../service/sent-messages';
import { readParts } from '../service/whole-message';
import { definition } from '../service/zapier';
import { textOf } from './playground-client';
import { type Assembled, startParts } from './playground-parts';

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
  steps[0] = toStep({
    type: 'other',
    app: 'Sheets',
    event: 'New Row',
    json: JSON.stringify({ ...record, ...mapped }),
  });
  return parts.zaps.add(steps);
};

/** Whether the page shows anything in red. */
const hasRed = ({ fields, message }: StepPreview): boolean =>
  message?.problem !== undefined || Object.values(fields).some(({ problem }) => problem !== undefined);

test('a bubble without red is exactly what arrives, and nothing arrives of one with red', async () => {
  const { parts } = assembled;
  const seen: boolean[] = [];
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
    seen.push(sent.length > 0);
    const shown = message?.versions.map(({ body }) => ({
      to: message.phone,
      channel: message.channel,
      text: readParts(body),
    }));
    for (const each of sent.slice(0, 1)) {
      expect(hasRed(preview)).toBe(false);
      expect(shown).toContainEqual(each);
    }
  });
  await fc.assert(property, { numRuns: 150 });
  for (const isSent of [true, false]) expect(seen.filter((each) => each === isSent).length).toBeGreaterThan(3);
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

test('a test of a step keeps its record when the step is saved meanwhile', async () => {
  const { zaps, editor, service } = assembled.parts;
  const values = { phone: fictionalNumber(820, 999) };
  await service.addContact(values);
  const search = toStep({ type: 'app', operation: 'searches.find_contact', values });
  const zap = zaps.add([toStep({ type: 'other', app: 'Sheets', event: 'New Row', json: '{}' }), search]);
  await editor.open(zap, 1);
  const tested = editor.run(zap, 1, true);
  const save = (step: (typeof zap.steps)[number]) => ({ ...step, values: { ...values, last_name: 'Visser' } });
  zaps.change(zap, { steps: zap.steps.map((each, index) => (index === 1 ? save(each) : each)) });
  expect((await tested)?.status).toBe('success');
  expect(asApp(zap.steps[1])).toMatchObject({ values: { last_name: 'Visser' }, example: { phone: values.phone } });
});

test('a customer has the name of the chat, and a number that is invalid and a variable that is empty both show', async () => {
  expect((await previewStep(assembled.parts, await addRow(filledIn), 1)).message?.name).toBe('Noor Visser');
  const zap = await addRow({ variable_new_date: '26 November', to: '12' });
  const { fields, message } = await previewStep(assembled.parts, zap, 1);
  expect(Object.keys(fields).toSorted()).toEqual(['to', 'variable_new_date']);
  expect(message).toMatchObject({ isSent: false, problem: expect.stringContaining('ambiguous date') });
});

test('a message that was sent for the same value says so, and so does a recipient who opted out', async () => {
  const { parts } = assembled;
  const zap = await addRow(
    { ...filledIn, deduplication_key: '{{1.order}}', to: fictionalNumber(821, 1) },
    { order: 'A-1042' },
  );
  expect((await previewStep(parts, zap, 1)).message).toMatchObject({ isSent: true, isRepeat: false });
  await parts.editor.run(zap, 1, true);
  expect((await previewStep(parts, zap, 1)).message).toMatchObject({ isSent: true, isRepeat: true });
  const other = await addRow({ ...filledIn, to: fictionalNumber(821, 1) });
  await setConsent(parts, fictionalNumber(821, 1), 'opted_out');
  expect((await previewStep(parts, other, 1)).message?.problem).toContain('opted out');
});

const addCampaign = async ({ parts }: Assembled, id: string): Promise<Zap> => {
  const values = { campaign: id, audience: 'saved', max_recipients: '5000' };
  const zap = parts.zaps.add([
    toStep({ type: 'other', app: 'Sheets', event: 'New Row', json: '{"id":1}' }),
    toStep({ type: 'app', operation: 'creates.start_campaign', values }),
  ]);
  await parts.editor.open(zap, 1);
  return zap;
};

const bubbleOf = async ({ parts }: Assembled, zap: Zap): Promise<string> => {
  const { message } = await previewStep(parts, zap, 1);
  return textOf(PreviewBubble({ message, zap, index: 1 })?.toString() ?? '');
};

test('a template that cannot be sent is named with its status, and so is a campaign that cannot start', async () => {
  const { account } = assembled.parts.service;
  expect(await bubbleOf(assembled, await addRow({ template: 'summer_promotion' }))).toMatch(
    /The service lists the template "summer_promotion" as pending\. .* Not sent\. .* isn't approved/,
  );
  const campaigns = (await callApi(account, endpoints.listCampaigns, { query: {} })).data;
  for (const [status, sentence] of [
    ['canceled', 'Not sent. Campaign: this campaign was canceled.'],
    ['sending', 'Not sent. Campaign: this campaign is already sending to its audience.'],
  ]) {
    const { id } = campaigns.find((each) => each.status === status) ?? {};
    expect(await bubbleOf(assembled, await addCampaign(assembled, `${id}`))).toContain(sentence);
  }
});

test('a campaign shows its message and how many people get it', async () => {
  const { parts } = assembled;
  const [campaign] = (await callApi(parts.service.account, endpoints.listCampaigns, { query: {} })).data;
  const zap = await addCampaign(assembled, `${campaign?.id}`);
  const { message } = await previewStep(parts, zap, 1);
  expect(message).toMatchObject({ audience: campaign?.audience_size, template: campaign?.template });
  expect(message?.versions.length).toBeGreaterThan(0);
  expect(await bubbleOf(assembled, zap)).toContain(
    `To ${campaign?.audience_size?.toLocaleString('en')} people on WhatsApp`,
  );
});

test('marketing to a US number is said to arrive only in the sandbox', async () => {
  const templates = await assembled.parts.service.listTemplates();
  const { name } = templates.find(({ category, channel }) => category === 'marketing' && channel === 'whatsapp') ?? {};
  for (const [to, isOnlyInSandbox] of [
    ['+12025550123', true],
    ['+31612345678', false],
  ] as const) {
    const zap = await addRow({ template: `${name}`, to });
    expect((await previewStep(assembled.parts, zap, 1)).message).toMatchObject({ isOnlyInSandbox });
  }
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
  const refusals = await parts.editor.findRefusals(parts.zaps.add(stepsOf(recipe)));
  expect(refusals.flatMap((each) => Object.values(each))).toEqual([]);
});

test('a preview changes nothing in the service', async () => {
  const { parts } = assembled;
  const zap = await addRow(filledIn);
  const read = async () => (await parts.service.listMessages()).map(({ id }) => id);
  const before = await read();
  expect((await previewStep(parts, zap, 1)).message?.isSent).toBe(true);
  expect(await read()).toEqual(before);
});

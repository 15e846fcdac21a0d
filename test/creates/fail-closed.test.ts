/** Fields that prevent harm stop the step when their value, or one that was mapped in them, is empty in a run. */
import fc from 'fast-check';
import { campaign, campaignRun, message } from '../../src/api/resources';
import { authData, expectCall, recordSends } from '../support/service';
import { runStep } from '../support/zapier';

const to = '+12025550123';
const parcel = { channel: 'whatsapp', template: 'parcel_out_for_delivery', to };
const savedAudience = { campaign: 'cmp_5Jc1Fy', audience: 'saved' };

/** A part of a field: text that the person typed, or a mapped value. */
type Part = { typed: string } | { mapped: string };

const isEmpty = (part: Part | undefined): boolean =>
  part !== undefined && 'mapped' in part && !/[^\s\u200b]/.test(part.mapped);
const isMissing = (part: Part): boolean =>
  isEmpty(part) || ('mapped' in part && ['null', 'undefined', 'NaN', '[object Object]'].includes(part.mapped.trim()));

/** Returns the field as Zapier keeps it. */
const toForm = (parts: Part[]): string =>
  parts.map((part, index) => ('typed' in part ? part.typed : `{{${index}__order__id}}`)).join('');

/** Returns the field as Zapier fills it in for a run. */
const toValue = (parts: Part[]): string =>
  parts
    .map((part) => ('typed' in part ? part.typed : part.mapped))
    .join('')
    .trim();

// Values and text have no character in common, so that each text has one reading.
const filled = fc.stringMatching(/^[a-z0-9]( ?[a-z0-9]){0,8}$/);
const blank = fc.constantFrom('', ' ', '\n', '\u200b');
const typed = fc.stringMatching(/^ ?[-/#_:A-Z]{1,3} ?$/).map((text) => ({ typed: text }));
const spaces = fc.constantFrom({ typed: '' }, { typed: ' ' });
// White space between values separates them, where they have none themselves.
const word = fc.stringMatching(/^[a-z0-9]{1,8}$/);
const gap = fc.constantFrom(' ', '\n', '\r\n', '  ', ' \t').map((text) => ({ typed: text }));

/** Parts that begin and end with typed text, which may be blank, with a value after each of the others. */
const field = (values: fc.Arbitrary<string>, between: fc.Arbitrary<Part> = typed) =>
  fc
    .tuple(
      fc.oneof(typed, spaces),
      fc.array(
        fc.tuple(
          values.map((mapped) => ({ mapped })),
          between,
        ),
        { minLength: 1, maxLength: 4 },
      ),
      fc.oneof(typed, spaces),
    )
    .map(([first, middle, last]): Part[] => [first, ...middle.flat().slice(0, -1), last]);

type Bundle = NonNullable<Parameters<typeof runStep>[1]>;

const runStepOf = (step: string, inputData: object, bundle: Bundle = {}) =>
  runStep(`creates.${step}.operation.perform`, { authData, inputData: { ...inputData }, ...bundle });

const run = (step: string, inputData: object, name: string, parts: Part[], bundle: Bundle = {}) => {
  const inputDataRaw = { ...inputData, [name]: toForm(parts) };
  return runStepOf(step, { ...inputData, [name]: toValue(parts) }, { inputDataRaw, ...bundle });
};

const stopped = (label: string) => ({
  name: 'HaltedError',
  message: expect.stringMatching(
    new RegExp(`^${label}: (the value for this run is|a value mapped here is|".*" isn't|".*" is a placeholder)`),
  ),
});

const inEditor = { isLoadingSample: true };

/** Every step that sends, with input for one person. */
const sends: [step: string, input: object][] = [
  ['send_message', parcel],
  ['send_message_and_wait', parcel],
  ['start_campaign', { campaign: 'cmp_5Jc1Fy', audience: 'one', to }],
];

/** Every field that prevents harm. Test Messages Go To matters only in the editor. */
const guarded = [
  ...[...sends, ['start_campaign', { ...savedAudience, max_recipients: '1000' }] as const].flatMap(([step, input]) =>
    [{}, inEditor].map((meta) => ({ label: 'Send Once for Each', name: 'deduplication_key', step, input, meta })),
  ),
  ...sends.map(([step, input]) => ({
    label: 'Test Messages Go To',
    name: 'test_recipient',
    step,
    input,
    meta: inEditor,
  })),
];

const blanks = [null, undefined, '', ' \n', '\u200b', []];

test.each(guarded)('$label of $step stops the step when it is empty in this run: %#', async (field) => {
  const { label, name, step, input, meta } = field;
  const lost = `${label}: the value for this run is empty, so nothing was sent. Check the earlier step that it comes from, or clear the field.`;
  const inputDataRaw = { ...input, [name]: '{{1__order}}' };
  const stops = (inputData: object, bundle: Bundle) =>
    expect(runStepOf(step, inputData, { meta, ...bundle })).rejects.toMatchObject({
      name: 'HaltedError',
      message: lost,
    });
  for (const value of blanks) await stops({ ...input, [name]: value }, { inputDataRaw });
  // Zapier may leave it out.
  await stops(input, { inputDataRaw });
  // An agent has no mappings.
  if (name === 'deduplication_key') for (const value of blanks) await stops({ ...input, [name]: value }, {});
});

test.each([{}, ...blanks.map((max_recipients) => ({ max_recipients }))])(
  'Start Campaign stops without Maximum Recipients: %j',
  async (limit) => {
    await expect(runStepOf('start_campaign', { ...savedAudience, ...limit })).rejects.toMatchObject({
      name: 'HaltedError',
      message: 'Maximum Recipients is empty. Fill it in, or check the earlier step that its value comes from.',
    });
  },
);

const anyField = fc.constantFrom(...guarded);
const runField = ({ step, input, name, meta }: (typeof guarded)[number], parts: Part[]) =>
  run(step, input, name, parts, { meta });

test('a field stops the step when all its mapped values are empty, also side by side', async () => {
  await fc.assert(
    fc.asyncProperty(anyField, field(blank, fc.oneof(typed, spaces)), async (each, parts) => {
      await expect(runField(each, parts)).rejects.toMatchObject(stopped(each.label));
    }),
    { numRuns: 200 },
  );
});

test('a field stops the step when one of its mapped values is empty or says so, if text or white space is between them', async () => {
  const words = fc.constantFrom('null', 'undefined', 'NaN', '[object Object]');
  const parts = fc
    .oneof(field(fc.oneof(filled, blank, words)), field(fc.oneof(word, blank, words), fc.oneof(typed, gap)))
    .filter((each) => each.some(isMissing));
  await fc.assert(
    fc.asyncProperty(anyField, parts, async (each, given) => {
      await expect(runField(each, given)).rejects.toMatchObject(stopped(each.label));
    }),
    { numRuns: 200 },
  );
});

/** Sends a message and returns its key. */
const keyOf = async (parts: Part[]): Promise<unknown> => {
  const sent = recordSends(202, message.sample);
  await run('send_message', parcel, 'deduplication_key', parts);
  return sent[0]?.headers['idempotency-key'];
};

test('Send Once for Each goes on with values, and gives each text a key of its own', async () => {
  const parts = fc.oneof(
    field(filled),
    field(filled, fc.oneof(typed, spaces, gap)),
    typed.map((each) => [each]),
  );
  await fc.assert(
    fc.asyncProperty(parts, parts, async (one, other) => {
      const keys = [await keyOf(one), await keyOf(other)];
      expect(keys[0] === keys[1]).toBe(toValue(one) === toValue(other));
    }),
    { numRuns: 100 },
  );
});

test.each([' ', '\n'])('Send Once for Each goes on only with both values that %j separates', async (typed) => {
  const of = (first: string, second: string) => [{ mapped: first }, { typed }, { mapped: second }];
  await keyOf(of('NL', '1001'));
  await expect(run('send_message', parcel, 'deduplication_key', of('NL', ''))).rejects.toMatchObject(
    stopped('Send Once for Each'),
  );
});

test('Send Once for Each goes on with any text that its mappings can only give with values', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ minLength: 1, unit: 'grapheme' }), async (value) => {
      fc.pre(/[\p{L}\p{N}]/u.test(value) && !value.includes('{{') && value !== 'null');
      await keyOf([{ typed: 'order-' }, { mapped: value }]);
    }),
    { numRuns: 50 },
  );
});

test('Send Once for Each takes no text around a value for an empty value', async () => {
  const value = (mapped: string) => ({ mapped });
  const dash = { typed: '-' };
  await keyOf([value('1'), dash, value('2'), dash, value('3'), { typed: '--' }]);
});

describe('Maximum Recipients', () => {
  const runWith = (parts: Part[]) => run('start_campaign', savedAudience, 'max_recipients', parts);

  test.each([
    [{ typed: '5' }, { mapped: '' }],
    [{ mapped: ' ' }, { typed: '00' }],
    [{ typed: '1' }, { mapped: '' }, { typed: '0' }, { mapped: '5' }],
  ])('stops Start Campaign when a mapped value is empty between digits', async (...parts) => {
    await expect(runWith(parts)).rejects.toMatchObject(stopped('Maximum Recipients'));
  });

  test('is the number that it shows when every value is there', async () => {
    expectCall('getCampaign', { id: 'cmp_5Jc1Fy' }).reply(200, { ...campaign.sample, audience_size: 120 });
    expectCall('triggerCampaign', { id: 'cmp_5Jc1Fy', body: {} }).reply(202, campaignRun.sample);
    await expect(runWith([{ mapped: '12' }, { typed: '0' }])).resolves.toHaveProperty('id');
  });
});

describe.each([
  ['live', {}],
  ['in the editor', inEditor],
] as const)('%s', (_place, meta) => {
  test('Send Template Message sends when the fields were cleared in the form', async () => {
    const sent = recordSends(202, message.sample);
    const inputData = { ...parcel, deduplication_key: '', test_recipient: ' ' };
    await runStepOf('send_message', inputData, { inputDataRaw: inputData, meta });
    expect(sent[0]?.body).toMatchObject({ to });
  });
});

test('Send Template Message sends live when Test Messages Go To, which matters only in the editor, is empty', async () => {
  const sent = recordSends(202, message.sample);
  const inputDataRaw = { ...parcel, test_recipient: '{{1__tester}}' };
  await runStepOf('send_message', { ...parcel, test_recipient: '' }, { inputDataRaw });
  expect(sent).toHaveLength(1);
});

test('Start Campaign starts when the other fields were cleared in the form', async () => {
  expectCall('getCampaign', { id: 'cmp_5Jc1Fy' }).reply(200, campaign.sample);
  expectCall('triggerCampaign', { id: 'cmp_5Jc1Fy', body: {} }).reply(202, campaignRun.sample);
  const inputData = { ...savedAudience, max_recipients: '1000', deduplication_key: '', test_recipient: '' };
  await expect(runStepOf('start_campaign', inputData, { inputDataRaw: inputData })).resolves.toHaveProperty('id');
});

/** Fields that prevent harm stop the step when their value is lost. */

import { campaign, campaignRun, message } from '../../src/api/resources';
import { expectHalt } from '../support/halt';
import { type Bundle, inEditor, parcel, readKey, runCreate, sends, to } from '../support/sends';
import { expectCall, recordSends } from '../support/service';

describe('fields that prevent harm', () => {
  const savedAudience = { campaign: 'cmp_5Jc1Fy', audience: 'saved' };

  /** Every field that prevents harm. Test Messages Go To matters only in the editor. */
  const sendsToOne = sends.map(([step, input]) => [step, { ...input, to }] as const);
  const guarded = [
    ...[...sendsToOne, ['start_campaign', { ...savedAudience, max_recipients: '1000' }] as const].flatMap(
      ([step, input]) =>
        [{}, inEditor].map((meta) => ({ label: 'Send Once for Each', name: 'deduplication_key', step, input, meta })),
    ),
    ...sendsToOne.map(([step, input]) => ({
      label: 'Test Messages Go To',
      name: 'test_recipient',
      step,
      input,
      meta: inEditor,
    })),
  ];

  test.each(guarded)('$label of $step stops the step when it is empty in this run: %#', async (field) => {
    const { label, name, step, input, meta } = field;
    const inputDataRaw = { ...input, [name]: '{{1__order}}' };
    const stops = (inputData: object, bundle: Bundle) =>
      expectHalt(
        runCreate(step, inputData, { meta, ...bundle }),
        `${label}: the value for this run is empty, so nothing was sent. Check the earlier step that it comes from, or clear the field.`,
      );
    await stops({ ...input, [name]: ' \n' }, { inputDataRaw });
    // Zapier may leave it out.
    await stops(input, { inputDataRaw });
  });

  test.each(sends)(
    "Send Once for Each of %s stops the step of an agent, which has no mappings, when it's empty",
    async (step, input) => {
      await expectHalt(
        runCreate(step, { ...input, to, deduplication_key: null }),
        expect.stringMatching(/^Send Once for Each: the value for this run is empty, so nothing was sent\./),
      );
    },
  );

  test.each([{}, { max_recipients: null }])('Start Campaign stops without Maximum Recipients: %j', async (limit) => {
    await expectHalt(
      runCreate('start_campaign', { ...savedAudience, ...limit }),
      'Maximum Recipients is empty. Fill it in, or check the earlier step that its value comes from.',
    );
  });

  /** A value of Send Once for Each as the form maps it, and as a run has it. */
  type Mapped = [form: string, value: string];

  const [a, b, c] = ['{{1__a}}', '{{2__b}}', '{{3__c}}'];

  test.each<Mapped>([
    // All values are empty, also side by side.
    [a, '\u200b'],
    [`${a}${b}`, ''],
    [`order-${a}`, 'order-'],
    [`${a} - ${b}`, '-'],
    [`${a}-${b}-`, '--'],
    [`#${a}`, '# \n'],
    // One of several is empty, with text or white space beside it.
    [`${a}-${b}`, '7-'],
    [`${a}-${b}`, '-7'],
    [`${a} ${b}`, 'NL'],
    [`${a}\n${b}`, '1001'],
    [`${a} ${b} ${c}`, 'NL 1001'],
    [`${a}-${b}-${c}`, '1--3'],
    [`A-${a}-B-${b}-C`, 'A--B-2-C'],
    [`A-${a}-B-${b}-C`, 'A-1-B--C'],
    [`${a}${b}-${c}`, '12-'],
    // The second value has what stands between two.
    [`# ${a} # ${b} # ${c}`, '#  # x # y # z'],
    // One of them says so.
    [a, 'null'],
    [`order-${a}`, 'order-undefined'],
    [`${a}-${b}`, 'NaN-2'],
    [`${a}/${b}`, '1/[object Object]'],
    [`${a} ${b}`, 'null 2'],
  ])('Send Once for Each stops the step when %s is %j, since a value is missing', (form, value) => {
    expect(() => readKey(value, form)).toThrow(
      /^Send Once for Each: (the value for this run is|a value mapped here is|".*" is a placeholder)/,
    );
  });

  test.each<Mapped>([
    [a, '7'],
    [`order-${a}`, 'order-7'],
    [`order-${a}`, 'order-annulled'],
    [`${a}${b}`, '71'],
    [`${a} ${b}`, 'NL 1001'],
    [`${a}\n${b}`, 'NL\n1001'],
    [`${a}-${b}-${c}--`, '1-2-3--'],
    [`A-${a}-B-${b}-C`, 'A-1-B-2-C'],
    // A value may hold the text that stands between two.
    [`${a}-${b}`, '1--2'],
    [`${a}-${b}`, '1-2-3'],
    ['typed -', 'typed -'],
  ])('Send Once for Each goes on when %s is %j, and another text is another key', (form, value) => {
    expect(readKey(value, form)).toBeDefined();
    expect(readKey(`${value}9`, form)).not.toBe(readKey(value, form));
  });

  describe('Maximum Recipients', () => {
    const runWith = (form: string, max_recipients: string) =>
      runCreate(
        'start_campaign',
        { ...savedAudience, max_recipients },
        { inputDataRaw: { ...savedAudience, max_recipients: form } },
      );

    test.each<Mapped>([
      [`5${a}`, '5'],
      [`${a}00`, '00'],
      [`1${a}0${b}`, '105'],
    ])('stops Start Campaign when %s is %s, since a mapped value is empty between digits', async (form, value) => {
      await expectHalt(
        runWith(form, value),
        'Maximum Recipients: a value mapped here is empty in this run, so nothing was sent. Check the earlier step that it comes from, or remove the value from the field.',
      );
    });

    test('is the number that it shows when every value is there', async () => {
      expectCall('getCampaign', { id: 'cmp_5Jc1Fy' }).reply(200, { ...campaign.sample, audience_size: 120 });
      expectCall('triggerCampaign', { id: 'cmp_5Jc1Fy', body: {} }).reply(202, campaignRun.sample);
      await expect(runWith(`${a}0`, '120')).resolves.toHaveProperty('id');
    });
  });

  describe.each([
    ['live', {}],
    ['in the editor', inEditor],
  ] as const)('%s', (_place, meta) => {
    test('Send Template Message sends when the fields were cleared in the form', async () => {
      const sent = recordSends(202, message.sample);
      const inputData = { ...parcel, to, deduplication_key: '', test_recipient: ' ' };
      await runCreate('send_message', inputData, { inputDataRaw: inputData, meta });
      expect(sent[0]?.body).toMatchObject({ to });
    });
  });

  test('Send Template Message sends live when Test Messages Go To, which matters only in the editor, is empty', async () => {
    const sent = recordSends(202, message.sample);
    const inputDataRaw = { ...parcel, to, test_recipient: '{{1__tester}}' };
    await runCreate('send_message', { ...parcel, to, test_recipient: '' }, { inputDataRaw });
    expect(sent).toHaveLength(1);
  });

  test('Start Campaign starts when the other fields were cleared in the form', async () => {
    expectCall('getCampaign', { id: 'cmp_5Jc1Fy' }).reply(200, campaign.sample);
    expectCall('triggerCampaign', { id: 'cmp_5Jc1Fy', body: {} }).reply(202, campaignRun.sample);
    const inputData = { ...savedAudience, max_recipients: '1000', deduplication_key: '', test_recipient: '' };
    await expect(runCreate('start_campaign', inputData, { inputDataRaw: inputData })).resolves.toHaveProperty('id');
  });
});

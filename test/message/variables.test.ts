/** The values of a template's variables: which count, what is sent of them, and which are refused. */

import fc from 'fast-check';
import { convertVariable } from '../../src/message/variable-values';
import { expectHalt } from '../support/halt';
import { authData, recordSends } from '../support/service';
import { answerTemplate, chosen, expectTemplates, type Form, runWith, sentWith } from '../support/templates';
import { runStep } from '../support/zapier';

const convert = (value: string, channel: string): string => {
  try {
    return convertVariable(value, { format: 'text', label: 'Note', channel }, undefined);
  } catch (error) {
    expect(error).toMatchObject({ message: expect.stringMatching(/^Note: /) });
    return 'refused';
  }
};

test('a value is sent as one line that people can read, as it is by SMS, or not at all', () => {
  const piece = fc.constantFrom(
    ...['a', ' ', '\n', '\t', '\u00a0', '\u0085', 'é'],
    ...['<', '>', '<b>', '</p>', '<3', '&nbsp;', '&', '{{x}}'],
  );
  const text = fc.array(piece, { minLength: 1, maxLength: 12 }).map((pieces) => `a${pieces.join('')}`);
  fc.assert(
    fc.property(text, fc.constantFrom('whatsapp', 'sms'), (value, channel) => {
      const line = channel === 'sms' ? value.trim() : value.replace(/[\s\u0085]+/g, ' ').trim();
      expect(convert(value, channel)).toBe(/<b>|<\/p>|&nbsp;|\{\{x\}\}/.test(value) ? 'refused' : line);
    }),
    { numRuns: 80 },
  );
});

describe('the values', () => {
  const parcel = { name: 'parcel_id', label: 'Parcel Number', format: 'text', required: false };
  const arrival = { name: 'arrival_time', label: 'Arrival Time', format: 'time', required: false };
  const day = { name: 'day', label: 'Delivery Day', format: 'date', required: false };
  const price = { name: 'price', label: 'Price', format: 'number', required: false };
  const link = { name: 'link', label: 'Tracking Link', format: 'url', required: false };
  const picture = { name: 'picture', label: 'Picture', format: 'image', required: false };
  const all = [parcel, arrival, day, price, link, picture];

  test.each(['parcel number', 'PARCEL_ID'])('take %s for parcel_id', async (key) => {
    await expect(sentWith(all, { variables: { [key]: 'PX-1' } })).resolves.toEqual({ parcel_id: 'PX-1' });
  });

  test('may be named as another one is labeled', async () => {
    const turned = [
      { name: 'parcel', label: 'order' },
      { name: 'order', label: 'Invoice' },
    ];
    const variables = { parcel: 'PX-1', order: 'O-2' };
    await expect(sentWith(turned, { variables })).resolves.toEqual(variables);
  });

  test('may be a link to a picture', async () => {
    const variables = { picture: 'https://a.example/1.png' };
    await expect(sentWith(all, { variables })).resolves.toEqual(variables);
  });

  const own = { template_text: { template: chosen.template, channel: chosen.channel } };
  const other = { template_text: { template: 'other', channel: chosen.channel } };

  // A form may keep values of a template that was chosen before.
  test.each<[who: string, inputData: Form, bundle: object, variables: object]>([
    [
      'a form of this template, its fields',
      { variable_parcel_id: 'PX-1', variable_old: 'x', variables: { old: 'x' } },
      { inputDataRaw: {}, meta: { inputFields: own } },
      { parcel_id: 'PX-1' },
    ],
    [
      'a form of another template, the fields that this one has',
      { variable_parcel_id: 'PX-1', variable_old: 'x' },
      { inputDataRaw: {}, meta: { inputFields: other } },
      { parcel_id: 'PX-1' },
    ],
    [
      'a form with a mapped template, Template Variables',
      { variables: { parcel_id: 'PX-1' }, variable_parcel_id: 'PX-2', variable_old: 'x' },
      { inputDataRaw: {}, meta: { inputFields: { variables: {} } } },
      { parcel_id: 'PX-1' },
    ],
    [
      'an agent, both',
      { variables: { parcel_id: 'PX-1' }, variable_day: '2026-06-12' },
      {},
      { parcel_id: 'PX-1', day: '2026-06-12' },
    ],
  ])('that count are, in %s', async (_who, inputData, bundle, variables) => {
    answerTemplate({ body: 'Hello', variables: all });
    const sent = recordSends(202, { id: 'msg_1' });
    await runStep('creates.send_message.operation.perform', {
      authData,
      inputData: { ...chosen, to: '+12025550123', ...inputData },
      ...bundle,
    });
    expect(Object(sent[0]?.body).variables).toEqual(variables);
  });

  test.each<[variable: typeof arrival, value: string, words: string, timeZone?: string | null]>([
    [arrival, 'soon', `Arrival Time: "soon" isn't a time. Enter one such as 14:30`],
    [day, 'tomorrow', `Delivery Day: "tomorrow" is an invalid or ambiguous date. Enter one`],
    [price, 'twelve', `Price: "twelve" is an invalid or ambiguous number. Enter digits`],
    [link, 'javascript:alert(1)', `Tracking Link: "javascript:alert(1)" isn't a link. Enter`],
    [link, 'see https://a.example', `Tracking Link: "see https://a.example" isn't a link.`],
    [picture, 'http://a.example/1.png', `isn't a link to an image. Enter one that starts`],
    ...['[{"name":"Shirt"}]', "[{'name': 'Shirt'}]", '{"a":1}\n{"b":2}', '['.repeat(30_000), '{}'].map(
      (json): [typeof parcel, string, string] => [parcel, json, 'this is a group of values in JSON, so this step did'],
    ),
    [parcel, 'Hi {{ first_name }}', 'Parcel Number: "Hi {{ first_name }}" is a placeholder'],
    [
      parcel,
      '<p>Hello&nbsp;<b>you</b></p>',
      'Parcel Number: this value has HTML code, which people would see, so this step did nothing. Before it, add a Formatter by Zapier step with the transform Remove HTML Tags.',
    ],
    // These can mean two things.
    [day, '2026-06-12T00:00:00.000Z', "is one day as a date and another in your Zap's", 'America/Los_Angeles'],
    [arrival, '2026-06-12T00:00:00.000Z', 'may be a date without a time'],
    [arrival, '1899-12-30T14:30:00Z', 'has a year that nobody means'],
    [arrival, '2026-06-12T19:00:00Z', 'is in UTC, and this run has no time zone. Enter the local date', null],
  ])(
    'are refused by the label of their field: %#',
    ({ format, label }, value, words, timeZone = 'Europe/Amsterdam') => {
      const convert = () => convertVariable(value, { format, label, channel: 'whatsapp' }, timeZone);
      expect(convert).toThrow(words);
      expect(convert).toThrow(`${label}: `);
    },
  );

  const textOf = (text: string): string =>
    convertVariable(text, { format: 'text', label: 'Name', channel: 'whatsapp' }, undefined);

  test.each([
    ...['{first_name}', '[First Name]', `$${'{name}'}`, '<<First Name>>', '<test lead: dummy data for first_name>'],
    ...['%7B%7Bcontact.first_name%7D%7D', '%NAME%', '%first name%', '#{name}', '<%= name %>', '{first_name|there}'],
    ...['{first_name} {last_name}', '[Name], null', '*|FNAME|*', '[[name]]', '{0}', '%7Bname%7D', '{$name}', '{@name}'],
  ])('are refused that only mark a missing one: %s', (mark) => {
    expect(() => textOf(mark)).toThrow('is a placeholder, not a value, so this step did nothing.');
  });

  test.each([
    ...['Team [Blue]', '$5', '(new)', '{smile} today', '<3', '100%', '50% to 70%', 'a < b > c', 'AT&T', '50%OFF%'],
    ...['https://a.example/?q=%20[x]', '[x](y)', '«Звезда»', '#1042', '*bold*', '_x_', 'PX-1 <new>'],
  ])('are taken that have such signs: %s', (text) => expect(textOf(text)).toBe(text));

  test.each<[object, string]>([
    [{ variable_arrival_time: 'soon' }, 'Arrival Time: "soon" isn\'t a time.'],
    [{ variable_link: { a: 1 } }, 'Tracking Link: this is a group of values.'],
  ])('are refused before anything is sent: %j', async (values, words) => {
    await expectHalt(runWith(all, { ...values }), expect.stringContaining(words));
  });

  test.each([
    [[{ ...arrival, required: true }], 'Arrival Time is empty, so nothing was sent. Fill in a value'],
    [[arrival, parcel].map((each) => ({ ...each, required: true })), 'Arrival Time, Parcel Number are empty, so'],
  ])('that are missing are named', async (variables, words) => {
    await expectHalt(runWith(variables, {}), expect.stringContaining(words));
  });

  test.each([
    [[], 'no variable "ETA". It has no variables, so leave the field empty.'],
    [all, 'no variable "ETA". Use one of these: Parcel Number; Arrival Time; '],
  ])('of a variable that the template does not have are refused, with those that it has', async (known, words) => {
    await expectHalt(
      runWith(known, { variables: { ETA: '14:30' } }),
      expect.stringContaining(`Template Variables: this template has ${words}`),
    );
  });

  test('that differ for one variable stop the step, since only one can be sent', async () => {
    const others = { variables: { 'Arrival Time': '16:00' }, variable_arrival_time: '14:30' };
    await expectHalt(
      runWith(all, others),
      expect.stringMatching(
        /^Template Variables: ".*" and ".*" are the same variable of this template. Remove one of them.$/,
      ),
    );
  });

  test('that are the same for one variable are sent', async () => {
    const values = { variables: { arrival_time: '14:30', 'Arrival Time': '2:30 pm' } };
    await expect(sentWith(all, values)).resolves.toEqual({ arrival_time: '14:30' });
  });

  test('are named by their label when the service refuses one', async () => {
    recordSends(422, { error: { code: 'validation_failed', message: 'Too short', field: 'variables.parcel_id' } });
    await expect(runWith(all, { variables: { 'parcel number': 'PX-1' } })).rejects.toThrow(
      /^Parcel Number: Too short\./,
    );
  });

  test('are not sent when the template cannot be read', async () => {
    expectTemplates().reply(403, {});
    const inputData = { ...chosen, to: '+12025550123', variables: { arrival_time: '2:30 pm' } };
    await expect(runStep('creates.send_message.operation.perform', { authData, inputData })).rejects.toThrow(
      'refused this step',
    );
  });

  test('are sent as they are where the service gives neither text nor variables', async () => {
    answerTemplate({ body: null, variables: null });
    const sent = recordSends(202, { id: 'msg_1' });
    const inputData = { ...chosen, to: '+12025550123', variables: { other: 'x', arrival: ' soon ' } };
    await runStep('creates.send_message.operation.perform', { authData, inputData });
    expect(sent[0]?.body).toMatchObject({ variables: { arrival: 'soon', other: 'x' } });
  });

  test.each(['parcel_id=3', ['a', 'b']])('that are %j are refused, before anything is sent', async (variables) => {
    await expect(runWith(all, { variables })).rejects.toThrow(
      "Template Variables: this isn't a set of names with one value each.",
    );
  });
});

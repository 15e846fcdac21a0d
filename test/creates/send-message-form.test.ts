import nock from 'nock';
import { type Template, template } from '../../src/api/resources';
import { authData, expectCall, recordSends } from '../support/service';
import { runStep } from '../support/zapier';

interface Field {
  key: string;
  label: string;
  type?: string;
  required?: boolean;
  helpText?: string;
  meta?: Record<string, string | number | boolean>;
}

type Form = Record<string, unknown>;

const form = async (inputData: Form, inputDataRaw: Record<string, string> = {}): Promise<Field[]> =>
  (await runStep('creates.send_message.operation.inputFields', { authData, inputData, inputDataRaw })) as Field[];

/** The query for the versions of the sample template on WhatsApp. */
const expectedQuery = { name: template.sample.name, channel: 'whatsapp', limit: 100 };

const expectTemplates = () => expectCall('listTemplates', { query: expectedQuery });

const answerTemplate = (changes: Partial<Template> = {}) =>
  expectTemplates().reply(200, { data: [{ ...template.sample, ...changes }] });

const chosen = { channel: 'whatsapp', template: template.sample.name };
const fixed = ['to', 'default_country', 'deduplication_key', 'test_recipient'];

/** Sends as Zapier does after the form was filled in: what the form learnt travels with the fields. */
const sendWith = async (
  variables: Partial<Template>['variables'],
  values: Form,
  timezone: string | null = 'Europe/Amsterdam',
) => {
  answerTemplate({ variables });
  const fields = await form(chosen);
  const inputFields = Object.fromEntries(fields.map(({ key, meta }) => [key, meta ?? {}]));
  return runStep('creates.send_message.operation.perform', {
    authData,
    inputData: { ...chosen, to: '+12025550123', ...values },
    meta: { timezone, inputFields },
  });
};

const sentWith = async (...parameters: Parameters<typeof sendWith>) => {
  const sent = recordSends(202, { id: 'msg_1' });
  await sendWith(...parameters);
  const [{ body } = { body: {} }] = sent;
  return (body as { variables?: object }).variables;
};

describe('the form', () => {
  test('begins with channel and template, and makes no request before a template is chosen', async () => {
    const fields = await form({ channel: 'whatsapp' });
    expect(fields.map(({ key }) => key)).toEqual(['channel', 'template', ...fixed]);
    expect(fields).toMatchObject([
      { choices: { perform: expect.anything() }, altersDynamicFields: true },
      {
        choices: { perform: expect.anything() },
        search: 'find_template.name',
        dependsOn: ['channel'],
        altersDynamicFields: true,
      },
      ...fixed.map(() => ({})),
    ]);
  });

  test('shows the text that will be sent and a field for each variable, in one request', async () => {
    answerTemplate();
    const fields = await form(chosen);
    expect(fields.map(({ key }) => key)).toEqual([
      'channel',
      'template',
      'template_text',
      'variable_parcel_id',
      'variable_arrival_time',
      ...fixed,
    ]);
    expect(fields[2]).toMatchObject({
      type: 'copy',
      helpText: 'Your parcel \\[Parcel Number\\] arrives today at about \\[Arrival Time\\].',
    });
    expect(fields[3]).toMatchObject({
      label: 'Parcel Number',
      required: true,
      type: 'string',
      helpText: 'Example: `PX-20418`.',
    });
    expect(fields[4]).toMatchObject({ label: 'Arrival Time', required: true, type: 'string' });
    expect(fields[4]?.helpText).toMatch(/a time such as `14:30` or `2:30 pm`.+Example: `14:30`/);
  });

  test('asks for a variable of an unknown format with a text field', async () => {
    answerTemplate({ variables: [{ name: 'first_thing', format: 'a format of tomorrow' }] });
    const field = (await form(chosen)).find(({ key }) => key === 'variable_first_thing');
    expect(field).toMatchObject({ label: 'First Thing', type: 'string', required: false });
  });

  test.each([
    ['The `driver` rings twice.', "The 'driver' rings twice"],
    ['x'.repeat(1_000), 'x'.repeat(200)],
  ])('puts the example %.20j in backticks, with one period', async (example, shown) => {
    answerTemplate({ variables: [{ name: 'note', example }] });
    const field = (await form(chosen)).find(({ key }) => key === 'variable_note');
    expect(field?.helpText).toBe(`Example: \`${shown}\`.`);
  });

  test('calls a variable that is a number by more than the number', async () => {
    answerTemplate({ body: 'Hello {{1}}', variables: [{ name: '1' }] });
    const fields = await form(chosen);
    expect(fields).toContainEqual(expect.objectContaining({ key: 'variable_1', label: 'Variable 1' }));
    expect(fields).toContainEqual(
      expect.objectContaining({ key: 'template_text', helpText: 'Hello \\[Variable 1\\]' }),
    );
  });

  const anyVariables = ['channel', 'template', 'variables', ...fixed];

  test('has one field for any variables where the template is mapped from an earlier step', async () => {
    const read = answerTemplate();
    const fields = await form(chosen, { template: '{{12345__name}}' });
    expect(fields.map(({ key }) => key)).toEqual(anyVariables);
    // The next run may have another template.
    expect(read.isDone()).toBe(false);
    nock.cleanAll();
  });

  test('keeps the field for any variables as long as it has a value', async () => {
    const read = answerTemplate();
    const fields = await form({ ...chosen, variables: { parcel_id: 'PX-1' } });
    expect(fields.map(({ key }) => key)).toEqual(anyVariables);
    expect(read.isDone()).toBe(false);
    nock.cleanAll();
  });

  test.each([404, 403, 500])(
    'has one field for any variables where the template cannot be read (%i)',
    async (status) => {
      expectTemplates().reply(status, '<html>').persist();
      expect((await form(chosen)).map(({ key }) => key)).toEqual(anyVariables);
    },
  );

  test('has one field for any variables where the template does not list those in its text', async () => {
    answerTemplate({ variables: null });
    expect((await form(chosen)).map(({ key }) => key)).toEqual(anyVariables);
    await expect(sentWith(null, { variables: { parcel_id: 'PX-1' } })).resolves.toEqual({ parcel_id: 'PX-1' });
  });

  test('shows braces, markup and invisible characters of a template as plain text', async () => {
    answerTemplate({
      body: 'Hi {{ who }}, [click](https://evil.example) **now** <b>\u202e\u0000 {{{x}}}',
      variables: [{ name: 'who', label: 'Guest' }],
    });
    const note = (await form(chosen)).find(({ key }) => key === 'template_text');
    expect(note?.helpText).toBe(
      'Hi \\[Guest\\], \\[click\\]\\(https://evil.example\\) \\*\\*now\\*\\* \\<b\\>  {\\[x\\]}',
    );
  });

  test('has no text to show for a template without one', async () => {
    answerTemplate({ body: null, variables: [] });
    expect((await form(chosen)).map(({ key }) => key)).toEqual(['channel', 'template', ...fixed]);
  });
});

describe('the form of a template with several languages', () => {
  const { sample } = template;
  const dutch = {
    ...sample,
    language: 'nl',
    body: 'Uw pakket {{parcel_id}} komt op {{day}}.',
    variables: [
      { name: 'parcel_id', label: 'Pakketnummer', format: 'number', required: false },
      { name: 'day', label: 'Dag', format: 'date', required: false, example: '2026-06-12' },
    ],
  };
  const show = async (...data: Template[]) => {
    expectTemplates().reply(200, { data });
    return form(chosen);
  };
  const find = (fields: Field[], key: string) => fields.find((each) => each.key === key);

  test('shows each text with its language, and says who chooses', async () => {
    const note = find(await show(dutch, sample), 'template_text');
    expect(note?.helpText).toBe(
      [
        '**en:** Your parcel \\[Parcel Number / Pakketnummer\\] arrives today at about \\[Arrival Time\\].',
        '**nl:** Uw pakket \\[Parcel Number / Pakketnummer\\] komt op \\[Dag\\].',
        "The messaging service chooses the text by the contact's language.",
      ].join('\n\n'),
    );
  });

  test('asks for the variables of all languages, and says what differs', async () => {
    const fields = await show(dutch, sample);
    expect(find(fields, 'variable_parcel_id')).toMatchObject({
      label: 'Parcel Number / Pakketnummer',
      required: true,
      meta: { format: 'text' },
      helpText:
        "This value is sent exactly as you enter it. The template's languages use different formats. Example: `PX-20418`.",
    });
    expect(find(fields, 'variable_day')).toMatchObject({
      required: false,
      helpText: 'Enter a date such as `2026-06-12`, or map a date and time. Example: `2026-06-12`. Only used in: nl.',
    });
    expect(find(fields, 'variable_arrival_time')?.helpText).toMatch(/Only used in: en\.$/);
  });

  test('names the languages that are not approved, and asks for nothing of theirs', async () => {
    const fields = await show({ ...dutch, status: 'pending' }, sample, {
      ...dutch,
      language: 'de',
      status: 'rejected',
    });
    expect(find(fields, 'template_text')?.helpText).toMatch(
      /^Your parcel .+\.\n\nNot approved, so not shown here: de, nl\.$/,
    );
    expect(find(fields, 'variable_day')).toBeUndefined();
  });

  test('continues long texts in further notes, each within the limit of Zapier', async () => {
    const languages = ['de', 'en', 'fr', 'nl'];
    const body = `${'[*'.repeat(300)} end`;
    const fields = await show(...languages.map((language) => ({ ...sample, language, body })));
    const notes = fields.filter(({ type }) => type === 'copy');
    const text = notes.map(({ helpText }) => helpText).join('\n');
    for (const language of languages) expect(text).toContain(`**${language}:** \\[\\*`);
    expect(notes.map(({ key }) => key)).toEqual([
      'template_text',
      'template_text_2',
      'template_text_3',
      'template_text_4',
      'template_text_5',
    ]);
    for (const { helpText } of notes) expect(helpText?.length).toBeLessThanOrEqual(1_000);
    const withoutEscapes = text.replace(/\*\*\w+:\*\* |\\[[*]/g, '');
    expect(withoutEscapes).toBe(`${'…\n'.repeat(4)}The messaging service chooses the text by the contact's language.`);
  });

  test.each<[string, Template[], string]>([
    [
      'the channel lacks',
      [],
      'This channel has no template "parcel\\_out\\_for\\_delivery". Choose another template or channel.',
    ],
    [
      'is not approved in any language',
      [
        { ...sample, status: 'pending' },
        { ...dutch, status: 'rejected' },
      ],
      "\"parcel\\_out\\_for\\_delivery\" isn't approved on this channel, so it can't be sent. Wait until it's approved, or choose another template.",
    ],
  ])('says so of a template that %s', async (_what, data, words) => {
    const fields = await show(...data);
    expect(fields.map(({ key }) => key)).toEqual(['channel', 'template', 'template_problem', ...fixed]);
    expect(fields[2]).toMatchObject({ type: 'copy', helpText: words });
  });

  test('has one field for any variables where the channel is mapped from an earlier step', async () => {
    const fields = await form(chosen, { channel: '{{12345__channel}}' });
    expect(fields.map(({ key }) => key)).toEqual(['channel', 'template', 'variables', ...fixed]);
  });

  test.each<[string, Template[], string]>([
    [
      'the channel lacks',
      [
        { ...sample, channel: 'sms' },
        { ...sample, name: 'Parcel_out_for_delivery' },
      ],
      'Template: the channel "whatsapp" has no template "parcel_out_for_delivery" (capital letters count), so nothing was sent. Choose another template.',
    ],
    [
      'is not approved in any language',
      [{ ...sample, status: 'pending' }],
      'Template: the template "parcel_out_for_delivery" isn\'t approved on the channel "whatsapp", so nothing was sent. Choose another template, or wait for the approval.',
    ],
  ])('stops a run with a template that %s', async (_what, data, message) => {
    expectTemplates().reply(200, { data });
    const inputData = { ...chosen, to: '+12025550123', variables: { 'Parcel Number': 'PX-1' } };
    await expect(runStep('creates.send_message.operation.perform', { authData, inputData })).rejects.toMatchObject({
      name: 'HaltedError',
      message,
    });
  });

  test('stops a run when the list of templates has no end', async () => {
    expectTemplates().reply(200, { data: [sample], next_cursor: 'again' });
    expectCall('listTemplates', { query: { ...expectedQuery, after: 'again' } }).reply(200, {
      data: [],
      next_cursor: 'again',
    });
    const inputData = { ...chosen, to: '+12025550123', variables: { 'Parcel Number': 'PX-1' } };
    await expect(runStep('creates.send_message.operation.perform', { authData, inputData })).rejects.toMatchObject({
      name: 'HaltedError',
      message:
        'Template: the messaging service lists too many templates to find every text of "parcel_out_for_delivery", so nothing was sent. Choose another template.',
    });
  });

  test('stops a run with a label that two languages use for different variables', async () => {
    const german = { ...sample, language: 'de', variables: [{ name: 'tag', label: 'Dag' }] };
    expectTemplates().reply(200, { data: [dutch, german] });
    const inputData = { ...chosen, to: '+12025550123', variables: { Dag: '12 June 2026' } };
    await expect(runStep('creates.send_message.operation.perform', { authData, inputData })).rejects.toMatchObject({
      name: 'HaltedError',
      message:
        'Template Variables: "Dag" can mean several variables of this template. Use one of these names: tag; day.',
    });
  });
});

describe('the variables of a mapped template', () => {
  const variables = [
    { name: 'parcel_id', label: 'Parcel Number', format: 'text' },
    { name: 'arrival_time', label: 'Arrival Time', format: 'time' },
    { name: 'arrival_day', label: 'Delivery Day', format: 'date' },
    { name: 'price', label: 'Price', format: 'number' },
  ];
  const runMapped = (filledIn: Form) =>
    runStep('creates.send_message.operation.perform', {
      authData,
      inputData: { ...chosen, to: '+12025550123', variables: filledIn },
      meta: { timezone: 'Europe/Amsterdam', inputFields: { variables: {} } },
    });
  const sendMapped = async (filledIn: Form) => {
    const sent = recordSends(202, { id: 'msg_1' });
    await runMapped(filledIn);
    return sent[0]?.body;
  };

  test('are sent by name as they are, in one request, when nothing in them can be a time or a date', async () => {
    await expect(sendMapped({ parcel_id: 'PX-1' })).resolves.toMatchObject({ variables: { parcel_id: 'PX-1' } });
  });

  test('take a label for the name, and convert times and dates', async () => {
    answerTemplate({ variables });
    const filledIn = {
      'parcel number': 'PX-1',
      'Arrival Time': '2026-06-12T12:30:00Z',
      arrival_day: '2026-06-12T22:30:00Z',
    };
    await expect(sendMapped(filledIn)).resolves.toMatchObject({
      variables: { parcel_id: 'PX-1', arrival_time: '14:30', arrival_day: '2026-06-13' },
    });
  });

  test.each(['Parcel Number', 'Parcel ID', 'PARCEL_ID'])('take %s for parcel_id', async (key) => {
    answerTemplate({ variables });
    await expect(sendMapped({ [key]: 'PX-1' })).resolves.toMatchObject({ variables: { parcel_id: 'PX-1' } });
  });

  test('stop the step when two of them are the same variable, since only one value can be sent', async () => {
    answerTemplate({ variables });
    const filledIn = { arrival_time: '14:30', 'Arrival Time': '16:00' };
    await expect(runMapped(filledIn)).rejects.toMatchObject({
      name: 'HaltedError',
      message:
        'Template Variables: "arrival_time" and "Arrival Time" are the same variable of this template. Remove one of them.',
    });
    answerTemplate({ variables });
    const equal = { arrival_time: '14:30', 'Arrival Time': '2:30 pm' };
    await expect(sendMapped(equal)).resolves.toMatchObject({ variables: { arrival_time: '14:30' } });
  });

  test.each([
    ['arrival_day', '12 June 2026', '2026-06-12'],
    ['price', '12,50', '12.50'],
  ])('convert %s by its name alone: %s', async (name, value, converted) => {
    answerTemplate({ variables });
    await expect(sendMapped({ [name]: value })).resolves.toMatchObject({ variables: { [name]: converted } });
  });

  test('prefer a name to the label of another variable', async () => {
    answerTemplate({ variables: [{ name: 'first', label: 'second' }, { name: 'second' }] });
    const filledIn = { second: '2:30 pm' };
    await expect(sendMapped(filledIn)).resolves.toMatchObject({ variables: filledIn });
  });

  test('are named by their label when the service refuses one', async () => {
    answerTemplate({ variables });
    const inputData = { ...chosen, to: '+12025550123', variables: { 'parcel number': 'PX-1' } };
    recordSends(422, { error: { code: 'validation_failed', message: 'Too short', field: 'variables.parcel_id' } });
    await expect(runStep('creates.send_message.operation.perform', { authData, inputData })).rejects.toThrow(
      /^Parcel Number: Too short\./,
    );
  });

  test('are not sent when a value has to be converted and the template cannot be read', async () => {
    expectTemplates().reply(403, {});
    await expect(
      runStep('creates.send_message.operation.perform', {
        authData,
        inputData: { ...chosen, to: '+12025550123', variables: { arrival_time: '2:30 pm' } },
      }),
    ).rejects.toThrow('refused this step');
  });

  test.each([
    [[], 'no variable "ETA". It has no variables, so leave the field empty.'],
    [variables, 'no variable "ETA". Use one of these: Parcel Number; Arrival Time; '],
  ])('are refused with the names to use when the template does not have one', async (known, words) => {
    answerTemplate({ variables: known });
    await expect(
      runStep('creates.send_message.operation.perform', {
        authData,
        inputData: { ...chosen, to: '+12025550123', variables: { ETA: '14:30' } },
      }),
    ).rejects.toMatchObject({
      name: 'HaltedError',
      message: expect.stringContaining(`Template Variables: this template has ${words}`),
    });
  });

  test.each([
    ['Arrival Time', 'soon'],
    ['arrival_time', '25:00'],
    ['arrival_time', '14h30'],
    ['arrival_time', 'tomorrow 14:30'],
    ['arrival_time', '9876543210'],
    ['arrival_time', '12a'],
  ])('are refused by their label when one is no time: %s %j', async (key, value) => {
    answerTemplate({ variables });
    await expect(runMapped({ [key]: value })).rejects.toThrow(`Arrival Time: "${value}" isn't a time.`);
  });

  test.each(['06/07/2026', '20260612', '12 June'])(
    'are refused by their label when one is no clear date: %s',
    async (day) => {
      answerTemplate({ variables });
      await expect(runMapped({ arrival_day: day })).rejects.toThrow(
        `Delivery Day: "${day}" is an invalid or ambiguous date.`,
      );
    },
  );

  test.each(['99.95', '1250'])(
    'are sent in one request when one is %s, which is no time and no date',
    async (value) => {
      await expect(sendMapped({ price: value })).resolves.toMatchObject({ variables: { price: value } });
    },
  );
});

describe('the variables', () => {
  const arrival = { name: 'arrival', label: 'Arrival Time', format: 'time', required: true };
  const day = { name: 'day', label: 'Delivery Day', format: 'date', required: false };
  const price = { name: 'price', label: 'Price', format: 'number', required: false };
  const link = { name: 'link', label: 'Tracking Link', format: 'url', required: false };

  test.each([
    ['14:30', '14:30'],
    ['2:30 pm', '14:30'],
    ['2026-06-12T12:30:00Z', '14:30'],
  ])('send the time %j as HH:MM in the time zone of the Zap', async (value, time) => {
    await expect(sentWith([arrival], { variable_arrival: value })).resolves.toEqual({ arrival: time });
  });

  test('send a date as YYYY-MM-DD, a number with a point, and a link as it was written', async () => {
    const values = {
      variable_day: '2026-06-12T22:30:00Z',
      variable_price: '12,50',
      variable_link: 'https://a.example/x?y=1',
    };
    await expect(sentWith([day, price, link], values)).resolves.toEqual({
      day: '2026-06-13',
      price: '12.50',
      link: 'https://a.example/x?y=1',
    });
  });

  test.each<[string, string, string | undefined, string]>([
    [
      '2026-06-12T00:00:00.000Z',
      'America/Los_Angeles',
      'variable_day',
      'Delivery Day: "2026-06-12T00:00:00.000Z" is one day as a date and another in your Zap\'s time zone',
    ],
    [
      '2026-06-12T00:00:00.000Z',
      'Europe/Amsterdam',
      'variable_arrival',
      'Arrival Time: "2026-06-12T00:00:00.000Z" may be a date without a time',
    ],
    [
      '1899-12-30T14:30:00Z',
      'Europe/Amsterdam',
      'variable_arrival',
      'Arrival Time: "1899-12-30T14:30:00Z" has a year that nobody means',
    ],
    [
      '2026-06-12T19:00:00Z',
      '',
      'variable_arrival',
      'Arrival Time: "2026-06-12T19:00:00Z" is in UTC, and this run has no time zone. Enter the local date and time',
    ],
  ])('stop at %s in the zone %j, which can mean two things: %s', async (text, timeZone, key, words) => {
    await expect(
      sentWith(
        [day, arrival],
        { variable_day: '2026-06-12', variable_arrival: '14:30', [String(key)]: text },
        timeZone,
      ),
    ).rejects.toThrow(words);
    nock.cleanAll();
  });

  test('leave out those that are optional and blank', async () => {
    const values = { variable_day: ' ', variable_price: null, variable_link: '' };
    await expect(sentWith([day, price, link], values)).resolves.toEqual({});
  });

  test.each<[string, typeof arrival, unknown, string]>([
    ['a time that is none', arrival, 'soon', `Arrival Time: "soon" isn't a time.`],
    ['a phone number', arrival, '9876543210', `Arrival Time: "9876543210" isn't a time.`],
    ['a date that is none', day, 'tomorrow', `Delivery Day: "tomorrow" is an invalid or ambiguous date.`],
    ['a number that is none', price, 'twelve', `Price: "twelve" is an invalid or ambiguous number.`],
    ['a link that is none', link, 'javascript:alert(1)', `Tracking Link: "javascript:alert(1)" isn't a link.`],
    ['a link inside a text', link, 'see https://a.example', `Tracking Link: "see https://a.example" isn't a link.`],
    ['one that is required and missing', arrival, undefined, 'Arrival Time is empty.'],
    ['one into which an object is mapped', link, { a: 1 }, 'Tracking Link: this is a group of values.'],
    [
      'a variable that nobody filled in',
      link,
      'Hi {{ first_name }}',
      'Tracking Link: "Hi {{ first_name }}" is a placeholder',
    ],
    [
      'the name of nothing',
      link,
      'undefined',
      `Tracking Link: "undefined" is a placeholder, not a value, so this step did nothing.`,
    ],
  ])('refuse %s by the label of its field, before anything is sent', async (_what, variable, value, words) => {
    const values = value === undefined ? {} : { [`variable_${variable.name}`]: value };
    await expect(sendWith([variable], values)).rejects.toMatchObject({
      name: 'HaltedError',
      message: expect.stringContaining(words),
    });
  });

  test.each(['parcel_id=3', '{"parcel_id": PX}', 5, true, ['a', 'b'], { a: { b: 1 } }])(
    'that are filled in as %j are refused, before anything is sent',
    async (variables) => {
      const inputData = { ...chosen, to: '+12025550123', variables };
      await expect(runStep('creates.send_message.operation.perform', { authData, inputData })).rejects.toThrow(
        "Template Variables: this isn't a set of names with one value each.",
      );
    },
  );

  test('leave out what is left over from another template', async () => {
    const stale = { variable_old: 'x', variables: { older: 'y' } };
    await expect(sentWith([link], { variable_link: 'https://a.example', ...stale })).resolves.toEqual({
      link: 'https://a.example',
    });
    await expect(sentWith([], stale)).resolves.toEqual({});
  });

  describe('when nothing travelled from the form', () => {
    const sendAlone = async (values: Form) => {
      answerTemplate({ variables: [arrival, link] });
      const inputData = { ...chosen, to: '+12025550123', ...values };
      return runStep('creates.send_message.operation.perform', { authData, inputData });
    };
    const sentAlone = async (values: Form) => {
      const sent = recordSends(202, { id: 'msg_1' });
      await sendAlone(values);
      return sent[0]?.body;
    };

    test.each(['2:30 pm', '2026-06-12T14:30:00-07:00', '14:30'])(
      'are read as the template wants them: %s',
      async (text) => {
        await expect(sentAlone({ variable_arrival: text })).resolves.toMatchObject({ variables: { arrival: '14:30' } });
      },
    );

    test.each([
      ['tomorrow', 'Arrival Time: "tomorrow" isn\'t a time.'],
      ['', 'Arrival Time is empty.'],
    ])('are refused by the label of their field: %j', async (text, words) => {
      await expect(sendAlone({ variable_arrival: text })).rejects.toThrow(words);
    });
  });

  test('are sent as they are where nothing was learnt of them', async () => {
    const sent = recordSends(202, { id: 'msg_1' });
    const inputData = {
      ...chosen,
      to: '+12025550123',
      variables: { other: 'x', arrival: ' soon ' },
      variable_left_over: 'of another template',
    };
    await runStep('creates.send_message.operation.perform', { authData, inputData });
    expect(sent[0]?.body).toMatchObject({ variables: { arrival: 'soon', other: 'x' } });
  });
});

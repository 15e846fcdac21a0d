/** The form of a template on the chosen channel, and the sentences that people read about it. */

import nock from 'nock';
import { type Template, template } from '../../src/api/resources';
import { pathOf } from '../support/calls';
import { expectHalt } from '../support/halt';
import { answerChannels, authData, expectCall, recordSends, toResponse } from '../support/service';
import {
  answerTemplate,
  chosen,
  expectedQuery,
  expectTemplates,
  type Field,
  type Form,
  form,
} from '../support/templates';
import { emptyCache, runStep } from '../support/zapier';

const fixed = ['to', 'test_recipient', 'deduplication_key'];

describe('sentences about a template', () => {
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
      expect(fields[4]?.helpText).toMatch(/a time like `14:30` or `2:30 pm`.+Example: `14:30`/);
    });

    test('asks for a variable of an unknown format with a text field', async () => {
      answerTemplate({ variables: [{ name: 'first_thing', format: 'a format of tomorrow' }] });
      const field = (await form(chosen)).find(({ key }) => key === 'variable_first_thing');
      expect(field).toMatchObject({ label: 'First Thing', type: 'string', required: true });
    });

    test('tells variables with one label apart by their names', async () => {
      answerTemplate({
        variables: ['first', 'second'].map((name) => ({ name, label: 'Order' })),
        body: '{{first}} {{second}}',
      });
      const asked = (await form(chosen)).filter(({ key }) => key.startsWith('variable_'));
      expect(asked).toMatchObject([
        { label: 'Order (first)', meta: { format: 'text' } },
        { label: 'Order (second)', meta: { format: 'text' } },
      ]);
    });

    test('of an agent has one field for any variables before it chooses a template, then those of the template', async () => {
      const list = async (inputData: Form) =>
        (await runStep('creates.send_message.operation.inputFields', { authData, inputData })) as Field[];
      expect((await list({})).map(({ key }) => key)).toContain('variables');
      answerTemplate();
      expect((await list(chosen)).map(({ key }) => key)).toContain('variable_parcel_id');
    });

    test.each([
      ['The `driver` rings twice.', "The 'driver' rings twice"],
      ['x'.repeat(1_000), 'x'.repeat(200)],
    ])('puts the example %.20j in backticks, with one period', async (example, shown) => {
      answerTemplate({ variables: [{ name: 'note', example }] });
      const field = (await form(chosen)).find(({ key }) => key === 'variable_note');
      expect(field?.helpText).toBe(`Example: \`${shown}\`.`);
    });

    test('shows where a variable is that is only a number', async () => {
      answerTemplate({ body: 'Hello {{1}}, your order {{2}} is on its way to you.', variables: null });
      const fields = await form(chosen);
      expect(fields).toContainEqual(
        expect.objectContaining({
          key: 'variable_2',
          label: 'Variable 2',
          required: true,
          helpText: 'In the message: `Hello [Variable 1], your order [Variable 2] is on its way to you`.',
        }),
      );
    });

    const invoiceLink = 'https://pay.example.com/i/{{1}}';
    const linkOnly = {
      body: 'Please pay.',
      buttons: [{ type: 'url', text: 'Pay', url: invoiceLink }],
      variables: null,
    };

    test('shows every place of a variable', async () => {
      const header = { type: 'text', text: 'Order {{1}}' };
      answerTemplate({ ...linkOnly, header, body: 'Hi {{1}}, it arrives {{2}}' });
      expect((await form(chosen)).find(({ key }) => key === 'variable_1')?.helpText).toBe(
        'In the message: `Order [Variable 1]`, `Hi [Variable 1], it arrives [Variable 2]`. Also the end of the link `https://pay.example.com/i/…`.',
      );
      answerTemplate({ ...linkOnly, variables: [{ name: '1', label: 'Invoice', format: 'url', example: '1042' }] });
      expect((await form(chosen)).find(({ key }) => key === 'variable_1')?.helpText).toBe(
        'Only the end of the link `https://pay.example.com/i/…`. Example: `1042`.',
      );
    });

    test.each<[what: string, part: object, name: string]>([
      ['a footer', { footer: 'Ref {{ref}}' }, 'ref'],
      ['the text of a quick reply', { buttons: [{ type: 'quick_reply', text: 'Cancel {{ref}}' }] }, 'ref'],
      ['the code of a button', { buttons: [{ type: 'copy_code', text: 'Copy', example: '{{ref}}' }] }, 'ref'],
      ['a card', { cards: [{ body: 'x' }, { body: '{{ref}} for {{price}}' }] }, 'ref'],
      ['the button of a card', { carousel: { cards: [{ actions: [[{ title: '{{ref}}' }]] }] } }, 'ref'],
      ['the end of a long text', { body: `${'x'.repeat(30_000)}{{ref}}` }, 'ref'],
      ['a long name', { body: `Hi {{${'n'.repeat(150)}}}` }, 'n'.repeat(150)],
      ['a name with spaces', { body: 'Hi {{ first name }}' }, 'first name'],
    ])('asks for a variable in %s, and nothing is sent without it', async (_, part, name) => {
      const changes = { body: 'Hello', variables: null, ...part };
      answerTemplate(changes);
      expect((await form(chosen)).map(({ key }) => key)).toContain(`variable_${name}`);
      answerTemplate(changes);
      const inputData = { ...chosen, to: '+12025550123' };
      await expectHalt(
        runStep('creates.send_message.operation.perform', { authData, inputData }),
        expect.stringMatching(/ (is|are) empty, so nothing was sent\. Fill in a value/),
      );
    });

    const sendLink = async (value: string, changes: object = {}) => {
      // The step remembers a template for five minutes.
      emptyCache();
      answerTemplate({ ...linkOnly, ...changes });
      const sent = recordSends(202, { id: 'msg_1' });
      const inputData = { ...chosen, to: '+12025550123', variables: { 1: value } };
      await runStep('creates.send_message.operation.perform', { authData, inputData }).finally(() => {
        if (sent.length === 0) nock.cleanAll();
      });
      return sent[0]?.body;
    };

    test.each([
      ['#1042', 'https://pay.example.com/i/#1042'],
      ['https://pay.example.com/i/1042', '…le.com/i/https://pay.example.com/i/1042'],
      ['pay.example.com/i/1042', '…ay.example.com/i/pay.example.com/i/1042'],
      ['INV 2026/04', 'https://pay.example.com/i/INV 2026/04'],
      ['1042?paid=1', 'https://pay.example.com/i/1042?paid=1'],
      ['/1042', 'https://pay.example.com/i//1042'],
      ['100%', 'https://pay.example.com/i/100%'],
      ['../admin', 'https://pay.example.com/i/../admin'],
      ['%2e%2E/x', 'https://pay.example.com/i/%2e%2E/x'],
      ['INV 2026/04', 'pay.example.com/i/INV 2026/04', 'pay.example.com/i/{{1}}'],
      ['Pay.example.com/i/1042', 'pay.example.com/i/Pay.example.com/i/1042', 'pay.example.com/i/{{1}}'],
    ])(
      'refuses %s at the end of a link, and shows the link that would come out',
      async (value, link, url = invoiceLink) => {
        const buttons = [{ type: 'url', text: 'Pay', url }];
        const inText = [`Pay (${url.replace('1}', ' 1 }')}).`, ` ${url}`];
        const texts = inText.map((body) => ({ buttons: [], body }));
        for (const changes of [
          {},
          { body: 'Invoice {{1}}' },
          { variables: [{ name: '1', format: 'url' }] },
          ...texts,
        ]) {
          await expectHalt(
            sendLink(value, { buttons, ...changes }),
            expect.stringContaining(`: the link would be "${link}", so nothing was sent. Map only the end of the link`),
          );
        }
      },
    );

    test.each([
      ['1042', {}],
      ['PX-20418', {}],
      ['PX-1', { variables: [{ name: '1', format: 'url' }] }],
      ['2026/04', {}],
      ['caf%C3%A9', {}],
      ['https://x.example/?a=1#b', { buttons: [{ type: 'url', text: 'Pay', url: '{{1}}' }] }],
      ['Noor #1', { buttons: [], body: 'See https://x.example/a\n{{1}} and https://x.example查看{{1}}' }],
      ['Noor #1', { buttons: [], body: 'Pay 1.50/{{1}}, a@x.example/{{1}}, e.g./{{1}} or x.example: {{1}}' }],
      ['https://x.example/?a=1#b', { buttons: [], body: 'See {{1}}', variables: [{ name: '1', format: 'url' }] }],
    ])('takes %s in a link: %j', async (value, changes) => {
      await expect(sendLink(value, changes)).resolves.toMatchObject({ variables: { 1: value } });
    });

    test('shows the whole message: header, text, footer and buttons, with the variables of each', async () => {
      answerTemplate({
        category: 'marketing',
        header: { type: 'text', text: 'Hi {{customerName}}' },
        footer: 'Reply STOP to stop',
        buttons: [
          { type: 'quick_reply', text: 'Confirm' },
          { type: 'url', text: 'Track', url: 'https://track.example.com/{{1}}' },
        ],
      });
      const fields = await form(chosen);
      expect(fields.find(({ key }) => key === 'template_text')?.helpText).toBe(
        [
          '**Hi \\[Customer Name\\]**  ',
          'Your parcel \\[Parcel Number\\] arrives today at about \\[Arrival Time\\].  ',
          '_Reply STOP to stop_  ',
          '\\[Confirm\\] · \\[Track\\] https://track.example.com/\\[Variable 1\\]',
          '',
          "Marketing: messaging apps may hold it back, and WhatsApp doesn't deliver it to US numbers.",
        ].join('\n'),
      );
      expect(fields.flatMap(({ key }) => (key.startsWith('variable_') ? key : []))).toEqual([
        'variable_parcel_id',
        'variable_arrival_time',
        'variable_customerName',
        'variable_1',
      ]);
    });

    test('asks for the picture or document of a header by a link or a file', async () => {
      answerTemplate({
        header: { type: 'document', text: null },
        body: 'Here is your invoice.',
        variables: [{ name: 'invoice', label: 'Invoice', format: 'document', required: true }],
      });
      const fields = await form(chosen);
      expect(fields).toContainEqual(expect.objectContaining({ helpText: '(a document)  \nHere is your invoice.' }));
      expect(fields).toContainEqual(
        expect.objectContaining({
          key: 'variable_invoice',
          helpText: 'Enter a link to the document itself, which starts with `https://`, or map a file.',
        }),
      );
    });

    const anyVariables = ['channel', 'template', 'variables', ...fixed];

    test.each<[where: string, inputData: object, inputDataRaw: Record<string, string>]>([
      // The next run may have another template.
      ['the template is mapped from an earlier step', {}, { template: '{{12345__name}}' }],
      ['the field has a value already', { variables: { parcel_id: 'PX-1' } }, {}],
    ])('has one field for any variables where %s, and reads no template', async (_where, inputData, inputDataRaw) => {
      const read = answerTemplate();
      const fields = await form({ ...chosen, ...inputData }, inputDataRaw);
      expect(fields.map(({ key }) => key)).toEqual(anyVariables);
      expect(read.isDone()).toBe(false);
      nock.cleanAll();
    });

    test('has one field for any variables where the template cannot be read, or has neither text nor variables', async () => {
      expectTemplates().reply(403, '<html>');
      expect((await form(chosen)).map(({ key }) => key)).toEqual(anyVariables);
      answerTemplate({ body: null, variables: null });
      expect((await form(chosen)).map(({ key }) => key)).toEqual(anyVariables);
    });

    test('shows braces, markup and invisible characters of a template as plain text', async () => {
      answerTemplate({
        body: 'Hi {{ who }}, [click](https://evil.example) **now** <b>\u202e\u0000 {{{x}}}',
        variables: [{ name: 'who', label: 'Guest' }],
      });
      const note = (await form(chosen)).find(({ key }) => key === 'template_text');
      expect(note?.helpText).toBe(
        'Hi \\[Guest\\], \\[click\\]\\(https://evil.example\\) \\*\\*now\\*\\* \\<b\\>  {\\[X\\]}',
      );
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

    test('is the same in whatever order the service lists the languages', async () => {
      expect(await show(sample, dutch)).toEqual(await show(dutch, sample));
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
        helpText: 'Enter a date like `2026-06-12`, or map a date and time. Example: `2026-06-12`. Only used in: nl.',
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
      expect(withoutEscapes).toBe(
        `${'…\n'.repeat(4)}The messaging service chooses the text by the contact's language.`,
      );
    });

    // Whether there is such a channel is asked only when it has no such template.
    const noChannels = () => {};

    test.each<[string, () => unknown, Template[], string]>([
      [
        'the channel lacks',
        answerChannels,
        [],
        'This channel has no template "parcel\\_out\\_for\\_delivery". Choose another template or channel.',
      ],
      [
        'is not approved in any language',
        noChannels,
        [
          { ...sample, status: 'pending' },
          { ...dutch, status: 'rejected' },
        ],
        "\"parcel\\_out\\_for\\_delivery\" isn't approved on this channel, so it can't be sent. Wait until it's approved, or choose another template.",
      ],
    ])('says so of a template that %s', async (_what, announce, data, words) => {
      announce();
      const fields = await show(...data);
      expect(fields.map(({ key }) => key)).toEqual(['channel', 'template', 'template_problem', ...fixed]);
      expect(fields[2]).toMatchObject({ type: 'copy', helpText: words });
    });

    test.each<[string, () => unknown, Template[], string]>([
      [
        'the channel lacks',
        answerChannels,
        [
          { ...sample, channel: 'sms' },
          { ...sample, name: 'Parcel_out_for_delivery' },
        ],
        'Template: the channel "whatsapp" has no template "parcel_out_for_delivery" (capital letters count), so nothing was sent. Choose another template.',
      ],
      [
        'is not approved in any language',
        noChannels,
        [{ ...sample, status: 'pending' }],
        'Template: the template "parcel_out_for_delivery" isn\'t approved on the channel "whatsapp", so nothing was sent. Choose another template, or wait for the approval.',
      ],
    ])('stops a run with a template that %s', async (_what, announce, data, message) => {
      expectTemplates().reply(200, { data });
      announce();
      const inputData = { ...chosen, to: '+12025550123', variables: { 'Parcel Number': 'PX-1' } };
      await expect(runStep('creates.send_message.operation.perform', { authData, inputData })).rejects.toMatchObject({
        name: 'HaltedError',
        message,
      });
    });

    test('sends on the channel whose name is in the form, and shows its template there', async () => {
      const named = { ...chosen, channel: 'WhatsApp Business' };
      const answer = () => {
        expectCall('listTemplates', { query: { ...expectedQuery, channel: named.channel } }).reply(200, { data: [] });
        answerChannels();
        expectTemplates().reply(200, { data: [sample] });
      };
      answer();
      expect((await form(named)).map(({ key }) => key)).toContain('variable_parcel_id');
      const keys = [];
      for (const [channel, announce] of [
        [named.channel, answer],
        [chosen.channel, () => expectTemplates().reply(200, { data: [sample] })],
      ] as const) {
        announce();
        const sent = recordSends(202, { id: 'msg_1' });
        const variables = { 'Parcel Number': 'PX-1', arrival_time: '14:30' };
        const inputData = { ...chosen, channel, to: '+12025550123', variables, deduplication_key: 'order 1' };
        await runStep('creates.send_message.operation.perform', { authData, inputData });
        expect(sent[0]?.body).toMatchObject({ channel: 'whatsapp' });
        keys.push(sent[0]?.headers['idempotency-key']);
      }
      expect(keys[0]).toBe(keys[1]);
    });

    test('stops a run with a channel that there is none of, and blames that', async () => {
      expectCall('listTemplates').reply(200, { data: [] });
      answerChannels();
      const inputData = { ...chosen, channel: 'telegram', to: '+12025550123' };
      await expectHalt(
        runStep('creates.send_message.operation.perform', { authData, inputData }),
        'Channel: "telegram" isn\'t one of the choices. Choose one of these: WhatsApp Business; sms.',
      );
    });

    test('stops a run when the list of templates has no end', async () => {
      expectTemplates().reply(200, { data: [sample], next_cursor: 'again' });
      expectCall('listTemplates', { query: { ...expectedQuery, after: 'again' } }).reply(200, {
        data: [],
        next_cursor: 'again',
      });
      const inputData = { ...chosen, to: '+12025550123', variables: { 'Parcel Number': 'PX-1' } };
      await expectHalt(
        runStep('creates.send_message.operation.perform', { authData, inputData }),
        'Template: there are too many templates to read every language of "parcel_out_for_delivery", so nothing was sent. Choose another template.',
      );
    });

    test('stops a run when a language of the template cannot be read', async () => {
      const unreadable = { ...sample, name: null, language: 'de' };
      expectTemplates().reply(200, { data: [sample, unreadable] });
      const inputData = { ...chosen, to: '+12025550123', variables: { 'Parcel Number': 'PX-1' } };
      await expectHalt(
        runStep('creates.send_message.operation.perform', { authData, inputData }),
        expect.stringContaining('to read every language of "parcel_out_for_delivery", so nothing was sent.'),
      );
    });

    test('takes a version that names no channel for one of the channel that was asked for', async () => {
      expectTemplates().reply(200, { data: [{ ...sample, channel: null }] });
      const sent = recordSends(202, { id: 'msg_1' });
      const inputData = { ...chosen, to: '+12025550123', variables: { parcel_id: 'PX-1', arrival_time: '14:30' } };
      await runStep('creates.send_message.operation.perform', { authData, inputData });
      expect(sent).toMatchObject([{ body: { variables: { parcel_id: 'PX-1', arrival_time: '14:30' } } }]);
    });

    test('sends a value as it is when the languages want it in different formats', async () => {
      const version = (language: string, format: string): Template => ({
        ...sample,
        language,
        body: 'Until {{until}}',
        variables: [{ name: 'until', label: 'Until', format, required: true }],
      });
      expectTemplates().reply(200, { data: [version('de', 'date'), version('en', 'number')] });
      const sent = recordSends(202, { id: 'msg_1' });
      const inputData = { ...chosen, to: '+12025550123', variables: { until: 'the end of June' } };
      await runStep('creates.send_message.operation.perform', { authData, inputData });
      expect(sent).toMatchObject([{ body: { variables: { until: 'the end of June' } } }]);
    });

    test('stops a run with a label that two languages use for different variables', async () => {
      const german = { ...sample, language: 'de', variables: [{ name: 'tag', label: 'Dag' }] };
      expectTemplates().reply(200, { data: [dutch, german] });
      const inputData = { ...chosen, to: '+12025550123', variables: { Dag: '12 June 2026' } };
      await expectHalt(
        runStep('creates.send_message.operation.perform', { authData, inputData }),
        'Template Variables: "Dag" can mean several variables of this template. Use one of these names: tag; day.',
      );
    });
  });
});

describe('the template', () => {
  const send = (meta = {}, api_token = authData.api_token) =>
    runStep('creates.send_message.operation.perform', {
      authData: { ...authData, api_token },
      inputData: { ...chosen, to: '+12025550123' },
      meta,
    });

  test('is read once for several messages where Zapier has a cache, and again in a test of the editor', async () => {
    answerTemplate({ body: 'Hello', variables: [] });
    recordSends(202, { id: 'msg_1' });
    recordSends(202, { id: 'msg_2' });
    await send();
    await send();
    answerTemplate({ body: 'Hello {{name}}', variables: [] });
    await expect(send({ isLoadingSample: true })).rejects.toThrow('Name is empty, so nothing was sent.');
  });

  test('of another account is read for itself', async () => {
    answerTemplate({ body: 'Hello', variables: [] });
    recordSends(202, { id: 'msg_1' });
    await send();
    const data = [{ ...template.sample, body: 'Hello {{name}}', variables: [] }];
    nock(authData.base_url, { reqheaders: { authorization: 'Bearer another-token' } })
      .get(pathOf('listTemplates'))
      .query(true)
      .reply(200, toResponse({ data }));
    await expect(send({}, 'another-token')).rejects.toThrow('Name is empty, so nothing was sent.');
  });
});

/** The form and the message are those of a template on the chosen channel, and the sentences that people read about it. */

import fc from 'fast-check';
import nock from 'nock';
import { type Template, template } from '../../src/api/resources';
import { convertVariable } from '../../src/message/variable-values';
import { pathOf } from '../support/calls';
import { expectHalt } from '../support/halt';
import { answerChannels, authData, expectCall, recordSends, toResponse } from '../support/service';
import { emptyCache, runAlone, runStep } from '../support/zapier';

describe('a template', () => {
  interface Field {
    key: string;
    type?: string;
    label: string;
    required?: boolean;
    helpText?: string;
    meta?: Record<string, string | boolean>;
  }

  type Description = NonNullable<Template['variables']>[number];

  /** A version whose body is unlike any other's, with what it describes and what its texts have. */
  type Version = Template & { body: string; names: string[] };

  const description = fc.record({
    name: fc.constantFrom('order_id', 'arrival', 'note', 'picture'),
    label: fc.constantFrom('Order', 'Bestelling', 'Arrival'),
    format: fc.constantFrom('text', 'time', 'date', 'number', 'url', 'image'),
    required: fc.boolean(),
  });

  /** Where a variable stands: in the texts of a version, or only in its list. */
  const place = fc.constantFrom('header', 'body', 'button', 'list');

  const version = fc.record({
    name: fc.constantFrom('order_shipped', 'Order_Shipped', 'order'),
    channel: fc.constantFrom('whatsapp', 'sms'),
    language: fc.constantFrom('en', 'nl', 'pt-BR', null),
    category: fc.constantFrom('utility', 'marketing', null),
    status: fc.constantFrom('approved', 'approved', 'approved', 'pending', 'rejected'),
    described: fc.uniqueArray(fc.tuple(description, place), { selector: ([{ name }]) => name, maxLength: 3 }),
    others: fc.uniqueArray(fc.tuple(fc.constantFrom('1', '2', 'customerName', 'order_id'), place), {
      selector: ([name]) => name,
      maxLength: 3,
    }),
    isListed: fc.boolean(),
    hasFooter: fc.boolean(),
  });

  /** Every shape of a template: variables in header, body and link, described or not, by name or number. */
  const versions = fc
    .uniqueArray(version, {
      selector: ({ name, channel, language }) => `${name} ${channel} ${language}`,
      maxLength: 12,
    })
    .map((all) =>
      all.map(({ described, others, isListed, hasFooter, ...each }, index): Version => {
        const placed = new Map<string, string>(
          others.map(([name, where]) => [name, where === 'list' ? 'body' : where]),
        );
        // A list that leaves out some, and no list at all, are as good as a whole one.
        const variables =
          isListed || described.some(([, where]) => where === 'list') ? described.map(([one]) => one) : null;
        for (const [{ name }, where] of described) placed.set(name, where);
        const marksIn = (where: string) =>
          [...placed].flatMap(([name, at]) => (at === where ? `{{${name}}}` : [])).join(' and ');
        const header = marksIn('header');
        const link = marksIn('button').replaceAll(' and ', '/');
        return {
          ...each,
          header: header ? { type: 'text', text: `Hi ${header}` } : null,
          body: `Text${index}End for ${marksIn('body')}`,
          footer: hasFooter ? 'Reply STOP to stop' : null,
          buttons: link ? [{ type: 'url', text: 'Track', url: `https://example.com/${link}` }] : null,
          variables,
          names: [...new Set([...(variables ?? []).map(({ name }) => name), ...placed.keys()])],
        };
      }),
    );

  /** How the service lists versions: in pages that end there, and with the filters that it knows. */
  const listing = fc.record({
    cuts: fc.array(fc.nat(11), { maxLength: 4 }),
    filters: fc.subarray(['name', 'channel']),
  });
  type Listing = typeof listing extends fc.Arbitrary<infer T> ? T : never;

  interface Key {
    name: string;
    channel: string;
  }

  const key: fc.Arbitrary<Key> = fc.record({
    name: fc.constantFrom('order_shipped', 'Order_Shipped', 'order'),
    channel: fc.constantFrom('whatsapp', 'sms'),
  });

  const isOf =
    ({ name, channel }: Key) =>
    (each: Version) =>
      each.name === name && each.channel === channel;
  const isApproved = ({ status }: Version) => status === 'approved';

  /** A service with the versions, which takes every message, right or wrong, and the bodies of what was sent. */
  const serve = (all: readonly Version[], { cuts, filters }: Listing) => {
    const sent: unknown[] = [];
    const listed = (url: string): string => {
      const channels = { data: [{ key: 'whatsapp' }, { key: 'sms' }] };
      if (url.includes(pathOf('listChannels'))) return toResponse(channels);
      const { searchParams } = new URL(url, authData.base_url);
      const wanted = filters.map((name) => [name, searchParams.get(name)] as const);
      const found = all.filter((each) => wanted.every(([name, value]) => value === null || each[name] === value));
      const ends = [...new Set(cuts.map((cut) => Math.min(cut, found.length))), found.length].toSorted((a, b) => a - b);
      const at = Number(searchParams.get('after') ?? 0);
      const data = found.slice(ends[at - 1] ?? 0, ends[at]);
      return toResponse({
        data: data.map(({ names, ...each }) => each),
        next_cursor: at + 1 < ends.length ? String(at + 1) : null,
      });
    };
    const respond = ({ method, url, body }: { method: string; url: string; body?: unknown }): Response => {
      if (method === 'GET') return new Response(listed(url));
      sent.push(JSON.parse(String(body)));
      return new Response(toResponse({ id: 'msg_1' }), { status: 202 });
    };
    const cache = { get: async () => null, set: async () => true };
    return { sent, edge: { respond, cache } };
  };
  type Edge = ReturnType<typeof serve>['edge'];

  const chosen = ({ name, channel }: Key) => ({ channel, template: name });

  const readForm = async (edge: Edge, chosenKey: Key): Promise<Field[]> =>
    (await runAlone(
      'creates.send_message.operation.inputFields',
      { authData, inputData: chosen(chosenKey) },
      edge,
    )) as Field[];

  type Meta = Record<string, Record<string, string | boolean>>;

  const send = (
    edge: Edge,
    chosenKey: Key,
    inputData: object,
    inputFields?: Meta,
    inputDataRaw?: object,
  ): Promise<unknown> => {
    const bundle = {
      authData,
      inputData: { ...chosen(chosenKey), to: '+12025550123', ...inputData },
      ...(inputDataRaw && { inputDataRaw: { ...inputDataRaw, to: '+12025550123' } }),
      meta: { timezone: 'Europe/Amsterdam', ...(inputFields && { inputFields }) },
    };
    return runAlone('creates.send_message.operation.perform', bundle, edge).catch((error: Error) => error);
  };

  const notesIn = (fields: readonly Field[]): string =>
    fields.flatMap(({ type, helpText }) => (type === 'copy' ? helpText : [])).join('\n');
  const markerOf = ({ body }: Version): string => body.split(' ')[0] ?? '';

  /** What the formats take, and what a conversion makes of it. */
  const valuesByFormat: Record<string, [given: string, sent: string]> = {
    text: ['PX-1', 'PX-1'],
    time: ['2:30 pm', '14:30'],
    date: ['12 June 2026', '2026-06-12'],
    number: ['12,50', '12.50'],
    url: ['https://example.com/1', 'https://example.com/1'],
    image: ['https://example.com/1.png', 'https://example.com/1.png'],
  };

  interface Expected {
    name: string;
    required: boolean;
    format: string;
    isImpossible: boolean;
  }

  const isAddress = (format: string): boolean => format === 'url' || format === 'image';

  /** What the form should have, by name: written from the page, not from the code. */
  const expectedVariables = (approved: readonly Version[]): Expected[] =>
    [...new Set(approved.flatMap(({ names }) => names))].map((name) => {
      const uses = approved
        .filter(({ names }) => names.includes(name))
        .map(({ variables }): Partial<Description> => variables?.find((each) => each.name === name) ?? {});
      const formats = new Set(uses.map(({ format }) => format ?? 'text'));
      const format = formats.size > 1 ? 'text' : String([...formats][0]);
      const stands = (part: (each: Version) => unknown) =>
        approved.some((each) => JSON.stringify(part(each) ?? '').includes(`{{${name}}}`));
      const isLink = isAddress(format) && stands(({ buttons }) => buttons);
      const isText = stands(({ header, body }) => [header, body]);
      return {
        name,
        required: uses.some(({ required }) => required !== false),
        // The end of a link is no link, and no value is both.
        format: isLink && !isText ? 'text' : format,
        isImpossible: isLink && isText,
      };
    });

  const check = <T>(property: fc.IAsyncProperty<T>) => fc.assert(property, { numRuns: 80 });

  test('the form shows every approved text of the template on the channel, no other, and all of their variables, however they are listed', async () => {
    await check(
      fc.asyncProperty(versions, listing, listing, key, async (all, at, another, chosenKey) => {
        const fields = await readForm(serve(all, at).edge, chosenKey);
        expect(await readForm(serve(all.toReversed(), another).edge, chosenKey)).toEqual(fields);
        const approved = all.filter(isOf(chosenKey)).filter(isApproved);
        const shown = all.filter((each) => notesIn(fields).includes(markerOf(each)));
        expect(shown).toEqual(approved);
        const asked = fields.flatMap(({ key: fieldKey, required, meta }) =>
          fieldKey.startsWith('variable_') ? { name: fieldKey.slice(9), required, format: meta?.format } : [],
        );
        const byName = (one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1);
        expect(asked.toSorted(byName)).toMatchObject(
          expectedVariables(approved)
            .toSorted(byName)
            .map(({ isImpossible: _, ...each }) => each),
        );
        const choice = "The messaging service chooses the text by the contact's language.";
        expect(notesIn(fields).includes(choice)).toBe(approved.length > 1);
        for (const { helpText } of fields) expect(helpText?.length ?? 0).toBeLessThanOrEqual(1_000);
        const labels = fields.map(({ label }) => label).filter(Boolean);
        expect(new Set(labels).size).toBe(labels.length);
      }),
    );
  });

  /** Who runs the step: a form, a form whose details Zapier didn't pass on, one with a mapped template, or an agent. */
  const callers = ['form', 'plain form', 'mapped template', 'agent', 'agent with fields'];

  const runAs = (who: string, values: Record<string, string>, fields: readonly Field[]) => {
    const isDictionary = who === 'mapped template' || who === 'agent';
    const own = isDictionary
      ? { variables: values }
      : Object.fromEntries(Object.entries(values).map(([name, value]) => [`variable_${name}`, value]));
    const inputFields = Object.fromEntries(fields.map((field) => [field.key, field.meta ?? {}]));
    return {
      inputData: own,
      ...(!who.startsWith('agent') && { inputDataRaw: {} }),
      ...(who === 'form' && { inputFields }),
      ...(who === 'mapped template' && { inputFields: { variables: {} } }),
    };
  };

  const refusal =
    /^Template: the (channel|template) |(is|are) empty, so nothing was sent\.|this template has no variable /;

  test('what is sent has exactly the variables of the template, whoever runs the step, or nothing is sent', async () => {
    const gaps = fc.array(fc.nat(5), { maxLength: 2 });
    const drawn = [versions, listing, key, key, gaps, fc.boolean()] as const;
    await check(
      fc.asyncProperty(...drawn, async (all, at, formKey, runKey, missing, hasUnknown) => {
        // A run may have another channel than the form, such as when an earlier step gives the channel.
        const fields = await readForm(serve(all, at).edge, formKey);
        const approved = all.filter(isOf(runKey)).filter(isApproved);
        const wanted = expectedVariables(approved);
        const filled = wanted.filter((_, index) => !missing.includes(index));
        const lacksOne = wanted.some((each) => each.required && !filled.includes(each));
        const values = Object.fromEntries(filled.map(({ name, format }) => [name, valuesByFormat[format]?.[0] ?? '']));
        const given = hasUnknown ? { ...values, unheard_of: 'x' } : values;
        const variables = Object.fromEntries(filled.map(({ name, format }) => [name, valuesByFormat[format]?.[1]]));
        for (const who of callers) {
          const { sent, edge } = serve(all, at);
          const { inputData, inputFields, inputDataRaw } = runAs(who, given, fields);
          const result = await send(edge, runKey, inputData, inputFields, inputDataRaw);
          // A form keeps the values of a template that was chosen before.
          const isUnfit = (hasUnknown && !who.endsWith('form')) || filled.some(({ isImpossible }) => isImpossible);
          const isRefused = approved.length === 0 || lacksOne || isUnfit;
          const halted = { name: 'HaltedError', message: expect.stringMatching(refusal) };
          expect(result).toMatchObject(isRefused ? halted : {});
          expect(sent).toEqual(isRefused ? [] : [{ ...chosen(runKey), to: '+12025550123', variables }]);
        }
      }),
    );
  });

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
});

describe('sentences about a template', () => {
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
  const fixed = ['to', 'test_recipient', 'deduplication_key'];

  /** Runs the step as an agent does, with these values and a template that describes these variables. */
  const runWith = (variables: Template['variables'], values: Form) => {
    answerTemplate({ body: 'Hello', variables });
    return runStep('creates.send_message.operation.perform', {
      authData,
      inputData: { ...chosen, to: '+12025550123', ...values },
      meta: { timezone: 'Europe/Amsterdam' },
    });
  };

  const sentWith = async (...parameters: Parameters<typeof runWith>) => {
    const sent = recordSends(202, { id: 'msg_1' });
    await runWith(...parameters);
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
      expect(fields[4]?.helpText).toMatch(/a time like `14:30` or `2:30 pm`.+Example: `14:30`/);
    });

    test('asks for a variable of an unknown format with a text field', async () => {
      answerTemplate({ variables: [{ name: 'first_thing', format: 'a format of tomorrow' }] });
      const field = (await form(chosen)).find(({ key }) => key === 'variable_first_thing');
      expect(field).toMatchObject({ label: 'First Thing', type: 'string', required: true });
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

    test.each<[variable: typeof arrival, value: string, words: string, timeZone?: string | null]>([
      [arrival, 'soon', `Arrival Time: "soon" isn't a time. Enter one such as 14:30`],
      [day, 'tomorrow', `Delivery Day: "tomorrow" is an invalid or ambiguous date. Enter one`],
      [price, 'twelve', `Price: "twelve" is an invalid or ambiguous number. Enter digits`],
      [link, 'javascript:alert(1)', `Tracking Link: "javascript:alert(1)" isn't a link. Enter`],
      [link, 'see https://a.example', `Tracking Link: "see https://a.example" isn't a link.`],
      [picture, 'http://a.example/1.png', `isn't a link to an image. Enter one that starts`],
      ...['[{"name":"Shirt"}]', "[{'name': 'Shirt'}]", '{"a":1}\n{"b":2}', '['.repeat(30_000), '{}'].map(
        (json): [typeof parcel, string, string] => [
          parcel,
          json,
          'this is a group of values in JSON, so this step did',
        ],
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
      ...[
        '{first_name} {last_name}',
        '[Name], null',
        '*|FNAME|*',
        '[[name]]',
        '{0}',
        '%7Bname%7D',
        '{$name}',
        '{@name}',
      ],
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
});

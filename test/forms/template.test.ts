/** The form and the message are those of a template on the chosen channel, whatever else the service has. */
import fc from 'fast-check';
import nock from 'nock';
import type { Template } from '../../src/api/resources';
import { authData, service, toResponse } from '../support/service';
import { emptyCache, runStep } from '../support/zapier';

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
      const placed = new Map<string, string>(others.map(([name, where]) => [name, where === 'list' ? 'body' : where]));
      // A list that leaves out some, and no list at all, are as good as a whole one.
      const variables =
        isListed || described.some(([, where]) => where === 'list') ? described.map(([one]) => one) : null;
      for (const [{ name }, where] of described) placed.set(name, where);
      const marksIn = (where: string) =>
        [...placed].flatMap(([name, at]) => (at === where ? `{{${name}}}` : [])).join(' and ');
      const header = marksIn('header');
      const link = marksIn('button');
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
const listing = fc.record({ cuts: fc.array(fc.nat(11), { maxLength: 4 }), filters: fc.subarray(['name', 'channel']) });
type Listing = typeof listing extends fc.Arbitrary<infer T> ? T : never;

interface Key {
  name: string;
  channel: string;
}

const key: fc.Arbitrary<Key> = fc.record({
  name: fc.constantFrom('order_shipped', 'Order_Shipped', 'order'),
  channel: fc.constantFrom('whatsapp', 'sms'),
});

interface Sent {
  channel: string;
  template: string;
  variables: Record<string, string>;
}

const { base_url } = authData;
const isOf =
  ({ name, channel }: Key) =>
  (each: Version) =>
    each.name === name && each.channel === channel;
const isApproved = ({ status }: Version) => status === 'approved';

/** Serves the versions, and takes every message, right or wrong. Returns the bodies of what was sent. */
const serve = (all: readonly Version[], { cuts, filters }: Listing): Sent[] => {
  const sent: Sent[] = [];
  nock.cleanAll();
  emptyCache();
  const listed = (url: string): string => {
    const { searchParams } = new URL(url, base_url);
    const wanted = filters.map((name) => [name, searchParams.get(name)] as const);
    const found = all.filter((each) => wanted.every(([name, value]) => value === null || each[name] === value));
    const ends = [...new Set(cuts.map((cut) => Math.min(cut, found.length))), found.length].toSorted((a, b) => a - b);
    const at = Number(searchParams.get('after') ?? 0);
    const data = found.slice(ends[at - 1] ?? 0, ends[at]);
    return toResponse('listTemplates', 200, {
      data: data.map(({ names, ...each }) => each),
      next_cursor: at + 1 < ends.length ? String(at + 1) : null,
    });
  };
  service().persist().get('/v1/templates').query(true).reply(200, listed);
  service()
    .persist()
    .post('/v1/messages')
    .reply((_url, body) => {
      sent.push(body as unknown as Sent);
      return [202, toResponse('sendMessage', 202, { id: 'msg_1' })];
    });
  return sent;
};

const chosen = ({ name, channel }: Key) => ({ channel, template: name });

const readForm = async (chosenKey: Key): Promise<Field[]> =>
  (await runStep('creates.send_message.operation.inputFields', { authData, inputData: chosen(chosenKey) })) as Field[];

const formOf = async (all: readonly Version[], at: Listing, chosenKey: Key): Promise<Field[]> => {
  serve(all, at);
  const fields = await readForm(chosenKey);
  nock.cleanAll();
  return fields;
};

type Meta = Record<string, Record<string, string | boolean>>;

const send = (chosenKey: Key, inputData: object, inputFields?: Meta, inputDataRaw?: object): Promise<unknown> =>
  runStep('creates.send_message.operation.perform', {
    authData,
    inputData: { ...chosen(chosenKey), to: '+12025550123', ...inputData },
    ...(inputDataRaw && { inputDataRaw: { ...inputDataRaw, to: '+12025550123' } }),
    meta: { timezone: 'Europe/Amsterdam', ...(inputFields && { inputFields }) },
  }).catch((error: Error) => error);

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
}

/** What the form should have, by name: written from the page, not from the code. */
const expectedVariables = (approved: readonly Version[]): Expected[] =>
  [...new Set(approved.flatMap(({ names }) => names))].map((name) => {
    const uses = approved
      .filter(({ names }) => names.includes(name))
      .map(({ variables }): Partial<Description> => variables?.find((each) => each.name === name) ?? {});
    const formats = new Set(uses.map(({ format }) => format ?? 'text'));
    return {
      name,
      required: uses.some(({ required }) => required !== false),
      format: formats.size > 1 ? 'text' : String([...formats][0]),
    };
  });

const check = <T>(property: fc.IAsyncProperty<T>) => fc.assert(property, { numRuns: 80 });

test('the form shows every approved text of the template on the channel, no other, and all of their variables', async () => {
  await check(
    fc.asyncProperty(versions, listing, key, async (all, at, chosenKey) => {
      const fields = await formOf(all, at, chosenKey);
      const approved = all.filter(isOf(chosenKey)).filter(isApproved);
      const shown = all.filter((each) => notesIn(fields).includes(markerOf(each)));
      expect(shown).toEqual(approved);
      const asked = fields.flatMap(({ key: fieldKey, required, meta }) =>
        fieldKey.startsWith('variable_') ? { name: fieldKey.slice(9), required, format: meta?.format } : [],
      );
      const byName = (one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1);
      expect(asked.toSorted(byName)).toEqual(expectedVariables(approved).toSorted(byName));
      const choice = "The messaging service chooses the text by the contact's language.";
      expect(notesIn(fields).includes(choice)).toBe(approved.length > 1);
      for (const { helpText } of fields) expect(helpText?.length ?? 0).toBeLessThanOrEqual(1_000);
      const labels = fields.map(({ label }) => label).filter(Boolean);
      expect(new Set(labels).size).toBe(labels.length);
    }),
  );
});

test('neither the order, the pages and the filters of the list, nor another template or channel changes the form', async () => {
  await check(
    fc.asyncProperty(
      versions,
      listing,
      listing,
      key,
      fc.infiniteStream(fc.nat()),
      async (all, at, another, chosenKey, stream) => {
        const own = all.filter(isOf(chosenKey));
        const shuffled = all
          .map((each) => ({ each, place: stream.next().value }))
          .toSorted((one, other) => one.place - other.place)
          .map(({ each }) => each);
        expect(await formOf(shuffled, another, chosenKey)).toEqual(await formOf(own, at, chosenKey));
      },
    ),
  );
});

/** Who runs the step: a form, a form whose details Zapier didn't pass on, one with a mapped template, or an agent. */
const caller = fc.constantFrom('form', 'plain form', 'mapped template', 'agent', 'agent with fields');

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

test('what is sent has exactly the variables of the template, whoever runs the step, or nothing is sent', async () => {
  const gaps = fc.array(fc.nat(5), { maxLength: 2 });
  await check(
    fc.asyncProperty(
      ...([versions, listing, key, key, caller, gaps, fc.boolean()] as const),
      async (all, at, formKey, runKey, who, missing, hasUnknown) => {
        const sent = serve(all, at);
        const fields = await readForm(formKey);
        const approved = all.filter(isOf(runKey)).filter(isApproved);
        const wanted = expectedVariables(approved);
        const filled = wanted.filter((_, index) => !missing.includes(index));
        const values = Object.fromEntries(filled.map(({ name, format }) => [name, valuesByFormat[format]?.[0] ?? '']));
        const given = hasUnknown ? { ...values, unheard_of: 'x' } : values;
        // A run may have another channel than the form, such as when an earlier step gives the channel.
        const { inputData, inputFields, inputDataRaw } = runAs(who, given, fields);
        const result = await send(runKey, inputData, inputFields, inputDataRaw);
        nock.cleanAll();
        const lacksOne = wanted.some((each) => each.required && !filled.includes(each));
        // A form keeps the values of a template that was chosen before.
        const isRefused = hasUnknown && !who.endsWith('form');
        if (approved.length === 0 || lacksOne || isRefused) {
          expect(result).toMatchObject({ name: 'HaltedError', message: expect.stringMatching(/^\S.*: |empty/) });
          expect(sent).toEqual([]);
          return;
        }
        const converted = Object.fromEntries(filled.map(({ name, format }) => [name, valuesByFormat[format]?.[1]]));
        expect(sent).toEqual([{ ...chosen(runKey), to: '+12025550123', variables: converted }]);
      },
    ),
  );
});

test('a value is sent as one line that people can read, as it is by SMS, or not at all', async () => {
  const piece = fc.constantFrom(
    'a',
    ' ',
    '\n',
    '\t',
    '\u00a0',
    '\u0085',
    '<',
    '>',
    '<b>',
    '</p>',
    '<3',
    '&nbsp;',
    '&',
    'é',
    '{{x}}',
  );
  const text = fc.array(piece, { minLength: 1, maxLength: 12 }).map((pieces) => pieces.join(''));
  await check(
    fc.asyncProperty(text, fc.constantFrom('whatsapp', 'sms'), async (value, channel) => {
      const sent = serve([{ name: 'order', channel, status: 'approved', body: '{{note}}', names: [] }], {
        cuts: [],
        filters: [],
      });
      const result = await send({ name: 'order', channel }, { variables: { note: value } });
      nock.cleanAll();
      const isRefused = /<b>|<\/p>|&nbsp;|\{\{x\}\}/.test(value) || !/[^\s\p{Cc}]/u.test(value);
      expect(sent.map(({ variables }) => variables.note)).toEqual(
        isRefused ? [] : [channel === 'sms' ? value.trim() : value.replace(/[\s\u0085]+/g, ' ').trim()],
      );
      if (isRefused) expect(result).toMatchObject({ name: 'HaltedError' });
    }),
  );
});

test('a mapped template takes the name or the label of any language for a variable, or the step stops', async () => {
  await check(
    fc.asyncProperty(versions, listing, key, fc.infiniteStream(fc.nat()), async (all, at, chosenKey, stream) => {
      const approved = all.filter(isOf(chosenKey)).filter(isApproved);
      const uses = approved.flatMap(({ variables }) => variables ?? []);
      const wanted = expectedVariables(approved);
      const called = wanted.map(({ name, format }) => {
        const labels = uses.flatMap((each) => (each.name === name && each.label) || []);
        const words = [name, ...labels];
        return { name, format, given: words[stream.next().value % words.length] ?? name };
      });
      const meanings = called.map(({ given }) => {
        if (wanted.some(({ name }) => name === given)) return 1;
        const named = uses.filter(({ label, name }) => label === given || name === given.toLowerCase());
        return new Set(named.map(({ name }) => name)).size;
      });
      const sent = serve(all, at);
      const variables = Object.fromEntries(called.map(({ given, format }) => [given, valuesByFormat[format]?.[0]]));
      const result = await send(chosenKey, { variables }, { variables: {} });
      nock.cleanAll();
      if (approved.length === 0 || meanings.some((count) => count > 1)) {
        expect(result).toMatchObject({ name: 'HaltedError' });
        expect(sent).toEqual([]);
        return;
      }
      const converted = Object.fromEntries(called.map(({ name, format }) => [name, valuesByFormat[format]?.[1]]));
      expect(sent).toEqual([{ ...chosen(chosenKey), to: '+12025550123', variables: converted }]);
    }),
  );
});

test('Start Campaign for one recipient shows the texts and variables of the campaign, as Send Template Message does', async () => {
  await check(
    fc.asyncProperty(versions, listing, key, async (all, at, chosenKey) => {
      const ofTemplate = (fields: readonly Field[]) =>
        fields.filter((field) => /^(template_|variable)/.test(field.key)).map(({ ...field }) => field);
      serve(all, at);
      const campaign = { id: 'cmp_5Jc1Fy', template: chosenKey.name, channel: chosenKey.channel };
      service()
        .get('/v1/campaigns/cmp_5Jc1Fy')
        .reply(200, toResponse('getCampaign', 200, campaign));
      const inputData = { campaign: 'cmp_5Jc1Fy', audience: 'one' };
      const path = 'creates.start_campaign.operation.inputFields';
      const fields = (await runStep(path, { authData, inputData })) as Field[];
      const same = await readForm(chosenKey);
      nock.cleanAll();
      expect(ofTemplate(fields)).toEqual(ofTemplate(same));
    }),
  );
});

test('Start Campaign for one recipient sends only to the template and channel that its form asked for', async () => {
  const maybeKey = fc.option(key, { nil: { name: null, channel: null } });
  await check(
    fc.asyncProperty(versions, listing, key, maybeKey, async (all, at, formKey, runKey) => {
      serve(all, at);
      const fields = await readForm(formKey);
      const campaign = { id: 'cmp_5Jc1Fy', template: runKey.name, channel: runKey.channel };
      service()
        .persist()
        .get('/v1/campaigns/cmp_5Jc1Fy')
        .reply(200, toResponse('getCampaign', 200, campaign));
      const started: unknown[] = [];
      service()
        .post('/v1/campaigns/cmp_5Jc1Fy/trigger')
        .reply((_url, body) => {
          started.push(body);
          return [202, toResponse('triggerCampaign', 202, { id: 'run_1' })];
        });
      const isForTemplate = fields.some(({ meta }) => meta?.template === formKey.name);
      const values = all.flatMap(({ names }) => names.map((name) => [`variable_${name}`, '12:30'] as const));
      const result = await runStep('creates.start_campaign.operation.perform', {
        authData,
        inputData: { campaign: 'cmp_5Jc1Fy', audience: 'one', to: '+12025550123', ...Object.fromEntries(values) },
        meta: { inputFields: Object.fromEntries(fields.map((field) => [field.key, field.meta ?? {}])) },
      }).catch((error: Error) => error);
      nock.cleanAll();
      const isSame = formKey.name === runKey.name && formKey.channel === runKey.channel;
      if (!isForTemplate || isSame) return;
      expect(started).toEqual([]);
      expect(result).toMatchObject({
        name: 'HaltedError',
        message: expect.stringMatching(/^Campaign: its template or channel has changed/),
      });
    }),
  );
});

/** The form and the message are those of a template on the chosen channel, whatever else the service has. */
import fc from 'fast-check';
import nock from 'nock';
import type { Template } from '../../src/api/resources';
import { authData, service, toResponse } from '../support/service';
import { runStep } from '../support/zapier';

interface Field {
  key: string;
  type?: string;
  label: string;
  required?: boolean;
  helpText?: string;
  meta?: Record<string, string | boolean>;
}

/** A version whose text is unlike any other's. Its variables are in its text and in its list. */
type Version = Template & { body: string; variables: NonNullable<Template['variables']> };

const variable = fc.record({
  name: fc.constantFrom('order_id', 'arrival', 'note'),
  label: fc.constantFrom('Order', 'Bestelling', 'Arrival'),
  format: fc.constantFrom('text', 'time', 'date', 'number', 'url'),
  required: fc.boolean(),
});

const version = fc.record({
  name: fc.constantFrom('order_shipped', 'Order_Shipped', 'order'),
  channel: fc.constantFrom('whatsapp', 'sms'),
  language: fc.constantFrom('en', 'nl', 'pt-BR', null),
  status: fc.constantFrom('approved', 'approved', 'approved', 'pending', 'rejected'),
  variables: fc.uniqueArray(variable, { selector: ({ name }) => name, maxLength: 3 }),
});

const versions = fc
  .uniqueArray(version, {
    selector: ({ name, channel, language }) => `${name} ${channel} ${language}`,
    maxLength: 12,
  })
  .map((all) =>
    all.map(({ variables, ...each }, index): Version => {
      const places = variables.map(({ name }) => `{{${name}}}`).join(' and ');
      return { ...each, variables, body: `Text${index}End for ${places}` };
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

/** Serves the versions, and refuses a template as the contract says. Returns the bodies of what was sent. */
const serve = (all: readonly Version[], { cuts, filters }: Listing): Sent[] => {
  const sent: Sent[] = [];
  const listed = (url: string): string => {
    const { searchParams } = new URL(url, base_url);
    const wanted = filters.map((name) => [name, searchParams.get(name)] as const);
    const found = all.filter((each) => wanted.every(([name, value]) => value === null || each[name] === value));
    const ends = [...new Set(cuts.map((cut) => Math.min(cut, found.length))), found.length].toSorted((a, b) => a - b);
    const at = Number(searchParams.get('after') ?? 0);
    const data = found.slice(ends[at - 1] ?? 0, ends[at]);
    return toResponse('listTemplates', 200, { data, next_cursor: at + 1 < ends.length ? String(at + 1) : null });
  };
  service().persist().get('/v1/templates').query(true).reply(200, listed);
  service()
    .persist()
    .post('/v1/messages')
    .reply((_url, body) => {
      const content = body as unknown as Sent;
      const known = all.filter(isOf({ name: content.template, channel: content.channel }));
      if (!known.some(isApproved)) {
        const code = known.length > 0 ? 'template_not_approved' : 'template_not_found';
        return [422, toResponse('sendMessage', 422, { error: { code, message: 'No' }, request_id: 'req_1' })];
      }
      sent.push(content);
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

const send = (chosenKey: Key, inputData: object, inputFields?: Meta): Promise<unknown> =>
  runStep('creates.send_message.operation.perform', {
    authData,
    inputData: { ...chosen(chosenKey), to: '+12025550123', ...inputData },
    meta: { timezone: 'Europe/Amsterdam', ...(inputFields && { inputFields }) },
  }).catch((error: Error) => error);

const notesIn = (fields: readonly Field[]): string =>
  fields.flatMap(({ type, helpText }) => (type === 'copy' ? helpText : [])).join('\n');
const markerOf = ({ body }: Version): string => body.split(' ')[0] ?? '';

/** What every format takes in the same way, and what a conversion changes. */
const valuesByFormat: Record<string, [given: string, sent: string]> = {
  text: ['PX-1', 'PX-1'],
  time: ['2:30 pm', '14:30'],
  date: ['12 June 2026', '2026-06-12'],
  number: ['12,50', '12.50'],
  url: ['https://example.com/1', 'https://example.com/1'],
};

/** What the form should have, by name: written from the page, not from the code. */
const expectedVariables = (approved: readonly Version[]) => {
  const names = new Set(approved.flatMap(({ variables }) => variables.map(({ name }) => name)));
  return [...names].map((name) => {
    const uses = approved.flatMap(({ variables }) => variables.filter((each) => each.name === name));
    const formats = new Set(uses.map(({ format }) => format));
    return {
      name,
      required: uses.some(({ required }) => required),
      format: formats.size > 1 ? 'text' : String(uses[0]?.format),
    };
  });
};

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

test('what is sent is of that template on that channel with converted values, or the step stops and says which field', async () => {
  await check(
    fc.asyncProperty(versions, listing, key, key, fc.boolean(), async (all, at, formKey, runKey, hasForm) => {
      const sent = serve(all, at);
      const fields = await readForm(formKey);
      const approved = all.filter(isOf(runKey)).filter(isApproved);
      const wanted = expectedVariables(approved);
      const inputData = Object.fromEntries(
        wanted.map(({ name, format }) => [`variable_${name}`, valuesByFormat[format]?.[0]]),
      );
      // A run may have another channel than the form, such as when an earlier step gives the channel.
      const inputFields = Object.fromEntries(fields.map((field) => [field.key, field.meta ?? {}]));
      const result = await send(runKey, inputData, hasForm ? inputFields : undefined);
      nock.cleanAll();
      if (approved.length === 0) {
        expect(result).toMatchObject({ name: 'HaltedError', message: expect.stringMatching(/^Template: /) });
        expect(sent).toEqual([]);
        return;
      }
      const converted = Object.fromEntries(wanted.map(({ name, format }) => [name, valuesByFormat[format]?.[1]]));
      expect(sent).toEqual([{ ...chosen(runKey), to: '+12025550123', variables: converted }]);
    }),
  );
});

test('a mapped template takes the label of any language for one variable, or the step stops', async () => {
  const label = fc.constantFrom('Order', 'Bestelling', 'Arrival', 'order_id', 'Note', 'Nobody');
  await check(
    fc.asyncProperty(versions, listing, key, label, async (all, at, chosenKey, given) => {
      const sent = serve(all, at);
      const result = await send(chosenKey, { variables: { [given]: 'two' } }, { variables: {} });
      nock.cleanAll();
      const approved = all.filter(isOf(chosenKey)).filter(isApproved);
      const isMeant = (each: { name: string; label?: string | null | undefined }) =>
        each.label === given || each.name === given || (each.name === 'note' && given === 'Note');
      const names = new Set(approved.flatMap(({ variables }) => variables.filter(isMeant).map(({ name }) => name)));
      for (const { template, channel, variables } of sent) {
        expect({ template, channel }).toEqual(chosen(chosenKey));
        // A name in lower case needs no template, and the service judges it.
        if (given !== 'order_id') expect([Object.keys(variables)]).toEqual([[...names]]);
      }
      if (sent.length === 0) expect(result).toMatchObject({ name: 'HaltedError' });
    }),
  );
});

test('Start Campaign for one recipient shows the texts and variables of the campaign, as Send Template Message does', async () => {
  await check(
    fc.asyncProperty(versions, listing, key, async (all, at, chosenKey) => {
      const ofTemplate = (fields: readonly Field[]) =>
        fields.filter((field) => /^(template_|variable)/.test(field.key)).map(({ ...field }) => field);
      serve(all, at);
      const campaign = { id: 'cmp_1', template: chosenKey.name, channel: chosenKey.channel };
      service()
        .get('/v1/campaigns/cmp_1')
        .reply(200, toResponse('getCampaign', 200, campaign));
      const inputData = { campaign: 'cmp_1', audience: 'one' };
      const path = 'creates.trigger_campaign.operation.inputFields';
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
      const campaign = { id: 'cmp_1', template: runKey.name, channel: runKey.channel };
      service()
        .persist()
        .get('/v1/campaigns/cmp_1')
        .reply(200, toResponse('getCampaign', 200, campaign));
      const started: unknown[] = [];
      service()
        .post('/v1/campaigns/cmp_1/trigger')
        .reply((_url, body) => {
          started.push(body);
          return [202, toResponse('triggerCampaign', 202, { id: 'run_1' })];
        });
      const isForTemplate = fields.some(({ meta }) => meta?.template === formKey.name);
      const values = all.flatMap(({ variables }) =>
        variables.map(({ name }) => [`variable_${name}`, '12:30'] as const),
      );
      const result = await runStep('creates.trigger_campaign.operation.perform', {
        authData,
        inputData: { campaign: 'cmp_1', audience: 'one', to: '+12025550123', ...Object.fromEntries(values) },
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

import { errorOf, newNumber, Running } from '../../support/running';

const service = new Running();

const values = { parcel_id: 'PX-1', parcel_point: 'Quay Street 12', pickup_date: '2026-06-19' };
const inEnglish = 'Your parcel PX-1 is ready at Quay Street 12. We keep it until 2026-06-19.';

const send = (to: string, content: object = {}) =>
  service.request('sendMessage', {
    body: { channel: 'whatsapp', to, template: 'parcel_ready', variables: values, ...content },
  });

const customerWith = async (language?: string): Promise<string> => {
  const phone = newNumber();
  await service.request('createContact', { body: { phone, ...(language && { language }) } });
  return phone;
};

test.each([
  ['nl', 'Uw pakket PX-1 ligt tot en met 2026-06-19 klaar bij Quay Street 12.'],
  ['nl-BE', 'Uw pakket PX-1 ligt tot en met 2026-06-19 klaar bij Quay Street 12.'],
  ['de', 'Ihr Paket PX-1 liegt für Sie bereit: Quay Street 12.'],
  ['en', inEnglish],
  ['pl', inEnglish],
  [undefined, inEnglish],
])("a contact whose language is %s gets the text in it, else in the workspace's", async (language, text) => {
  expect((await send(await customerWith(language))).body).toMatchObject({ text });
});

test('a person who is no contact yet gets the text in the language of the workspace', async () => {
  expect((await send(newNumber())).body).toMatchObject({ text: inEnglish });
});

test('a template with one language goes to everybody', async () => {
  const content = { template: 'openingstijden', variables: {} };
  expect((await send(await customerWith('pl'), content)).status).toBe(202);
});

test('another channel has its own text and variables', async () => {
  const variables = { parcel_id: 'PX-1', pickup_code: '4711' };
  const sent = await send(await customerWith('nl'), { channel: 'sms', variables });
  expect(sent.body).toMatchObject({ text: 'Parcel PX-1 is ready. Your code is 4711.' });
  const refused = await send(await customerWith('nl'), { channel: 'sms' });
  expect(errorOf(refused)).toMatchObject({ code: 'template_variables_missing', field: 'variables.pickup_code' });
});

test("only the text that is sent needs its variables, and another channel's are unknown", async () => {
  const { pickup_date: _, ...withoutDate } = values;
  expect((await send(await customerWith('de'), { variables: withoutDate })).status).toBe(202);
  const refused = await send(await customerWith('nl'), { variables: withoutDate });
  expect(errorOf(refused)).toMatchObject({ code: 'template_variables_missing', field: 'variables.pickup_date' });
  const unknown = await send(await customerWith('de'), { variables: { ...values, pickup_code: '4711' } });
  expect(errorOf(unknown)).toMatchObject({ code: 'validation_failed', field: 'variables.pickup_code' });
});

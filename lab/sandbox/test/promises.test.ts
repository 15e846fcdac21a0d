/** What the app promises of any service, judged by the sandbox: with internal notes, with messages read at once, and with no checks. */
import * as z from 'zod/mini';
import { endpoints } from '../../../src/api/endpoints';
import { receivedCalls } from '../../../test/support/received';
import { controlOf, newNumber, parcelMessage, Running } from '../../../test/support/running';
import { runStep, startZapier, type Zapier } from '../../../test/support/zapier';

const authOf = ({ url, sandbox }: Running) => ({
  base_url: url,
  api_token: sandbox.tokens.advanced,
  ai_agents: 'everything',
});

const written = z.looseObject({
  id: z.string(),
  conversation_id: z.string(),
  contact: z.looseObject({ id: z.string() }),
});

describe('a service that has notes and reports few deliveries', () => {
  const service = new Running({ isSmall: true });
  const control = controlOf(service);
  let zapier: Zapier;

  beforeAll(async () => {
    zapier = await startZapier({ authData: authOf(service) });
  });

  afterAll(() => zapier.stop());

  const search = (key: string, inputData: Record<string, unknown>) =>
    zapier.run(`searches.${key}.operation.perform`, { inputData });

  test('an internal note is in no trigger, list, transcript, digest or dropdown', async () => {
    const hooks = {
      message_received: {},
      message_sent: { sources: ['colleague', 'automation', 'api'] },
      message_status_updated: { statuses: ['sent', 'delivered', 'read', 'failed'] },
      conversation_closed: {},
    };
    const zaps = await Promise.all(Object.entries(hooks).map(([key, input]) => zapier.turnOn(key, input)));
    const phone = newNumber();
    const { conversation_id: conversation } = written.parse(await control('/messages', { from: phone, text: 'Hello' }));
    const note = await control(`/conversations/${conversation}/notes`, { text: 'SECRET NOTE' });
    await control(`/conversations/${conversation}/close`);
    const [received, sent, status, closed] = await Promise.all(zaps.map((zap) => zap.nextRun()));
    expect([received, sent, status, closed]).toMatchObject([[{ text: 'Hello' }], [], [], [{ last_message: null }]]);
    const examples = Object.entries(hooks).map(([key, inputData]) =>
      zapier.run(`triggers.${key}.operation.performList`, { inputData }),
    );
    const found = [
      ...examples,
      search('find_messages', {}),
      search('find_conversations', {}),
      search('find_conversations', { awaiting_reply: 'true' }),
      search('find_conversation_history', { conversation }),
      search('find_message_status', { message: note.id }),
      runStep('searches.find_message_status.operation.inputFields.0.choices.perform', { authData: authOf(service) }),
      runStep('searches.find_conversation_history.operation.inputFields.0.choices.perform', {
        authData: authOf(service),
      }),
    ];
    const told = await Promise.all(found);
    expect(JSON.stringify(told)).not.toMatch(new RegExp(`SECRET NOTE|${note.id}`));
    expect(told).toContainEqual([]);
    await expect(search('find_reply', { message: note.id })).rejects.toThrow('no message with this ID');
    const listed = z.array(z.looseObject({ id: z.string() })).parse(await search('find_conversations', {}));
    expect(listed.find(({ id }) => id === conversation)).toMatchObject({ awaiting_reply: null });
    await Promise.all(zaps.map((zap) => zap.turnOff()));
  });

  test('a message that was read at once has arrived, and starts a Zap for delivered messages once', async () => {
    const zap = await zapier.turnOn('message_status_updated', { statuses: ['delivered'] });
    const from = newNumber();
    await control('/messages', { from, text: 'Where is my parcel?', stays_open: true });
    const { id } = await service.read('sendMessage', { body: parcelMessage(from) });
    await expect(zap.nextRun()).resolves.toMatchObject([{ id, status: 'read', delivered_at: null }]);
    await expect(search('find_message_status', { message: id })).resolves.toMatchObject([
      { status: 'read', has_arrived: true },
    ]);
    await zap.turnOff();
  });
});

describe('a service that checks nothing', () => {
  const service = new Running({ isLenient: true });

  beforeEach(async () => {
    await service.control('DELETE', '/requests');
  });

  const writes = async () =>
    (await receivedCalls(service.sandbox)).filter(({ call }) => call && endpoints[call].method !== 'GET');

  const reminder = {
    picture: 'https://files.example.com/1.jpg',
    first_name: 'Noor',
    appointment: 'Friday, June 12, 2:30 PM',
  };
  const { appointment: _, ...incomplete } = reminder;

  /** What must send nothing, by what is wrong with it. */
  const refused: [what: string, message: object, variables: Record<string, string>][] = [
    ['a variable is missing', {}, incomplete],
    ['a variable is empty', {}, { ...reminder, appointment: '' }],
    ['a variable is only spaces', {}, { ...reminder, first_name: '\u00a0 ' }],
    ['a value is HTML', {}, { ...reminder, first_name: '<p>Noor&nbsp;<b>Visser</b></p>' }],
    ['a time is none', { template: 'parcel_out_for_delivery' }, { parcel_id: 'PX-1', arrival_time: '25:99' }],
    ['a date has two readings', { template: 'delivery_rescheduled' }, { parcel_id: 'PX-1', new_date: '06/07/2026' }],
    ['a picture has no https address', {}, { ...reminder, picture: 'noor.jpg' }],
    ['a value is an error of a spreadsheet', {}, { ...reminder, first_name: '#N/A' }],
    ['a number is too short', { to: '12' }, reminder],
    ['a number is two', { to: '+12025550123, +12025550124' }, reminder],
    ['a number costs the caller', { to: '+44 871 234 5678' }, reminder],
    ['the template waits for approval', { template: 'summer_promotion' }, {}],
    ['the template is on another channel', { channel: 'sms' }, reminder],
    ['there is no such template', { template: 'parcel_lost' }, {}],
    ['there is no such channel', { channel: 'pigeon' }, reminder],
    ['a variable without a description is missing', { template: 'appointment_confirmed' }, { '1': 'Noor' }],
  ];

  const steps = ['send_message', 'send_message_and_wait'];
  const message = { channel: 'whatsapp', template: 'appointment_reminder', to: '+12025550123' };

  /** Runs a step with a form, or as an agent calls it. */
  const send = (step: string, given: object, variables: Record<string, string>, hasForm: boolean) => {
    const fields = Object.fromEntries(Object.entries(variables).map(([name, value]) => [`variable_${name}`, value]));
    const inputData = { ...message, ...given, ...(hasForm ? fields : { variables }) };
    const form = hasForm ? { inputDataRaw: inputData } : {};
    return runStep(`creates.${step}.operation.perform`, { authData: authOf(service), inputData, ...form });
  };

  test.each(refused)('gets no message when %s', async (_what, given, variables) => {
    for (const step of steps) {
      for (const hasForm of [true, false]) {
        await expect(send(step, given, variables, hasForm)).rejects.toMatchObject({ name: 'HaltedError' });
      }
    }
    await expect(writes()).resolves.toEqual([]);
  });

  test.each([
    ['a name that the template has not', { ...reminder, parcel: 'PX-1' }],
    ['a name in another language', { ...reminder, fecha: '2026-06-12' }],
  ])('gets no message with %s', async (_what, variables) => {
    for (const step of steps) {
      await expect(send(step, {}, variables, false)).rejects.toMatchObject({ name: 'HaltedError' });
    }
    await expect(writes()).resolves.toEqual([]);
  });

  test('gets a message with all variables of its template, and no others', async () => {
    for (const hasForm of [true, false]) await send('send_message', { to: newNumber() }, reminder, hasForm);
    const bodies = (await writes()).map(({ body }) => body);
    expect(bodies).toMatchObject([{ variables: reminder }, { variables: reminder }]);
  });

  test('gets no campaign for one person whose variables the template has not', async () => {
    const { data } = await service.read('listCampaigns', { query: { status: 'draft' } });
    const inputData = { campaign: data[0]?.id, audience: 'one', to: newNumber(), variables: { parcel_id: 'P-1' } };
    const started = runStep('creates.start_campaign.operation.perform', { authData: authOf(service), inputData });
    await expect(started).rejects.toMatchObject({ name: 'HaltedError' });
    await expect(writes()).resolves.toEqual([]);
  });

  test.each([
    ['a number that is none', { phone: '12' }],
    ['an address that is none', { email: 'noor at example' }],
    ['neither a number nor an address', { first_name: 'Noor' }],
  ])('gets no contact with %s', async (_what, inputData) => {
    for (const step of ['create_contact', 'create_or_update_contact']) {
      const ran = runStep(`creates.${step}.operation.perform`, { authData: authOf(service), inputData });
      await expect(ran).rejects.toMatchObject({ name: 'HaltedError' });
    }
    await expect(writes()).resolves.toEqual([]);
  });
});

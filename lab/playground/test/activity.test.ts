import { newNumber } from '../../../test/support/running';
import { count, found, sendForm, textOf, usePage } from './playground-client';

const { client, database } = usePage();

/** The latest story of a Zap, in its line. */
const latestOf = async (zap: string): Promise<string> =>
  textOf(found((await client.get(`/activity/${zap}`)).html, /aria-label="Latest activity"([\s\S]*?)<\/ol>/)).trim();

test('a story leads from its cause to its outcome, and is the same after a restart', async () => {
  const zap = await client.turnOnFor('why');
  await client.write(newNumber(), 'why so late?');
  await client.waitForRun(zap, 'Success');
  await client.post('/simulate', { advance: '60' });
  await client.settled();
  const told = await latestOf(zap);
  expect(told).toMatch(/asked .* → Zap ran → Message sent → \S+ read it$/);
  expect(textOf((await client.get(`/activity/${await client.newZap()}`)).html)).toContain("This Zap hasn't run yet.");
  await client.stop();
  await client.startHere(database);
  expect(await latestOf(zap)).toBe(told);
});

test('the card, the panel and the story say the same of a run that stopped, until the step is corrected', async () => {
  const customer = newNumber();
  const zap = await client.turnOnFor('too long', { 'f.variable_parcel_id': '{{1.text}}' });
  await client.write(customer, `too long ${'x'.repeat(1300)}`);
  await client.waitForRun(zap, 'Safely halted');
  const card = found(
    (await client.get(`/zap/${zap}/runs`)).html,
    /id="step-1" class="step-card failed"([\s\S]*?)<\/button>/,
  );
  const told = 'Safely halted, and nothing was sent';
  expect(textOf(card)).toContain(`${told}: Parcel Number`);
  const opened = (await client.get(found(card, /hx-get="([^"]+)"/).replaceAll('&amp;', '&'))).html;
  expect(opened).toContain('id="stage-test" class="quiet" aria-current="true"');
  expect(textOf(found(opened, /id="result"([\s\S]*)/))).toMatch(
    new RegExp(`${told} Parcel Number.* Go to Parcel Number`),
  );
  expect(opened).toContain('id="problem-variable_parcel_id"');
  const stories = (await client.get(`/activity/${zap}`)).html;
  expect(textOf(stories)).toMatch(/Safely halted at step 2, and nothing was sent: Parcel Number.* Open step 2/);
  const saved = await client.post(`/zap/${zap}/1`, {
    at: '1',
    refused: 'variable_parcel_id',
    'f.variable_parcel_id': 'PX-1',
  });
  expect(saved.html).toContain('id="panel"');
  expect(saved.html).not.toContain('id="problem-variable_parcel_id"');
  expect(saved.html).not.toContain('step-card failed');
});

test('a test says who gets the message, keeps nothing on, and shows its values as they are sent, in the order of the form', async () => {
  const zap = await client.newZap();
  await client.fill(zap, 1, { ...sendForm, 'f.variable_arrival_time': '2:30 pm', 'f.to': '12' });
  const shown = await client.fill(zap, 1, { 'f.test_recipient': '(202) 555-0188', to: 'test' });
  expect(textOf(shown.html)).toContain('sends this message to (202) 555-0188, from Test Messages Go To.');
  await client.fill(zap, 1, { 'f.test_recipient': '' });
  const tested = found((await client.fill(zap, 1, { action: 'test' })).html, /id="result"([\s\S]*)/);
  expect(textOf(tested)).toMatch(/Zapier stops this run \(Safely halted\)\. /);
  const labels = [
    'Channel',
    'WhatsApp',
    'Template',
    'Parcel out for delivery.*',
    'Parcel Number',
    'PX-1',
    'Arrival Time',
    '14:30',
  ];
  expect(textOf(tested)).toMatch(new RegExp(`What it tried ${labels.join(' ')} .*Phone Number 12 `));
  await client.fill(zap, 1, { 'f.to': newNumber(), 'f.deduplication_key': '{{1.id}} 216898725633' });
  const sent = textOf(found((await client.fill(zap, 1, { action: 'test' })).html, /id="result"([\s\S]*)/));
  expect(sent).not.toContain('What it tried');
  expect(sent).toMatch(/Data in .* 216898725633/);
  const wrong = textOf((await client.fill(zap, 1, { 'f.test_recipient': '12' })).html);
  expect(wrong).toContain('Test Messages Go To: "12" isn\'t a phone number');
  expect(wrong).toContain('Test step sends nothing. Test Messages Go To: "12" isn\'t a phone number');
  // Customers get their message all the same.
  expect(wrong).not.toContain('Not sent.');
});

test('a replay says that nothing new was sent and shows the bubble from before, or how many messages it sent', async () => {
  const customer = newNumber();
  const zap = await client.turnOnFor('A-1042');
  await client.write(customer, 'A-1042');
  await client.waitForRun(zap, 'Success');
  const [run] = await client.runsOf(zap);
  await client.post(`/zap/${zap}/runs/${run}/replay`);
  await client.settled();
  expect(await latestOf(zap)).toContain('→ Replayed: nothing new was sent');
  const { html } = await client.get(`/zap/${zap}/1/result`);
  expect(textOf(html)).toMatch(
    /\S+ got this message at \d\d:\d\d \(Send Once for Each: A-1042\)\. Nothing new was sent\./,
  );
  const link = found(html, /hx-get="(\/phones\?chat=[^"]+)"/).replaceAll('&amp;', '&');
  expect((await client.get(link)).html).toMatch(/class="bubble theirs linked"/);
  await client.post(`/zap/${zap}/off`);
  await client.fill(zap, 1, { 'f.deduplication_key': '' });
  await client.post(`/zap/${zap}/runs/${run}/replay`);
  await client.settled();
  expect(await latestOf(zap)).toContain('→ Replayed: sent 1 message → Message sent');
});

test('a phone draws the header, the footer and the buttons of a message, and a pressed button answers exactly that one, once', async () => {
  const customer = newNumber();
  const reminder = {
    operation: 'creates.send_message_and_wait',
    'f.template': 'appointment_reminder',
    'f.variable_picture': 'https://files.example.com/lakeside-dental.jpg',
    'f.variable_first_name': 'Noor',
    'f.variable_appointment': 'Friday, June 12, 2:30 PM',
  };
  const [first, second] = [
    await client.turnOnFor('clinic one', reminder),
    await client.turnOnFor('clinic two', reminder),
  ];
  await client.post(`/zap/${second}/keep?zaps=${first}`);
  const chat = found((await client.write(customer, 'clinic one')).html, /id="write-([^"]+)"/);
  await client.waitForRun(first, `Waits for a reply from ${customer}.`);
  await client.write(customer, 'clinic two');
  await client.waitForRun(second, `Waits for a reply from ${customer}.`);
  const { html } = await client.get(`/phones?chat=${chat}`);
  expect(html).toContain('alt="Picture: lakeside-dental.jpg"');
  expect(textOf(html)).toMatch(
    /seeing you on Friday, June 12, 2:30 PM\. Can you come\? Lakeside Dental Confirm Cancel/,
  );
  // A phone calls a business as its newest message does, or else as the workspace.
  const businessOf = (phone: string): string => found(phone, /class="device-header">.*?<strong[^>]*>(.*?)<\/strong>/s);
  expect(businessOf(html)).toBe('Lakeside Dental');
  expect(businessOf((await client.get('/phones?to=nobody')).html)).toBe('Harbor Parcels');
  const message = found(html, /id="press-([^"]+)-0"/);
  const pressed = { act: 'press', from: customer, channel: 'whatsapp', message, text: 'Confirm' };
  const answered = (await client.post(`/phones/acts?chat=${chat}`, pressed)).html;
  expect(answered).not.toContain(`id="press-${message}-0"`);
  expect(answered).toMatch(/id="press-/);
  await client.waitForRun(first, 'Success');
  await client.waitForRun(second, 'replied to another message by quoting it, so the Zap stopped waiting');
  await client.fill(await client.newZap(), 1, { ...sendForm, 'f.to': customer, action: 'test' });
  expect(businessOf((await client.get(`/phones?chat=${chat}`)).html)).toBe('Harbor Parcels');
});

test('a run that waits leads to the phone of who must reply, and the reply is in its story', async () => {
  const customer = '+12025550144';
  const zap = await client.turnOnFor('does it suit you', { operation: 'creates.send_message_and_wait' });
  const chat = found((await client.write(customer, 'does it suit you?')).html, /id="write-([^"]+)"/);
  const waiting = await client.waitForRun(zap, 'Waits for a reply from Hanna Vogel.');
  expect(found(waiting, /hx-get="\/phones\?chat=([^&"]+)/)).toBe(chat);
  await client.write(customer, 'It does.');
  await client.waitForRun(zap, 'Success');
  await client.settled();
  expect(await latestOf(zap)).toMatch(/asked .* → Zap ran → Message sent → .* replied$/);
  expect(count((await client.get(`/activity/${zap}`)).html, 'class="story"')).toBe(1);
});

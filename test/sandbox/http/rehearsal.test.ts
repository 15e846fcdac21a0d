/** The address at which the service responds as always and changes nothing. */
import { newNumber, parcelMessage, requestFrom } from '../../support/running';
import { startSeeded } from '../../support/seeded';

test('responds to a message, a contact and a mistake as the service does, and keeps nothing', async () => {
  const { url, rehearsalUrl, tokens, stop } = await startSeeded({ rateLimit: 5 });
  const [real, rehearsal] = [url, rehearsalUrl].map((each) => ({ url: each, token: tokens.advanced }));
  if (!real || !rehearsal) throw new Error('The sandbox has no address.');
  const to = newNumber();
  for (let count = 0; count < 10; count += 1) {
    const body = { ...parcelMessage(to) };
    const sent = await requestFrom(rehearsal, 'sendMessage', { body }, { 'idempotency-key': 'a-key-of-this-test' });
    expect(sent).toMatchObject({ status: 202, body: { to, status: 'queued' } });
  }
  const wrong = { ...parcelMessage(to), template: 'parcel_lost' };
  expect(await requestFrom(rehearsal, 'sendMessage', { body: wrong })).toMatchObject({ status: 422 });
  expect(await requestFrom(rehearsal, 'createContact', { body: { phone: to } })).toMatchObject({ status: 201 });
  const { body: messages } = await requestFrom(real, 'listMessages', { query: { limit: 100 } });
  const { body: contacts } = await requestFrom(real, 'listContacts', { query: { phone: to } });
  expect([JSON.stringify(messages), JSON.stringify(contacts)].join()).not.toContain(to);
  expect(await requestFrom(real, 'createContact', { body: { phone: to } })).toMatchObject({ status: 201 });
  await stop();
});

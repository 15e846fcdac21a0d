import * as z from 'zod/mini';
import { errorOf, newNumber, parcelMessage, Running } from '../../support/running';

const service = new Running();
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const tokenAnswer = z.object({ token: z.string() });

const newToken = async (content: object): Promise<string> =>
  tokenAnswer.parse((await service.control('POST', '/tokens', content)).body).token;

describe('tokens', () => {
  test('rotates a token at once and keeps its scopes', async () => {
    const token = await newToken({ plan: 'growth', scopes: ['contacts:read'] });
    const rotated = tokenAnswer.parse((await service.control('POST', '/tokens/rotate', { token })).body).token;
    expect(await service.request('listContacts', {}, bearer(token))).toMatchObject({ status: 401 });
    expect(await service.request('listContacts', {}, bearer(rotated))).toMatchObject({ status: 200 });
    expect(await service.request('listMessages', {}, bearer(rotated))).toMatchObject({ status: 403 });
  });

  test('hides the contacts of other workspaces', async () => {
    const contacts = await service.request(
      'listContacts',
      { query: { limit: 1 } },
      bearer(service.sandbox.tokens.growth),
    );
    const { data } = z.object({ data: z.array(z.object({ id: z.string() })) }).parse(contacts.body);
    expect(await service.request('getContact', { id: `${data[0]?.id}` })).toMatchObject({ status: 404 });
  });
});

describe('plans', () => {
  test('allows everything but webhooks on the Growth plan', async () => {
    const headers = bearer(service.sandbox.tokens.growth);
    expect(await service.request('sendMessage', { body: parcelMessage(newNumber()) }, headers)).toMatchObject({
      status: 202,
    });
    expect(await service.request('listContacts', {}, headers)).toMatchObject({ status: 200 });
    const refused = await service.request('listWebhooks', {}, headers);
    expect(refused.status).toBe(403);
    expect(errorOf(refused)).toMatchObject({ code: 'plan_required', required_plan: 'advanced' });
  });
});

describe('scopes', () => {
  test('reads the workspace without any scope', async () => {
    const token = await newToken({ scopes: [] });
    expect(await service.request('getWorkspace', {}, bearer(token))).toMatchObject({ status: 200 });
  });
});

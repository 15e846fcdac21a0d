/** The API token in a field where it doesn't belong. */
import fc from 'fast-check';
import nock from 'nock';
import { currentApp, expandForms } from '../scripts/docs/definition';
import { cleanToken } from '../src/http/connection';
import { type PlacedStep, plainFields, stepsOf } from '../zapier/core/app-definition';
import { hasListedChoices } from '../zapier/fields/form';
import { authData } from './support/service';
import { runStep } from './support/zapier';

/** Any token that the app could send, long enough to be a secret. */
const anyToken = fc.stringMatching(/^[!-~]{8,60}$/).filter((token) => cleanToken(token) === token);

const spellEach = (spell: (character: string) => string) => (token: string) => token.replace(/./g, spell);
const toHex = (character: string): string => character.charCodeAt(0).toString(16).padStart(2, '0');

const texts: ((token: string) => string)[] = [
  (token) => token,
  (token) => ` Bearer ${token}\n`,
  (token) => `Authorization: Bearer ${token}`,
  (token) => `My token is "${token}", thanks. ${'x'.repeat(10_000)}`,
  (token) => `${token.slice(0, 4)}\r\n  ${token.slice(4)}`,
  (token) => [...token].join('\u200b'),
  (token) => [...token].join(' '),
  (token) => [...token].join('\u0000\u3000\ufe0f'),
  encodeURIComponent,
  spellEach((character) => `%${toHex(character)}`),
  spellEach((character) => `%${toHex(character).toUpperCase()}`),
  spellEach((character) => `\\u00${toHex(character)}`),
  (token) => JSON.stringify(token).replaceAll('/', '\\/'),
];

const values: ((text: string) => unknown)[] = [
  (text) => text,
  (text) => ['vip', text],
  (text) => [['vip'], [text]],
  (text) => ({ [text]: 'x' }),
  (text) => ({ details: [{ name: text }] }),
];

const anySpelling = fc.tuple(fc.constantFrom(...texts), fc.constantFrom(...values)).map(
  ([spell, wrap]) =>
    (token: string) =>
      wrap(spell(token)),
);

/** Runs a step whose service answers everything, and returns its error and what it sent. */
const runWith = async (path: string, bundle: Parameters<typeof runStep>[1]) => {
  const sent: string[] = [];
  const record = (uri: string, body: nock.Body) => {
    sent.push(uri + JSON.stringify(body));
    return [200, { id: '1', data: [] }] as const;
  };
  const scope = nock(/.*/).persist();
  scope.get(/.*/).reply(record).post(/.*/).reply(record).patch(/.*/).reply(record).delete(/.*/).reply(record);
  const outcome = await runStep(path, { targetUrl: 'https://hooks.example.com/1', ...bundle }).catch(
    (error: Error) => error,
  );
  nock.cleanAll();
  return { outcome, sent };
};

/** Lists the parts of a token that would give it away. */
const partsOf = (token: string): string[] =>
  Array.from({ length: token.length - 7 }, (_, index) => token.slice(index, index + 8));

const expectRefusal = async (label: string, token: string, path: string, bundle: Parameters<typeof runStep>[1]) => {
  const { outcome, sent } = await runWith(path, bundle);
  expect(sent).toEqual([]);
  expect(outcome).toMatchObject({
    name: 'HaltedError',
    message: expect.stringMatching(/^[^:]+: this contains your API token, so the step stopped\. Remove it from the /),
  });
  const { message } = outcome as Error;
  expect(message.split(':')[0]).toBe(label);
  expect(message.length).toBeLessThan(250);
  expect(partsOf(token).filter((part) => message.includes(part))).toEqual([]);
};

/** Every function of a step that reads its input. */
const functionsOf = ({ place, step }: PlacedStep): string[] =>
  ['perform', 'performList', 'performSubscribe', 'performResume', 'inputFields']
    .filter((name) => name !== 'inputFields' || step.operation.inputFields?.some((each) => typeof each === 'function'))
    .filter((name) => name in step.operation)
    .concat(
      (step.operation.inputFields ?? []).flatMap((each, index) =>
        hasListedChoices(each) ? `inputFields.${index}.choices.perform` : [],
      ),
    )
    .map((name) => `${place}.operation.${name}`);

/** A field for a variable, which only the form of its template has. */
const variable = { key: 'variable_eta', label: 'Arrival Time' };
const meta = { inputFields: { [variable.key]: { ...variable, format: 'text', required: true } } };

const formFieldsOf = async ({ place }: PlacedStep) => {
  const step = stepsOf(await expandForms()).find((each) => each.place === place)?.step;
  const fields = step ? plainFields(step).filter(({ type }) => type !== 'copy') : [];
  return fields.some(({ key }) => key === 'variables') ? [...fields, variable] : fields;
};

test.each(stepsOf(currentApp))('$place refuses the token in each of its fields, by the label', async (placed) => {
  for (const { key, label = key } of await formFieldsOf(placed)) {
    for (const path of functionsOf(placed)) {
      await fc.assert(
        fc.asyncProperty(anyToken, anySpelling, async (token, spell) => {
          const bundle = { authData: { ...authData, api_token: token }, inputData: { [key]: spell(token) }, meta };
          await expectRefusal(label, token, path, bundle);
        }),
        { numRuns: 2 },
      );
    }
  }
});

test.each([
  ['base_url', 'API Base URL'],
  ['default_country', 'Default Country'],
])('the token in %s of the account is refused before anything is sent', async (key, label) => {
  const paths = ['authentication.test', ...stepsOf(currentApp).flatMap(functionsOf)];
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...paths), anyToken, fc.constantFrom(...texts), async (path, token, spell) => {
      await expectRefusal(label, token, path, { authData: { ...authData, api_token: token, [key]: spell(token) } });
    }),
    { numRuns: 20 },
  );
});

const send = (api_token: string, first_name: string) =>
  runWith('creates.create_contact.operation.perform', {
    authData: { ...authData, api_token },
    inputData: { email: 'noor@example.com', first_name },
  });

test.each([
  ['the start of the token', authData.api_token, authData.api_token.slice(0, -1)],
  ['the token in another case', authData.api_token, authData.api_token.toUpperCase()],
])('%s is text like any other', async (_what, token, text) => {
  const { outcome, sent } = await send(token, text);
  expect(outcome).toMatchObject({ id: '1' });
  expect(sent).toEqual([expect.stringContaining(text)]);
});

test('a Zap can be turned off, whatever is in its form', async () => {
  const path = 'triggers.message_received.operation.performUnsubscribe';
  const { outcome } = await runWith(path, {
    authData,
    inputData: { contains: [authData.api_token] },
    subscribeData: { id: 'wh_1' },
  });
  expect(outcome).toEqual({ id: 'wh_1' });
});

/** Whether a refusal names each field of each request by its label in the form of the step. */
import nock from 'nock';
import * as z from 'zod/mini';
import { runStep } from '../playground/zapier';
import { currentApp, expandForms, plainFields, stepsOf, visibleStepsOf } from '../scripts/docs/definition';
import { decodeField } from '../src/api/decode';
import { type Endpoint, type EndpointName, endpoints } from '../src/api/endpoints';
import { fromWire } from '../src/api/translate';
import { formOf } from '../src/api/wire';
import { callAt, goodResponse } from './calls';
import { authData, toResponse } from './service';

const meta = (label: string) => ({ label, format: 'text', required: true });
const form = { variable_parcel_id: meta('Parcel Number'), variable_arrival_time: meta('Arrival Time') };
const variables = { variable_parcel_id: 'PX-1', variable_arrival_time: '14:30' };
const to = '+12025550123';
const parcel = { channel: 'whatsapp', template: 'parcel_out_for_delivery', to };
const one = { campaign: 'cmp_1', audience: 'one', to };
const names = { first_name: 'Noor', last_name: 'Visser' };
const person = { ...names, phone: to, email: 'noor@example.com', language: 'nl', consent: 'opted_in' };
const details = { attributes: { floor: '3' } };
const filters = { channel: 'whatsapp', sources: ['agent'], campaign: 'cmp_1', tag: 'vip' };

type Bundle = NonNullable<Parameters<typeof runStep>[1]>;

interface Run {
  place: string;
  inputData: Record<string, unknown>;
  perform?: string;
  meta?: Bundle['meta'];
  /** The calls that the step can do without. */
  optional?: EndpointName[];
}

const filledIn: Run[] = [
  { place: 'creates.send_message', inputData: { ...parcel, ...variables }, meta: { inputFields: form } },
  { place: 'creates.send_message', inputData: { ...parcel, variables: { parcel_id: 'PX-1' } } },
  { place: 'creates.send_message', inputData: { ...parcel, test_recipient: to }, meta: { isLoadingSample: true } },
  {
    place: 'creates.send_message_and_wait',
    inputData: { ...parcel, ...variables },
    meta: { inputFields: form },
    // A reply that came at once.
    optional: ['listMessages'],
  },
  { place: 'creates.trigger_campaign', inputData: { ...one, audience: 'saved', max_recipients: '500' } },
  { place: 'creates.trigger_campaign', inputData: { ...one, ...variables }, meta: { inputFields: form } },
  { place: 'creates.create_contact', inputData: { ...person, ...details, tags: 'vip' } },
  { place: 'creates.upsert_contact', inputData: { ...person, ...details, tags: 'vip' } },
  {
    place: 'creates.update_contact',
    inputData: { ...person, ...details, contact: 'c', add_tags: 'a', remove_tags: 'b' },
  },
  { place: 'creates.delete_contact', inputData: { contact: 'con_1' } },
  { place: 'searches.find_contact', inputData: { phone: to } },
  { place: 'searches.find_contact', inputData: { email: 'noor@example.com' } },
  { place: 'searches.find_contact', inputData: { name: 'Noor' } },
  { place: 'searches.find_conversation', inputData: { conversation: 'cnv_1', message_limit: '5' } },
  { place: 'searches.find_conversation', inputData: { phone: to, channel: 'whatsapp', status: 'open' } },
  { place: 'searches.find_reply', inputData: { message: 'msg_1' } },
  { place: 'searches.find_message', inputData: { message: 'msg_1' } },
  { place: 'searches.find_messages', inputData: { direction: 'inbound', status: 'received', channel: 'sms' } },
  { place: 'searches.find_campaign', inputData: { name: 'summer' } },
  { place: 'searches.find_template', inputData: { name: 'parcel', channel: 'sms' } },
  { place: 'triggers.new_contact', inputData: filters },
];

const instant = stepsOf(currentApp).filter(({ step }) => step.operation.type === 'hook');
/** One instant trigger for each form. */
const hooks = new Map(
  instant.map((placed) => [
    plainFields(placed.step)
      .map(({ key }) => key)
      .join(),
    placed,
  ]),
);
const runs: Run[] = [
  ...filledIn,
  ...[...hooks.values()].flatMap(({ place }) =>
    ['performSubscribe', 'performList'].map((perform) => ({ place, perform, inputData: filters })),
  ),
];

/** Lists the fields in a body or query, such as `to` and `variables.parcel_id`. */
const fieldsIn = (value: object, path = ''): string[] =>
  Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? [path + key, ...fieldsIn(inner, `${path}${key}.`)]
      : [path + key],
  );

/** Returns a good response of a call. A webhook has the filters of its request. */
const respond = (name: EndpointName, body: unknown): string => {
  const sent = fromWire(endpoints.createWebhook.body, body);
  const response = { ...goodResponse(name), ...(name === 'createWebhook' && { filters: Object(sent).filters }) };
  return toResponse(name, 200, response);
};

/** Runs a step and lists the fields of each request. The service refuses one field of one request, if given. */
const runWith = async (
  { place, perform = 'perform', ...bundle }: Run,
  refused?: { request: number; field: string },
) => {
  const requests: { name: EndpointName; endpoint: Endpoint; fields: string[] }[] = [];
  const reply = (method: string) => (uri: string, body: nock.Body) => {
    const { pathname, searchParams } = new URL(uri, authData.base_url);
    const name = callAt(method, pathname);
    if (!name) throw new Error(`The API has no call at ${method} ${pathname}.`);
    const endpoint: Endpoint = endpoints[name];
    const inPath = endpoint.path.includes('{id}') ? ['id'] : [];
    requests.push({ name, endpoint, fields: [...inPath, ...searchParams.keys(), ...fieldsIn(Object(body))] });
    if (requests.length - 1 !== refused?.request) return [endpoint.status, respond(name, body)] as const;
    const error = { code: 'validation_failed', message: 'No', field: refused.field };
    return [422, toResponse(name, 422, { error })] as const;
  };
  const scope = nock(authData.base_url).persist();
  scope.get(/.*/).reply(reply('GET')).post(/.*/).reply(reply('POST')).put(/.*/).reply(reply('PUT'));
  scope.patch(/.*/).reply(reply('PATCH')).delete(/.*/).reply(reply('DELETE'));
  const path = `${place}.operation.${perform}`;
  const outcome: unknown = await runStep(path, { authData, targetUrl: 'https://hooks.example.com/1', ...bundle }).catch(
    (error: Error) => error.message,
  );
  nock.cleanAll();
  return { outcome, requests };
};

/** Fields that no form has: the step chooses them. */
const chosenByTheStep = new Set([
  'url',
  'events',
  'filters',
  'after',
  'limit',
  'direction',
  'status',
  'contact_id',
  'conversation_id',
  'variables',
]);

/** Whether a service with queries in another form has the parameter, such as `page`. No form has it. */
const isOfService = ({ query }: Endpoint, parameter: string): boolean => {
  const theirs = query && formOf(query);
  return theirs instanceof z.ZodMiniObject && Object.hasOwn(theirs.shape, parameter);
};

/** The field for all variables together, which a form with a field for each doesn't have. */
const allVariables = 'Template Variables';

test.each(runs)('$place names each field of a refused request by its label: $inputData', async (run) => {
  const step = stepsOf(await expandForms()).find(({ place }) => place === run.place)?.step;
  const labels = [
    ...(step ? plainFields(step).map(({ label = '' }) => label) : []),
    ...Object.values(form).map(({ label }) => label),
  ].filter((label) => label !== allVariables || !run.meta?.inputFields);
  const { outcome, requests } = await runWith(run);
  expect(outcome).toEqual(expect.anything());
  expect(requests.length).toBeGreaterThan(0);
  const needed = [...requests.entries()].filter(([, { name }]) => !run.optional?.includes(name));
  for (const [request, { endpoint, fields }] of needed) {
    for (const field of fields) {
      const { outcome: error } = await runWith(run, { request, field });
      const [, label] = /^(?:The messaging service didn't accept the input\.|([^:.]+):) No\./.exec(String(error)) ?? [];
      const known = label?.replace(/ \(.+\)$/, '');
      const isNamed =
        isOfService(endpoint, field) ||
        (known ? labels.includes(known) : chosenByTheStep.has(decodeField(endpoint, field)));
      expect({ field, error, isNamed }).toEqual({ field, error: expect.stringContaining('No.'), isNamed: true });
    }
  }
});

test('the loop has every action and search that makes requests, and every polling trigger', () => {
  const steps = visibleStepsOf(currentApp).filter(({ step }) => step.operation.type !== 'hook');
  expect(steps.map(({ place }) => place).filter((place) => !runs.some((run) => run.place === place))).toEqual([
    'creates.api_request',
  ]);
});

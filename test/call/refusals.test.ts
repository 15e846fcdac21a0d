/** What every step and form says when the service refuses it. */

import nock from 'nock';
import { callAt } from '../../lab/sandbox/http/route';
import { plainFields, stepsOf } from '../../lab/zapier/core/app-definition';
import { currentApp, expandForms } from '../../scripts/docs/definition';
import { type Endpoint, endpoints } from '../../src/api/endpoints';
import type { EndpointName } from '../../src/api/transport';
import { type Bundle, listRuns, type Run, templateForm } from '../runs';
import { goodResponse } from '../support/calls';
import { exampleRecords } from '../support/records';
import { authData, toResponse } from '../support/service';
import { emptyCache, runStep } from '../support/zapier';

describe('refusals', () => {
  /** A run of a function of an operation. */
  interface Refused extends Pick<Run, 'place' | 'when' | 'bundle'> {
    part: string;
  }

  const isOneRecipient = ({ place, when }: Run): boolean =>
    place === 'creates.start_campaign' && when === 'for one recipient';

  const withVariables: Bundle = {
    inputData: { variable_parcel_id: 'PX-1', variable_arrival_time: '14:30' },
    meta: { inputFields: templateForm },
  };

  const filledIn = listRuns(exampleRecords).filter(({ part }) => part === 'perform');

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
  const filters = { channel: 'whatsapp', sources: ['colleague'], campaign: 'cmp_5Jc1Fy' };
  const runs: Refused[] = [
    ...filledIn,
    // The sandbox has no campaign whose template has variables.
    ...filledIn.filter(isOneRecipient).map(({ bundle, ...run }) => ({
      ...run,
      when: 'with variables',
      bundle: { ...withVariables, inputData: { ...bundle.inputData, ...withVariables.inputData } },
    })),
    {
      place: 'creates.send_message',
      part: 'inputFields.1.choices.perform',
      when: 'the templates of a channel',
      bundle: { inputData: { channel: 'whatsapp' } },
    },
    ...[...hooks.values()].flatMap(({ place }) =>
      ['performSubscribe', 'performList'].map((part) => ({ place, part, when: part, bundle: { inputData: filters } })),
    ),
  ];

  /** The calls that a step can do without: a reply that came at once. */
  const optional: Record<string, EndpointName[]> = { 'creates.send_message_and_wait': ['listMessages'] };

  /** Lists the fields in a body or query, such as `to` and `variables.parcel_id`. */
  const fieldsIn = (value: object, path = ''): string[] =>
    Object.entries(value).flatMap(([key, inner]) =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? [path + key, ...fieldsIn(inner, `${path}${key}.`)]
        : [path + key],
    );

  /** Returns a good response of a call. A webhook has the filters of its request. */
  const respond = (name: EndpointName, body: unknown): string => {
    const response = { ...goodResponse(name), ...(name === 'createWebhook' && { filters: Object(body).filters }) };
    return toResponse(response);
  };

  /** Runs a step and lists the fields of each request. The service refuses one field of one request, if given. */
  const runWith = async ({ place, part, bundle }: Refused, refused?: { request: number; field: string }) => {
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
      return [422, toResponse({ error })] as const;
    };
    nock.cleanAll();
    emptyCache();
    const scope = nock(authData.base_url).persist();
    scope.get(/.*/).reply(reply('GET')).post(/.*/).reply(reply('POST')).put(/.*/).reply(reply('PUT'));
    scope.patch(/.*/).reply(reply('PATCH')).delete(/.*/).reply(reply('DELETE'));
    const path = `${place}.operation.${part}`;
    const outcome: unknown = await runStep(path, {
      authData,
      targetUrl: 'https://hooks.example.com/1',
      ...bundle,
    }).catch((error: Error) => error.message);
    nock.cleanAll();
    return { outcome, requests };
  };

  /** Fields that no form has: the step chooses them. */
  const chosenByTheStep = new Set([
    'url',
    'events',
    'filters',
    'filters.after',
    'after',
    'limit',
    'direction',
    'status',
    'consent',
    'contact_id',
    'conversation_id',
    'variables',
  ]);

  /** The field for all variables together, which a form with a field for each doesn't have. */
  const allVariables = 'Template Variables';

  const placesOfRuns = [...Map.groupBy(runs, ({ place }) => place)];

  test.each(placesOfRuns)('%s names each field of a refused request by its label', async (place, itsRuns) => {
    const step = stepsOf(await expandForms()).find((each) => each.place === place)?.step;
    const own = step ? plainFields(step).map(({ label = '' }) => label) : [];
    const refused = new Set<string>();
    for (const run of itsRuns) {
      const hasForm = run.bundle.meta?.inputFields !== undefined;
      const labels = [...own, ...Object.values(templateForm).map(({ label }) => label)].filter(
        (label) => label !== allVariables || !hasForm,
      );
      const { outcome, requests } = await runWith(run);
      expect([run.when, outcome]).toEqual([run.when, expect.anything()]);
      expect(requests.length).toBeGreaterThan(0);
      for (const [request, { name, fields }] of requests.entries()) {
        // A call names a field alike in every run of the step.
        const fresh = fields.filter((field) => !refused.has(`${name} ${field} ${hasForm}`));
        for (const field of optional[place]?.includes(name) ? [] : fresh) {
          refused.add(`${name} ${field} ${hasForm}`);
          const { outcome: error } = await runWith(run, { request, field });
          const [, label] =
            /^(?:The messaging service didn't accept the input\.|([^:.]+):(?: \w+:)?) No\./.exec(String(error)) ?? [];
          const isNamed = label ? labels.includes(label) : chosenByTheStep.has(field);
          expect({ field, error, isNamed }).toEqual({ field, error: expect.stringContaining('No.'), isNamed: true });
        }
      }
    }
  });
});

import type { Authentication, ZObject } from 'zapier-platform-core';
import { apiPlan, endpoints, pathPrefix } from './api/endpoints';
import { vocabulary, type Workspace } from './api/resources';
import { brand } from './brand';
import countries from './formats/countries.json';
import { find } from './http/client';
import { explainRefusal, fail } from './platform/errors';

const plans: readonly string[] = vocabulary.plan;

/** A plan that this integration does not know is taken to be enough: the service itself has the last word. */
const isBelowApiPlan = (plan: string): boolean => plans.includes(plan) && plans.indexOf(plan) < plans.indexOf(apiPlan);

const test = async (z: ZObject): Promise<Workspace> => {
  const workspace = await find(z, endpoints.getWorkspace, {});
  if (!workspace) {
    throw fail(
      'API Base URL: the messaging service does not answer at this address. Copy the address again, without anything behind it.',
      'base_url_refused',
      404,
    );
  }
  if (isBelowApiPlan(workspace.plan ?? '')) {
    throw explainRefusal({ status: 403, code: 'plan_required', requiredPlan: apiPlan, problems: [] });
  }
  return workspace;
};

/** The connection: where the API is, the workspace's token (specification §5), and how to read local phone numbers. */
export const authentication: Authentication = {
  type: 'custom',
  test,
  connectionLabel: '{{name}}',
  fields: [
    {
      key: 'base_url',
      label: 'API Base URL',
      required: true,
      isNoSecret: true,
      placeholder: brand.api,
      helpText: `The address of the API, without \`${pathPrefix}\`. You find it on the [API tokens page](${brand.tokenPage}).`,
    },
    {
      key: 'api_token',
      label: 'API Token',
      type: 'password',
      required: true,
      helpText: `Create a token on the [API tokens page](${brand.tokenPage}) and allow it what your Zaps do. To use everything: ${vocabulary.scope.map((scope) => `\`${scope}\``).join(', ')}.`,
    },
    {
      key: 'default_country',
      label: 'Default Country',
      required: false,
      isNoSecret: true,
      choices: countries,
      helpText:
        'Where phone numbers without a plus and a country code come from. Steps that send a message can choose another.',
    },
  ],
};

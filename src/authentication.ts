import type { Authentication, Bundle, ZObject } from 'zapier-platform-core';
import { connectionTests } from './api/adapter';
import { connectionEntries } from './api/connection';
import { apiPlan, endpoints } from './api/endpoints';
import { vocabulary, type Workspace } from './api/resources';
import { brand } from './brand';
import { call } from './call/call';
import { parseConnection } from './call/connection';
import { countryCodes, nameOfCountry } from './message/country';
import {
  accountTestRecipientField,
  allowedCountriesField,
  readAllowedCountries,
  readTestRecipient,
} from './message/recipient';
import { fail, refusalError } from './step/errors';
import { agentsField } from './step/guard';
import { ordered } from './step/input';

const plans: readonly string[] = vocabulary.plan;

/**
 * Whether a plan is known to lack the API. The service itself decides about plans that this integration doesn't know.
 */
const isBelowApiPlan = (plan: string): boolean => plans.includes(plan) && plans.indexOf(plan) < plans.indexOf(apiPlan);

const testWorkspace = async (z: ZObject): Promise<Workspace | undefined> => {
  const workspace = await call(z, endpoints.getWorkspace, {}, { unless: 'gone' });
  if (isBelowApiPlan(workspace?.plan ?? '')) {
    throw refusalError({ status: 403, code: 'plan_required', requiredPlan: apiPlan, problems: [] });
  }
  return workspace;
};

/**
 * Tests the connection with another call. The host of the API then labels the connection. A service without any call that
 * reads takes every token until a step sends.
 */
const testHost = async (z: ZObject, { authData }: Bundle): Promise<{ name: string } | undefined> => {
  const [connectionTest] = connectionTests;
  const found = connectionTest ? await call(z, connectionTest, {}, { unless: 'gone' }) : {};
  return found ? { name: new URL(parseConnection(authData).baseUrl).host } : undefined;
};

const test = async (z: ZObject, bundle: Bundle) => {
  readAllowedCountries(bundle.authData);
  await readTestRecipient(bundle.authData);
  const account = await (connectionTests[0] === endpoints.getWorkspace ? testWorkspace(z) : testHost(z, bundle));
  if (account) return account;
  throw fail(
    'API Base URL: no messaging service API was found at this address. Copy the address again, with nothing after it.',
    'base_url_refused',
    404,
  );
};

const baseUrlField = {
  key: 'base_url',
  label: 'API Base URL',
  required: true,
  isNoSecret: true,
  placeholder: brand.api,
  helpText: `Copy the address of the API from the [API tokens page](${brand.tokenPage}). It looks like \`${brand.api}\`.`,
};

/** The connection: the address of the API, the workspace's token, and what holds for the phone numbers of all steps. */
export const authentication: Authentication = {
  type: 'custom',
  test,
  connectionLabel: '{{name}}',
  fields: [
    {
      key: 'api_token',
      label: 'API Token',
      type: 'password',
      required: true,
      helpText: `Create a token on the [API tokens page](${brand.tokenPage}) and give it the scopes that your Zaps need. All of them: ${vocabulary.scope.map((scope) => `\`${scope}\``).join(', ')}.`,
    },
    ...(brand.sharedApi ? [] : [baseUrlField]),
    ...connectionEntries.map(([key, { label, helpText }]) => ({
      key,
      label,
      helpText: `${helpText} Find it in [your account](${brand.app}).`,
      required: true,
      isNoSecret: true,
    })),
    {
      key: 'default_country',
      label: 'Default Country',
      required: false,
      isNoSecret: true,
      choices: ordered(...countryCodes.map((code) => [code, nameOfCountry(code)] as const)),
      helpText: 'Choose the country of phone numbers that have no country code, like `(202) 555-0123`.',
    },
    { ...accountTestRecipientField, isNoSecret: true },
    { ...agentsField, isNoSecret: true },
    { ...allowedCountriesField, isNoSecret: true },
  ],
};

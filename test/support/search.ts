/** Searches of an account in the United States, and the lists that they read. */

import type { EndpointName } from '../../src/api/transport';
import { authData, expectCall } from './service';
import { runStep } from './zapier';

export const search = (key: string, inputData: Record<string, unknown>, meta = {}) =>
  runStep(`searches.${key}.operation.perform`, { authData: { ...authData, default_country: 'US' }, inputData, meta });

/** Announces a page of a list. */
export const answer = (call: EndpointName, query: object, data: object[], next_cursor: string | null = null) =>
  expectCall(call, { query: { limit: 100, ...query } }).reply(200, { data, next_cursor });

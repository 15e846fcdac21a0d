import { type CreatePerform, defineCreate, defineInputFields } from 'zapier-platform-core';
import * as zod from 'zod/mini';
import type { Endpoint } from '../src/api/endpoints';
import { readInput } from '../src/forms/input';
import { call } from '../src/http/client';
import { halt, quote } from '../src/platform/errors';

const methods = ['GET', 'POST', 'PATCH', 'DELETE'] as const;

const inputFields = defineInputFields([
  { key: 'method', label: 'Method', required: true, choices: [...methods] },
  {
    key: 'path',
    label: 'Path',
    required: true,
    helpText:
      'What comes after `/v1/` in the address, such as `contacts/con_7Hq2Zr`. The host and the token are those of the account.',
  },
  { key: 'query', label: 'Query', dict: true, helpText: 'Names and values that go behind the question mark.' },
  { key: 'body', label: 'Body', type: 'text', helpText: 'JSON, for POST and PATCH.' },
]);

const decode = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw halt(`Path: ${quote(segment)} has a % that stands for nothing. Write %25 for a percent sign.`);
  }
};

/** The path below `/v1/`, each part encoded anew. Throws when it would lead anywhere else. */
const readPath = (text: string): string => {
  if (/[?#]/.test(text))
    throw halt('Path: leave out everything from the ? or # on. What goes behind the ? has its own field, Query.');
  const segments = text
    .replace(/^\/?v1(\/|$)/, '')
    .replace(/^\/|\/$/g, '')
    .split('/')
    .map(decode);
  if (segments.some((segment) => /^\.{0,2}$|[/\\]|\p{Cc}/u.test(segment))) {
    throw halt(
      'Path: write only what comes after /v1/, such as contacts/con_7Hq2Zr, with no host and no dots in place of a name.',
    );
  }
  return `/v1/${segments.map(encodeURIComponent).join('/')}`;
};

const readBody = (text: string): string => {
  try {
    JSON.parse(text);
  } catch {
    throw halt('Body: this is not JSON. Look for a missing quote, comma or bracket.');
  }
  // As it was written: to write it anew would round long numbers.
  return text;
};

const perform = (async (z, bundle) => {
  // An object that is mapped here is JSON already.
  const { body } = bundle.inputData;
  const written = typeof body === 'object' && body !== null ? JSON.stringify(body) : body;
  const input = readInput(inputFields, { ...bundle.inputData, body: written });
  const endpoint: Endpoint = {
    method: zod.enum(methods).parse(input.method),
    path: readPath(input.path),
    scope: null,
    response: zod.unknown(),
    status: 200,
    basis: 'assumed',
    ...(input.body && { body: zod.unknown() }),
  };
  const response = await call(z, endpoint, { query: input.query, body: input.body && readBody(input.body) });
  return { response: response ?? null };
}) satisfies CreatePerform<typeof inputFields, { response: unknown }>;

export default defineCreate({
  key: 'api_request',
  noun: 'Request',
  display: {
    label: 'API Request',
    description: 'Sends a request of your own to the API, for what the other actions do not cover yet.',
  },
  operation: { inputFields, perform, sample: { response: { data: [{ id: 'con_7Hq2Zr' }], next_cursor: null } } },
});

import { type CreatePerform, defineCreate, defineInputFields } from 'zapier-platform-core';
import * as zod from 'zod/mini';
import { type Endpoint, methods, pathPrefix } from '../src/api/endpoints';
import { readInput } from '../src/forms/input';
import { call } from '../src/http/client';
import { halt, quote } from '../src/platform/errors';

const inputFields = defineInputFields([
  { key: 'method', label: 'Method', required: true, choices: [...methods] },
  {
    key: 'path',
    label: 'Path',
    required: true,
    helpText: `The part of the address after \`${pathPrefix}/\`. The request goes to the API of your account. Tests in the editor send it too.`,
    placeholder: 'contacts/con_7Hq2Zr',
  },
  { key: 'query', label: 'Query', dict: true, helpText: 'Names and values of the query, such as `limit` and `10`.' },
  {
    key: 'body',
    label: 'Body',
    type: 'text',
    helpText: 'JSON, for POST, PUT and PATCH.',
    placeholder: '{"first_name": "Noor"}',
  },
]);

const decode = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw halt(`Path: ${quote(segment)} contains an invalid % sequence. Enter %25 for a percent sign.`);
  }
};

const withoutPrefix = (path: string): string =>
  `${path}/`.startsWith(`${pathPrefix}/`) ? path.slice(pathPrefix.length) : path;

/** Returns the path with its prefix, each part encoded. Throws a sentence when it would lead anywhere else. */
const readPath = (text: string): string => {
  if (/[?#]/.test(text))
    throw halt('Path: remove the ? or # and everything after it. Enter query parameters in Query.');
  const segments = withoutPrefix(`/${text.replace(/^\//, '')}`)
    .replace(/^\/|\/$/g, '')
    .split('/')
    .map(decode);
  if (segments.some((segment) => /^\.{0,2}$|[/\\]|\p{Cc}/u.test(segment))) {
    throw halt(
      `Path: enter only the part after ${pathPrefix}/, such as contacts/con_7Hq2Zr, without a host or dots in place of a name.`,
    );
  }
  return `${pathPrefix}/${segments.map(encodeURIComponent).join('/')}`;
};

const readBody = (text: string): string => {
  try {
    JSON.parse(text);
  } catch {
    throw halt("Body: this isn't valid JSON. Look for a missing quote, comma or bracket.");
  }
  // Kept as written, since parsing rounds long numbers.
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
    description: "Sends a request to the API, for anything that the other actions don't cover yet.",
  },
  operation: {
    inputFields,
    perform,
    sample: { response: { data: [{ id: 'con_7Hq2Zr' }], next_cursor: null } },
    outputFields: [
      { key: 'response__data[]id', label: 'Record ID', type: 'string' },
      { key: 'response__next_cursor', label: 'Next Cursor', type: 'string' },
    ],
  },
});
